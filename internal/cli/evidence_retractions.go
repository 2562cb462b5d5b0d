package cli

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"brenner/internal/evidence"
	"brenner/internal/projectfs"
	"brenner/internal/protocol"
)

func newEvidenceRetractions(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:   "retractions FILE",
		Short: "Look all sources up in a snapshot of retractions that you bring",
		Long: `Look the sources up by DOI and PMID in a file that you bring: the CSV of Retraction Watch, or JSON of Crossref whose works
have update-to or updated-by. What it finds is marked; its hash and the day are kept in the index. Nothing is fetched.
A source without DOI or PMID is not looked up: give it one with its entry (brenner evidence import, or add --cite).`,
		Example: "  brenner evidence retractions retraction_watch.csv",
		Args:    exactly("FILE"),
	}, func(ctx context.Context, args []string) (report, error) {
		if _, err := a.loadPack(ctx); err != nil {
			return nil, err
		}
		pack, err := a.pack(ctx)
		if err != nil {
			return nil, err
		}
		f, err := a.openRegular(args[0])
		if err != nil {
			return nil, err
		}
		defer f.Close()
		defer a.busy("looking up")()
		done, err := pack.Retract(interruptible(ctx, f), a.now())
		if err != nil {
			return nil, err
		}
		r := retractionsReport{Marked: []markedJSON{}, NotLookedUp: protocol.NonNil(done.NotLookedUp),
			Findings: protocol.NonNil(done.Findings)}
		for _, m := range done.Marked {
			r.Marked = append(r.Marked, markedJSON{m.ID, m.Status, protocol.OrNull(m.StatusNote)})
		}
		return r, nil
	})
}

type retractionsReport struct {
	Marked      []markedJSON       `json:"marked"`
	NotLookedUp []string           `json:"not_looked_up"`
	Findings    []protocol.Finding `json:"findings"`
}

type markedJSON struct {
	ID         string          `json:"id"`
	Status     evidence.Status `json:"status"`
	StatusNote *string         `json:"status_note"`
}

func (r retractionsReport) show(p *printer) {
	p.findingsOnErr(r.Findings)
	for _, m := range r.Marked {
		p.line("", m.ID+"  "+string(m.Status)+": "+orDash(m.StatusNote))
	}
	if len(r.Marked) == 0 {
		p.note("no source of the pack is in the snapshot")
	}
	for _, id := range r.NotLookedUp {
		p.line("", id+"  not looked up: it has no DOI or PMID")
	}
	p.next("brenner", "evidence", "list")
}

// openRegular opens a file that a person named: a folder or a device is none.
func (a *app) openRegular(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, protocol.Errorf(protocol.InvalidInput, "%s is not a regular file", path)
	}
	return projectfs.OpenFile(path)
}
