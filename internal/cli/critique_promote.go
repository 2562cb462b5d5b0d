package cli

import (
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/usecase"
)

func newCritiquePromote(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "promote ID",
		Short: "Make a critique an item of the artifact",
		Long: `Post a DELTA[human] that adds the critique to the artifact's critique section. The critique stays
open until it is answered; promoting it again adds nothing.`,
		Example: "  brenner critique promote 7",
		Args:    exactly("ID"),

		ValidArgsFunction: a.completeCritiques,
	}
	a.fromFlag(cmd)
	return a.command(cmd, a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		id, err := a.critiqueMessage(ctx, cmd, p, args[0])
		if err != nil {
			return nil, err
		}
		as, err := a.sender(ctx, p)
		if err != nil {
			return nil, err
		}
		sent, err := usecase.PromoteCritique.Do(ctx, usecase.At{Sessions: p.Sessions}, usecase.PromoteRequest{ID: id, As: as})
		return newSentReport(sent.Verdict, sent.Verdict.Message.Body, "", err)
	}))
}
