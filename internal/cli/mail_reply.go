package cli

import (
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/mail"
)

func newMailReply(a *app) *cobra.Command {
	var message messageFlags
	var prefix string
	cmd := &cobra.Command{
		Use:     "reply ID --body FILE|-",
		Short:   "Answer a message on its thread",
		Long:    "Answer a message. The answer keeps the thread, goes to the sender unless --to says otherwise, and counts as INFO.",
		Example: "  brenner mail reply 7 --from BlueLake --body answer.md",
		Args:    exactly("ID"),

		ValidArgsFunction: a.completeMessages,
	}
	flags := cmd.Flags()
	message.define(a, cmd)
	flags.StringVar(&prefix, "subject-prefix", "Re:", "what comes before the subject")
	required(cmd, "body")
	return a.command(cmd, a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		id, err := parseID(args[0])
		if err != nil {
			return nil, err
		}
		d, err := message.draft(ctx, a, p, flags)
		if err != nil {
			return nil, err
		}
		sent, err := p.Mail.Reply(ctx, id, prefix, mail.Outgoing{Draft: d})
		return newSentReport(sent, d.Body, "", err)
	}))
}
