package cli

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/server"
)

func newToken(a *app) *cobra.Command {
	return a.group(&cobra.Command{
		Use:   "token",
		Short: "Give agents, operators and readers bearer tokens, and take them back",
		Long: `A bearer token proves to brenner serve who is asking. An agent's token lets it act for itself
alone; an operator's lets its holder act for all; a reader's shows the web app and the API, and
writes nothing. Only a hash is kept: a token that is lost is replaced. Every server of the store
knows a new token, and forgets a revoked one, within a second.`,
		Example: "  brenner token create BlueLake\n  brenner token create --operator --name alice --expires 90d\n  brenner token rotate " +
			"alice --grace 1h\n  brenner token revoke --operator",
	}, newTokenCreate(a), newTokenRotate(a), newTokenRevoke(a), newTokenList(a))
}

// tokenCommand makes a command on one token: of an agent or a name, or the operator's.
func tokenCommand(a *app, cmd *cobra.Command, what string,
	run func(ctx context.Context, p *project.App, name string) (report, error)) *cobra.Command {
	var operator bool
	cmd.Args = cobra.ArbitraryArgs // counted below, with a word about --operator
	cmd.Flags().BoolVar(&operator, "operator", false, "the operator's token instead of an agent's")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		switch {
		case operator && len(args) > 0:
			return nil, usageFor(cmd, "%s and --operator exclude each other", what)
		case operator:
			args = []string{mail.Operator}
		case len(args) != 1:
			return nil, usageFor(cmd, "one %s, or --operator, is needed", what)
		}
		return a.inNewProject(a.acting(func(ctx context.Context, p *project.App, args []string) (report, error) {
			return run(ctx, p, args[0])
		}))(ctx, args)
	})
}

func newTokenCreate(a *app) *cobra.Command {
	var name, expires string
	var reader bool
	cmd := &cobra.Command{
		Use:   "create AGENT|--operator|--reader NAME",
		Short: "Print a new token, which replaces the one of the same name",
		Long: `Print a new token for an agent, or with --operator an operator's, or with --reader one that only
reads. It is shown this once. An agent that is unknown is registered. A token's name is its agent's,
unless --name gives it another, so that two people can be operators with tokens of their own.`,
		Example: "  AGENT_MAIL_BEARER_TOKEN=$(brenner token create BlueLake)\n  brenner token create --operator --name alice --expires " +
			"90d\n  brenner token create --reader wall-display",
	}
	cmd.Flags().StringVar(&name, "name", "", "the token's `NAME`")
	cmd.Flags().StringVar(&expires, "expires", "", "let it work for a `TIME`, such as 12h or 90d (default: for ever)")
	cmd.Flags().BoolVar(&reader, "reader", false, "a token that reads the pages and the API and writes nothing")
	return tokenCommand(a, cmd, "AGENT", func(ctx context.Context, p *project.App, agent string) (report, error) {
		token := server.AgentToken(agent)
		if reader {
			token = server.Token{Name: agent, Role: server.RoleReader}
		}
		if name != "" {
			token.Name = name
		}
		if expires != "" {
			life, err := lifetime(cmd, "expires", expires)
			if err != nil {
				return nil, err
			}
			token.ExpiresAt = p.Mail.Now().Add(life).UTC().Truncate(time.Second)
		}
		secret, err := server.NewKeys(p.Mail, nil).Create(ctx, token)
		if err != nil {
			return nil, err
		}
		return tokenReport{Agent: token.Agent, Token: secret, Name: token.Name, Role: token.Role, ExpiresAt: momentOrNull(token.ExpiresAt)},
			nil
	})
}

func newTokenRotate(a *app) *cobra.Command {
	var grace string
	cmd := &cobra.Command{
		Use:   "rotate NAME|--operator",
		Short: "Print a new token in the place of one",
		Long: `Print a new token in the place of the one of a name, with the same role and as long a life. The one
before stops at once, or works for the time of --grace so that its holders can change over.`,
		Example: "  brenner token rotate BlueLake\n  brenner token rotate alice --grace 1h",
	}
	cmd.Flags().StringVar(&grace, "grace", "", "let the one before work for a `TIME` longer, such as 1h")
	return tokenCommand(a, cmd, "NAME", func(ctx context.Context, p *project.App, name string) (report, error) {
		var longer time.Duration
		if grace != "" {
			var err error
			if longer, err = lifetime(cmd, "grace", grace); err != nil {
				return nil, err
			}
		}
		token, secret, err := server.NewKeys(p.Mail, nil).Rotate(ctx, name, longer)
		if err != nil {
			return nil, err
		}
		return tokenReport{Agent: token.Agent, Token: secret, Name: token.Name, Role: token.Role, ExpiresAt: momentOrNull(token.ExpiresAt)},
			nil
	})
}

