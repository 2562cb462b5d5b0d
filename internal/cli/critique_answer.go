package cli

import (
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/usecase"
)

func newCritiqueAnswer(a *app) *cobra.Command {
	var body string
	cmd := &cobra.Command{
		Use:   "answer ID --body TEXT|FILE|-",
		Short: "Record why a critique does not hold",
		Long: `Record a rebuttal: an INFO message on the thread that closes the critique without changing the
artifact.`,
		Example: "  brenner critique answer 7 --body 'The dye control of T1 covers this.'\n  brenner critique answer 7 --body rebuttal.md",
		Args:    exactly("ID"),

		ValidArgsFunction: a.completeCritiques,
	}
	cmd.Flags().StringVar(&body, "body", "", "the rebuttal: `TEXT`, a file, or - for stdin")
	required(cmd, "body")
	a.fromFlag(cmd)
	return a.command(cmd, a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		id, err := a.critiqueMessage(ctx, cmd, p, args[0])
		if err != nil {
			return nil, err
		}
		text, err := a.readWords(ctx, body)
		if err != nil {
			return nil, err
		}
		as, err := a.sender(ctx, p)
		if err != nil {
			return nil, err
		}
		sent, err := usecase.AnswerCritique.Do(ctx, usecase.At{Sessions: p.Sessions}, usecase.AnswerRequest{ID: id, As: as, Body: text})
		return newSentReport(sent.Verdict, "", "", err)
	}))
}
