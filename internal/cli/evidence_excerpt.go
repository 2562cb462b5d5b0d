package cli

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/evidence"
	"brenner/internal/evidencepack"
)

func newEvidenceExcerpt(a *app) *cobra.Command {
	var lines, quote string
	cmd := &cobra.Command{
		Use:   "excerpt EV-nnn --lines a-b | --quote TEXT",
		Short: "Name a passage of a source, so that it can be cited as EV-nnn#En",
		Long: `Name a passage of a source: lines of its text, or words that stand in it. The same passage keeps its id. Words that
do not stand there are EV-Q01, with the nearest passage.`,
		Example: "  brenner evidence excerpt EV-001 --lines 12-14\n  brenner evidence excerpt EV-001 --quote 'cells keep their fate'",
		Args:    exactly("EV-nnn"),

		ValidArgsFunction: a.completeSource,
	}
	cmd.Flags().StringVar(&lines, "lines", "", "lines `a-b` of the text, from 1")
	cmd.Flags().StringVar(&quote, "quote", "", "`TEXT` of the passage")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		passage, err := parsePassage(cmd, lines, quote)
		if err != nil {
			return nil, err
		}
		pack, id, err := a.packOf(ctx, cmd, args[0])
		if err != nil {
			return nil, err
		}
		s, e, err := pack.Excerpt(id, passage)
		if err != nil {
			return nil, err
		}
		return excerptNamed{a.withCiting(ctx, newEvidenceJSON(s), nil), newExcerptJSON(e)}, nil
	})
}

func parsePassage(cmd *cobra.Command, lines, quote string) (evidencepack.Passage, error) {
	byLines, byQuote := cmd.Flags().Changed("lines"), cmd.Flags().Changed("quote")
	if byLines == byQuote {
		return evidencepack.Passage{}, usageFor(cmd, "give either --lines or --quote")
	}
	if byQuote {
		if strings.TrimSpace(quote) == "" {
			return evidencepack.Passage{}, usageFor(cmd, "--quote is blank")
		}
		return evidencepack.Passage{Quote: quote}, nil
	}
	first, last, isRange := strings.Cut(lines, "-")
	if !isRange {
		last = first
	}
	from, err1 := strconv.Atoi(strings.TrimSpace(first))
	to, err2 := strconv.Atoi(strings.TrimSpace(last))
	if err1 != nil || err2 != nil || from < 1 || to < from {
		return evidencepack.Passage{}, usageFor(cmd, "--lines takes lines such as 12-14, not %q", lines)
	}
	return evidencepack.Passage{From: from, To: to}, nil
}

type excerptNamed struct {
	sourceJSON
	Excerpt excerptJSON `json:"excerpt"` // the one that was named
}

func (r excerptNamed) show(p *printer) {
	p.print("%s#%s  %s\n", r.ID, visible(r.Excerpt.ID), visible(evidence.Show(r.Excerpt.Text)))
	p.hint("cite it as " + r.ID + "#" + r.Excerpt.ID)
}
