package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"brenner/internal/science"
	"brenner/internal/usecase"
)

func newReview(a *app) *cobra.Command {
	return asking(a, &cobra.Command{
		Use:   "review T",
		Short: "Show who has checked each hypothesis, and which attacks wait for an answer",
		Long: `Show who has checked each hypothesis. It is reviewed when an agent of another model family than its
authors', or a person, has attacked its claim and mechanism as they stand and been answered by another;
outdated when they said something else then; provisional when only its own family or an unknown one has
attacked it; contested while an attack is open. An attack that only its critic closed is withdrawn.
Ages end with the answer, or with the thread's last message.`,
		Example:           "  brenner review RS-20260110-cells-turn",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}, usecase.Review, func(answer usecase.ReviewAnswer) report { return reviewReport{answer} })
}

type reviewReport struct{ usecase.ReviewAnswer }

func (r reviewReport) show(p *printer) {
	if len(r.Hypotheses) == 0 {
		p.note("no hypothesis yet")
		return
	}
	for _, h := range r.Hypotheses {
		text := strings.Join(p.folded("", "   ", string(h.ID)+" "+string(h.State)+" "+visible(h.Name)), "\n")
		p.print("%s%s\n", p.style(styleBold, string(h.ID)), strings.TrimPrefix(text, string(h.ID)))
		p.line("   ", "by "+strings.Join(h.Authors, ", ")+" ("+strings.Join(h.Families, ", ")+")")
		if why := h.Why(); why != "" {
			p.line("   ", string(h.State)+": "+why)
		}
		for _, e := range h.Attacks {
			p.line("   ", attackLine(e))
		}
	}
	p.line("", debtLine(r.Debt))
	p.next("brenner", "critique", "list", r.ThreadID)
}

func attackLine(e science.ReviewedAttack) string {
	name := "#" + formatInt(e.MessageID)
	if e.Item != nil {
		name += " " + *e.Item
	}
	line := fmt.Sprintf("%-9s %s, %s, by %s (%s), %s", e.State, name, strings.ToLower(orDash(e.Severity)), e.From, e.Family,
		span(e.AgeSeconds))
	if !e.Current {
		line += ", on earlier words"
	}
	return line
}

func debtLine(d science.Debt) string {
	if d.Open == 0 {
		return "no attack is open"
	}
	return fmt.Sprintf("%s open, %d critical, the oldest for %s", count(d.Open, "attack"), d.Critical, span(*d.OldestSeconds))
}

func span(seconds float64) string { return duration(time.Duration(seconds) * time.Second) }
