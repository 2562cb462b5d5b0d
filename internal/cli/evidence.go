package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/evidence"
	"brenner/internal/evidencepack"
	"brenner/internal/literature"
	"brenner/internal/protocol"
)

func newEvidence(a *app) *cobra.Command {
	return a.group(&cobra.Command{
		Use:   "evidence",
		Short: "Keep the sources of a project, and check what is quoted from them",
		Long: `The evidence pack is the folder evidence/ of the project: a file for each source, and index.yaml, which lists
them. A source is cited as EV-001, a named passage of it as EV-001#E1. Words in quotation marks before such a
citation are compared with the source.`,
		Example: "  brenner evidence add paper.pdf --title 'Fate maps' --source https://doi.org/10.1000/1\n  brenner evidence check " +
			"RS-20260110-cells-turn",
	}, newEvidenceAdd(a), newEvidenceList(a), newEvidenceShow(a), newEvidenceSearch(a), newEvidenceExcerpt(a), newEvidenceCheck(a),
		newEvidenceMark(a), newEvidenceRetractions(a), newEvidenceImport(a), newEvidenceExport(a))
}

// pack is the evidence pack of the project. It needs no store.
func (a *app) pack(ctx context.Context) (*evidencepack.Pack, error) {
	found, err := a.find(ctx)
	if err != nil {
		return nil, err
	}
	return evidencepack.At(found.Root), nil
}

// packOf returns the pack for a command that changes a source of it, and the id of the source.
func (a *app) packOf(ctx context.Context, cmd *cobra.Command, named string) (*evidencepack.Pack, string, error) {
	cited, err := parseEvidenceID(named)
	if err != nil {
		return nil, "", err
	}
	if cited.Excerpt != "" {
		return nil, "", usageFor(cmd, "%s names an excerpt; name its source, %s", named, cited.Evidence)
	}
	if _, err := a.loadPack(ctx); err != nil {
		return nil, "", err
	}
	pack, err := a.pack(ctx)
	return pack, cited.Evidence, err
}

// loadPack reads the pack; NOT_FOUND: there is none.
func (a *app) loadPack(ctx context.Context) (*evidence.Pack, error) {
	p, err := a.pack(ctx)
	if err != nil {
		return nil, err
	}
	pack, err := p.Load()
	if err == nil && pack == nil {
		err = protocol.Errorf(protocol.NotFound, "the project has no evidence pack yet: brenner evidence add FILE makes one")
	}
	return pack, err
}

// evidenceJSON is a source of the pack.
type evidenceJSON struct {
	ID         string        `json:"id"`
	Title      string        `json:"title"`
	Source     *string       `json:"source"`
	Kind       evidence.Kind `json:"kind"`
	AddedAt    *string       `json:"added_at"`
	AddedBy    *string       `json:"added_by"`
	File       *string       `json:"file"` // null: it came without its file, which is not shared
	SHA256     string        `json:"sha256"`
	Text       *string       `json:"text"`
	TextSHA256 *string       `json:"text_sha256"`
	TextBy     *string       `json:"text_by"`
	TextAgrees *float64      `json:"text_agrees"`
	Share      bool          `json:"share"`
	statusJSON
	Cite     *literature.Item `json:"cite"`
	Indexed  bool             `json:"indexed"`
	Excerpts []excerptJSON    `json:"excerpts"`
}

type excerptJSON struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	From *int   `json:"from"`
	To   *int   `json:"to"`
}

// statusJSON is where a source stands.
type statusJSON struct {
	Status     evidence.Status `json:"status"`
	StatusBy   *string         `json:"status_by"`
	StatusNote *string         `json:"status_note"`
}

func newStatusJSON(s *evidence.Source) statusJSON {
	return statusJSON{s.Standing(), protocol.OrNull(s.StatusBy), protocol.OrNull(s.StatusNote)}
}

// line says where a source stands; empty: it is current, and there is nothing to say.
func (j statusJSON) line() string {
	if j.Status == evidence.Current && j.StatusNote == nil {
		return ""
	}
	text := strings.ToUpper(string(j.Status))
	if j.StatusBy != nil {
		text += " by " + *j.StatusBy
	}
	if j.StatusNote != nil {
		text += ": " + *j.StatusNote
	}
	return text
}

func newEvidenceJSON(s *evidence.Source) evidenceJSON {
	j := evidenceJSON{
		ID: s.ID, Title: s.Title, Source: protocol.OrNull(s.Source), Kind: s.Kind, AddedAt: protocol.OrNull(s.AddedAt),
		AddedBy: protocol.OrNull(s.AddedBy),
		File:    protocol.OrNull(s.File), SHA256: s.Hash(), Text: protocol.OrNull(s.Text), TextSHA256: protocol.OrNull(s.TextSHA256),
		Share: s.Share, Indexed: s.Indexed,
		TextBy: protocol.OrNull(string(s.TextBy)), TextAgrees: s.TextAgrees, statusJSON: newStatusJSON(s), Cite: s.Cite,
		Excerpts: []excerptJSON{},
	}
	for _, e := range s.AllExcerpts() {
		j.Excerpts = append(j.Excerpts, newExcerptJSON(e))
	}
	return j
}

func newExcerptJSON(e evidence.Excerpt) excerptJSON {
	j := excerptJSON{ID: e.ID, Text: e.Text}
	if e.To > 0 {
		j.From, j.To = &e.From, &e.To
	}
	return j
}

// agreement says how far a supplied text is that of its file.
func (j evidenceJSON) agreement() string {
	switch {
	case j.TextBy == nil || *j.TextBy != string(evidence.TextSupplied):
		return ""
	case j.TextAgrees == nil:
		return ", supplied; nothing can be read from the file to compare it with"
	}
	return fmt.Sprintf(", supplied; %.0f %% of it stands in the file", 100**j.TextAgrees)
}

// show prints a source for a person.
func (j evidenceJSON) show(p *printer) {
	p.print("%s  %s\n", j.ID, visible(j.Title))
	if j.Source != nil {
		p.print("  from %s\n", visible(*j.Source))
	}
	if j.Cite != nil {
		p.print("  %s\n", visible(strings.TrimSpace(j.Cite.String()+" "+j.Cite.Link())))
	}
	if line := j.line(); line != "" {
		p.print("  %s\n", visible(line))
	}
	file := "not shared"
	if j.File != nil {
		file = evidencepack.Dir + "/" + *j.File
	}
	p.print("  %s, SHA-256 %s\n", visible(file), j.SHA256)
	switch {
	case j.Text == nil:
		p.print("  no text to compare quotes with\n")
	case *j.Text != orDash(j.File):
		p.print("  text in %s%s\n", visible(evidencepack.Dir+"/"+*j.Text), j.agreement())
	}
	for _, e := range j.Excerpts {
		p.print("  %s#%s  %s\n", j.ID, visible(e.ID), visible(evidence.Show(e.Text)))
	}
}
