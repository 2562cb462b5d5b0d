package cli

import (
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/server"
	"brenner/mail"
)

func newToken(a *app) *cobra.Command {
	return a.group(&cobra.Command{
		Use:   "token",
		Short: "Give agents and the operator bearer tokens, and take them back",
		Long: `A bearer token proves to brenner serve who is asking. An agent's token lets it act for itself
alone; the operator's lets its holder act for everybody. Only a hash is kept: a token that is lost
is replaced.`,
		Example: "  brenner token create BlueLake\n  brenner token revoke --operator",
	}, newTokenCreate(a), newTokenRevoke(a), newTokenList(a))
}

// tokenCommand makes a command on the token of one agent, or the operator's.
func tokenCommand(a *app, cmd *cobra.Command, run func(ctx context.Context, keys *server.Keys, agent string) (report, error)) *cobra.Command {
	var operator bool
	cmd.Args = cobra.ArbitraryArgs // counted below, with a word about --operator
	cmd.Flags().BoolVar(&operator, "operator", false, "the operator's token instead of an agent's")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		switch {
		case operator && len(args) > 0:
			return nil, usageFor(cmd, "an agent and --operator exclude each other")
		case operator:
			args = []string{mail.Operator}
		case len(args) != 1:
			return nil, usageFor(cmd, "one AGENT, or --operator, is needed")
		}
		return a.inNewProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
			return run(ctx, server.NewKeys(p.Mail, nil), args[0])
		})(ctx, args)
	})
}

func newTokenCreate(a *app) *cobra.Command {
	return tokenCommand(a, &cobra.Command{
		Use:   "create AGENT|--operator",
		Short: "Print a new token, which replaces the one before",
		Long: `Print a new token for an agent, or with --operator the operator's. It is shown this once. An
agent that is unknown is registered. A server that runs takes the new one within a second.`,
		Example: "  AGENT_MAIL_BEARER_TOKEN=$(brenner token create BlueLake)",
	}, func(ctx context.Context, keys *server.Keys, agent string) (report, error) {
		token, err := keys.Create(ctx, agent)
		if err != nil {
			return nil, err
		}
		return tokenReport{Agent: agent, Token: token}, nil
	})
}

func newTokenRevoke(a *app) *cobra.Command {
	return tokenCommand(a, &cobra.Command{
		Use:     "revoke AGENT|--operator",
		Short:   "Take a token back",
		Long:    "Take the token of an agent, or with --operator the operator's, back. A server that runs notices within a second.",
		Example: "  brenner token revoke BlueLake",
	}, func(ctx context.Context, keys *server.Keys, agent string) (report, error) {
		if err := keys.Revoke(ctx, agent); err != nil {
			return nil, err
		}
		return revokedReport{agent}, nil
	})
}

func newTokenList(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "list",
		Short:   "Name those who have a token",
		Example: "  brenner token list --json",
		Args:    exactly(),
	}, a.inProject(func(ctx context.Context, p *project.App, _ []string) (report, error) {
		names, err := server.NewKeys(p.Mail, nil).Holders(ctx)
		return tokensReport{nonNil(names)}, err
	}))
}

type tokenReport struct {
	Agent string `json:"agent"`
	Token string `json:"token"`
}

func (r tokenReport) show(p *printer) {
	p.print("%s\n", r.Token)
	p.note("send it as: Authorization: Bearer …; it is not shown again")
	p.next("brenner", "serve", "--strict-identity")
}

type revokedReport struct {
	Agent string `json:"agent"`
}

func (r revokedReport) show(p *printer) {
	p.note("%s has no token any more", visible(r.Agent))
	p.next("brenner", "token", "list")
}

type tokensReport struct {
	Agents []string `json:"agents"`
}

func (r tokensReport) show(p *printer) {
	if len(r.Agents) == 0 {
		p.note("nobody has a token")
	}
	for _, name := range r.Agents {
		p.print("%s\n", visible(name))
	}
	p.next("brenner", "token", "create", "AGENT")
}