func newTokenRevoke(a *app) *cobra.Command {
	return tokenCommand(a, &cobra.Command{
		Use:   "revoke NAME|--operator",
		Short: "Take a token back",
		Long: "Take the token of an agent or of another name, or with --operator the operator's, back. Servers that run notice within " +
			"a second.",
		Example: "  brenner token revoke BlueLake",
	}, "NAME", func(ctx context.Context, p *project.App, name string) (report, error) {
		if err := server.NewKeys(p.Mail, nil).Revoke(ctx, name); err != nil {
			return nil, err
		}
		return revokedReport{name}, nil
	})
}

// lifetime reads a span of time: what Go writes, and days.
func lifetime(cmd *cobra.Command, flag, text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n int64
		n, err = strconv.ParseInt(days, 10, 32)
		d = time.Duration(n) * 24 * time.Hour
	}
	if err != nil || d <= 0 {
		return 0, usageFor(cmd, "--%s %q is no time; write 30m, 12h or 90d", flag, text)
	}
	return d, nil
}

func newTokenList(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "list",
		Short:   "Name the tokens there are: role, age, expiry, last use",
		Example: "  brenner token list --json",
		Args:    exactly(),
	}, a.inProject(func(ctx context.Context, p *project.App, _ []string) (report, error) {
		tokens, err := server.NewKeys(p.Mail, nil).List(ctx)
		if err != nil {
			return nil, err
		}
		now := p.Mail.Now()
		r := tokensReport{Agents: []string{}, Tokens: []listedToken{}}
		for _, t := range tokens {
			if t.Agent != "" && !slices.Contains(r.Agents, t.Agent) {
				r.Agents = append(r.Agents, t.Agent)
			}
			r.Tokens = append(r.Tokens, listedToken{
				t.Name, t.Role, t.Agent, momentOrNull(t.CreatedAt), momentOrNull(t.ExpiresAt), momentOrNull(t.LastUsedAt), t.Expired(now),
			})
		}
		return r, nil
	}))
}

type tokenReport struct {
	Agent     string      `json:"agent"`
	Token     string      `json:"token"`
	Name      string      `json:"name"`
	Role      server.Role `json:"role"`
	ExpiresAt *string     `json:"expires_at"`
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
	Agents []string      `json:"agents"`
	Tokens []listedToken `json:"tokens"`
}

type listedToken struct {
	Name       string      `json:"name"`
	Role       server.Role `json:"role"`
	Agent      string      `json:"agent"`
	CreatedAt  *string     `json:"created_at"`
	ExpiresAt  *string     `json:"expires_at"`
	LastUsedAt *string     `json:"last_used_at"`
	Expired    bool        `json:"expired"`
}

func (r tokensReport) show(p *printer) {
	if len(r.Tokens) == 0 {
		p.note("there are no tokens")
		p.next("brenner", "token", "create", "AGENT")
		return
	}
	var rows [][]string
	for _, t := range r.Tokens {
		expires := p.ageOr(t.ExpiresAt, "never")
		if t.Expired {
			expires = "expired"
		}
		rows = append(rows, []string{t.Name, string(t.Role), t.Agent, p.ageOr(t.CreatedAt, ""), expires, p.ageOr(t.LastUsedAt, "never")})
	}
	p.table(columns("Name", "Role", "Agent?", "Age?", "Expires", "Used"), rows)
	p.next("brenner", "token", "create", "AGENT")
}

// momentOrNull is a time in JSON; the zero time is null.
func momentOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := t.UTC().Format(time.RFC3339)
	return &text
}

func (p *printer) ageOr(moment *string, none string) string {
	if moment == nil {
		return none
	}
	return p.age(*moment)
}
