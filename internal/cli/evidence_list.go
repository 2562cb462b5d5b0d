package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/evidence"
	"brenner/internal/protocol"
)

func newEvidenceList(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "list",
		Short:   "List the sources of the evidence pack",
		Example: "  brenner evidence list",
		Args:    exactly(),
	}, func(ctx context.Context, _ []string) (report, error) {
		r := evidenceList{Evidence: []evidenceJSON{}, Findings: []protocol.Finding{}}
		p, err := a.pack(ctx)
		if err != nil {
			return nil, err
		}
		pack, err := p.Load()
		if err != nil || pack == nil {
			return r, err
		}
		for _, s := range pack.Sources {
			r.Evidence = append(r.Evidence, newEvidenceJSON(s))
		}
		r.Findings = protocol.NonNil(pack.Findings)
		return r, nil
	})
}

type evidenceList struct {
	Evidence []evidenceJSON     `json:"evidence"`
	Findings []protocol.Finding `json:"findings"`
}

func (r evidenceList) show(p *printer) {
	p.findingsOnErr(r.Findings)
	if len(r.Evidence) == 0 {
		p.note("the project has no evidence yet")
		p.next("brenner", "evidence", "add", "FILE")
		return
	}
	var rows [][]string
	for _, e := range r.Evidence {
		rows = append(rows, []string{e.ID, string(e.Kind), formatInt(int64(len(e.Excerpts))), orDash(e.File), e.marked()})
	}
	p.table(columns("Id", "Kind?", "Excerpts?", "File…", "Title…"), rows)
	p.next("brenner", "evidence", "check")
}

// marked is the title, behind where the source stands if it is not current.
func (j evidenceJSON) marked() string {
	if j.Status == evidence.Current {
		return j.Title
	}
	return strings.ToUpper(string(j.Status)) + ": " + j.Title
}
