package cli

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"brenner/internal/evidencepack"
	"brenner/internal/literature"
	"brenner/internal/protocol"
)

func newEvidenceImport(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:   "import FILE",
		Short: "Take the entries of a BibTeX, RIS, CSL-JSON or nbib file in as sources",
		Long: `Take bibliographic entries in, in the order of the file: what Zotero, EndNote, Mendeley and PubMed write. An entry becomes a
source whose file is its local attachment; without one, the entry itself. An entry whose DOI, PMID or bytes are in the
pack is that source. Attachments are plain files below the file's folder or the project; nothing is fetched.`,
		Example: "  brenner evidence import library.bib",
		Args:    exactly("FILE"),
	}, func(ctx context.Context, args []string) (report, error) {
		pack, err := a.pack(ctx)
		if err != nil {
			return nil, err
		}
		data, err := a.readSource(ctx, args[0])
		if err != nil {
			return nil, err
		}
		entries, err := literature.Parse(data)
		if err != nil {
			return nil, err
		}
		folder, err := filepath.Abs(filepath.Dir(args[0]))
		if err != nil {
			return nil, protocol.Errorf(protocol.Unreadable, "the folder of %s is not known: %w", args[0], err)
		}
		defer a.busy("importing")()
		imported, findings, err := pack.Import(ctx, evidencepack.Import{Entries: entries, Folder: folder, By: a.identity(), At: a.now()})
		if err != nil {
			return nil, err
		}
		r := importedEntries{Entries: []importedJSON{}, Findings: protocol.NonNil(findings)}
		for _, i := range imported {
			r.Entries = append(r.Entries, importedJSON{i.Key, i.ID, i.New, protocol.OrNull(i.File), protocol.OrNull(i.Text)})
		}
		return r, nil
	})
}

type importedEntries struct {
	Entries  []importedJSON     `json:"entries"`
	Findings []protocol.Finding `json:"findings"`
}

type importedJSON struct {
	Key  string  `json:"key"`
	ID   string  `json:"id"`
	New  bool    `json:"new"`
	File *string `json:"file"`
	Text *string `json:"text"`
}

func (r importedEntries) show(p *printer) {
	p.findingsOnErr(r.Findings)
	for _, e := range r.Entries {
		state := "new"
		if !e.New {
			state = "was there"
		}
		p.line("", e.ID+"  "+e.Key+"  "+state+", "+orDash(e.File))
	}
	if len(r.Entries) == 0 {
		p.note("the file has no entries")
	}
	p.next("brenner", "evidence", "list")
}
