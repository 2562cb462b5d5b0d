package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/artifact"
	"brenner/internal/science"
	"brenner/internal/session"
)

func newWhatIf(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "whatif T TEST=OUTCOME...",
		Short: "Show what the agents would believe if tests had these outcomes",
		Long: `Show what the agents would believe if tests had these outcomes, how many bits that would teach, and
which test would come next. Nothing is stored. An outcome is one of the test's labels; brenner next
--json lists them.`,
		Example:           "  brenner whatif RS-20260110-cells-turn T1=kept 'T2=no colour'",
		Args:              atLeast("T", "TEST=OUTCOME"),
		ValidArgsFunction: a.completeItems(artifact.DiscriminativeTests),
	}
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		outcomes, err := suppositions(cmd, args[1:])
		if err != nil {
			return nil, err
		}
		return a.inSession(func(_ context.Context, s *session.Session, args []string) (report, error) {
			out, err := s.WhatIf(outcomes)
			if err != nil {
				return nil, err
			}
			return whatIfReport{args[0], out}, nil
		})(ctx, args)
	})
}

// suppositions splits TEST=OUTCOME at the first =.
func suppositions(cmd *cobra.Command, args []string) ([]science.Supposition, error) {
	var list []science.Supposition
	for _, arg := range args {
		test, outcome, ok := strings.Cut(arg, "=")
		if !ok {
			return nil, usageFor(cmd, "%q is not TEST=OUTCOME, such as T1=kept", arg)
		}
		list = append(list, science.Supposition{Test: artifact.ItemID(test), Outcome: outcome})
	}
	return list, nil
}

type whatIfReport struct {
	ThreadID string `json:"thread_id"`
	session.WhatIf
}

func (r whatIfReport) show(p *printer) {
	var rows [][]string
	worlds := []string{}
	for w := range r.Prior {
		worlds = append(worlds, w)
	}
	slices.SortFunc(worlds, artifact.CompareKeys)
	for _, w := range worlds {
		rows = append(rows, []string{w, percent(r.Prior[w]), percent(r.Posterior[w]), bar(r.Posterior[w])})
	}
	p.table(columns("World", "Before", "After", "?"), rows)
	p.print("%.3f bits gained\n", r.BitsGained)
	if len(r.Tests) > 0 {
		p.print("\n")
		p.advice(r.Tests)
	}
	p.findingsOnErr(r.Findings)
	p.next("brenner", "next", r.ThreadID)
}
