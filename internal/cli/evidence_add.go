package cli

import (
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"brenner/internal/evidencepack"
	"brenner/internal/literature"
	"brenner/internal/projectfs"
	"brenner/internal/protocol"
)

func newEvidenceAdd(a *app) *cobra.Command {
	var title, source, text, cite string
	cmd := &cobra.Command{
		Use:   "add FILE|-",
		Short: "Copy a source into the evidence pack",
		Long: `Copy a source into the evidence pack under the next free id. The same bytes again give the id they have; a file
that lies in the pack without an entry gets one. Its text is taken from .txt .md .csv .tsv .json .yaml .tex .html, from
articles in JATS (.xml .nxml) and, with pdftotext, from .pdf; for anything else give it with --text, or quotes from it
cannot be checked. A text that is given is compared with the file's own: EV-Q07 says when it is another one.`,
		Example: "  brenner evidence add paper.pdf --title 'Fate maps' --source https://doi.org/10.1000/1\n" +
			"  brenner evidence add scan.png --text scan.txt\n  brenner evidence add paper.pdf --cite paper.bib\n  brenner evidence add " +
			"- --title 'A letter' < letter.txt",
		Args: exactly("FILE|-"),
	}
	cmd.Flags().StringVar(&title, "title", "", "`TITLE` of the source (default: the file's name)")
	cmd.Flags().StringVar(&source, "source", "", "where it comes from: a `URL`, a DOI or words")
	cmd.Flags().StringVar(&text, "text", "", "`FILE` with its text")
	cmd.Flags().StringVar(&cite, "cite", "", "`FILE` with its bibliographic entry: BibTeX, RIS, CSL-JSON or nbib")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		pack, err := a.pack(ctx)
		if err != nil {
			return nil, err
		}
		addition := evidencepack.Addition{Name: filepath.Base(args[0]), Title: title, Source: source, By: a.identity(), At: a.now()}
		if args[0] == "-" {
			addition.Name = "stdin.txt"
		}
		if addition.Data, err = a.readSource(ctx, args[0]); err != nil {
			return nil, err
		}
		if cmd.Flags().Changed("text") {
			if addition.Text, err = a.readSource(ctx, text); err != nil {
				return nil, err
			}
			addition.Text = append([]byte{}, addition.Text...) // never nil: it was given
		}
		if cmd.Flags().Changed("cite") {
			if addition.Cite, err = a.readCite(ctx, cite); err != nil {
				return nil, err
			}
		}
		defer a.busy("adding")()
		added, err := pack.Add(ctx, addition)
		if err != nil {
			return nil, err
		}
		return addedReport{a.withCiting(ctx, newEvidenceJSON(added.Source), added.Doubts()), added.New}, nil
	})
}

// readSource reads a file that a person named: only a regular one, and only up to the bound.
func (a *app) readSource(ctx context.Context, path string) ([]byte, error) {
	if path == "-" {
		return a.readAll(ctx, input{path, evidencepack.MaxFile, protocol.InvalidInput})
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, protocol.Errorf(protocol.InvalidInput, "%s is not a regular file: a folder or a device is no source", path)
	}
	return projectfs.ReadFile(path, evidencepack.MaxFile)
}

// readCite reads a file with one bibliographic entry.
func (a *app) readCite(ctx context.Context, path string) (*literature.Item, error) {
	data, err := a.readSource(ctx, path)
	if err != nil {
		return nil, err
	}
	entry, err := literature.ParseOne(data)
	if err != nil {
		return nil, err
	}
	return &entry.Item, nil
}

type addedReport struct {
	sourceJSON
	New bool `json:"new"`
}

func (r addedReport) show(p *printer) {
	p.findingsOnErr(r.Findings)
	r.evidenceJSON.show(p)
	if !r.New {
		p.note("these bytes were there already")
	}
	p.next("brenner", "evidence", "excerpt", r.ID, "--lines", "1-1")
}
