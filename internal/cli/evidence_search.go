package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/evidence"
	"brenner/internal/protocol"
)

func newEvidenceSearch(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:   "search WORDS",
		Short: "Find passages of the evidence pack",
		Long: `Find the lines of the evidence pack around which all words stand, best first. Case and typography do not
count. Lines count from 1 in the text of the source.`,
		Example: "  brenner evidence search cells fate",
		Args:    cobra.ArbitraryArgs,
	}, func(ctx context.Context, args []string) (report, error) {
		words := strings.Join(args, " ")
		if strings.TrimSpace(words) == "" {
			return nil, usageError("WORDS is missing; see brenner evidence search --help")
		}
		if len(words) > 4<<10 {
			return nil, protocol.Errorf(protocol.InvalidInput, "the search has more than 4 KiB")
		}
		pack, err := a.loadPack(ctx)
		if err != nil {
			return nil, err
		}
		return newEvidenceHits(pack.Search(words)), nil
	})
}

type evidenceHits struct {
	Hits []evidenceHit `json:"hits"`
}

type evidenceHit struct {
	ID      string  `json:"id"`
	Excerpt *string `json:"excerpt"`
	Line    int     `json:"line"`
	Page    *int    `json:"page"` // null: its pages are not known
	Text    string  `json:"text"`
}

func newEvidenceHits(hits []evidence.Hit) evidenceHits {
	r := evidenceHits{Hits: []evidenceHit{}}
	for _, h := range hits {
		r.Hits = append(r.Hits, evidenceHit{h.ID, protocol.OrNull(h.Excerpt), h.Line, protocol.OrNull(h.Page), h.Text})
	}
	return r
}

func (r evidenceHits) show(p *printer) {
	if len(r.Hits) == 0 {
		p.note("nothing has all these words")
		return
	}
	for _, h := range r.Hits {
		cite := h.ID
		if h.Excerpt != nil {
			cite += "#" + *h.Excerpt
		}
		if h.Page != nil {
			cite += ", p. " + formatInt(int64(*h.Page))
		}
		p.line("", fmt.Sprintf("%s:%d  %s", cite, h.Line, h.Text))
	}
	p.next("brenner", "evidence", "excerpt", r.Hits[0].ID, "--lines", formatInt(int64(r.Hits[0].Line))+"-"+formatInt(int64(r.Hits[0].Line)))
}
