package cli

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/mcpserver"
	"brenner/protocol"
)

func newMCP(a *app) *cobra.Command {
	var tools string
	var strict bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Answer one agent over MCP on stdin and stdout",
		Long: `Serve MCP on stdin and stdout, for programs that start their tools themselves. No server needs
to run; one that does shares the store. --as names the agent at the other end: it is registered if
need be, and stands wherever a call names nobody.`,
		Example: "  brenner mcp --as BlueLake",
		Args:    exactly(),
	}
	toolsFlag(cmd, &tools)
	cmd.Flags().BoolVar(&strict, "strict-identity", false, "let the agent act for nobody but itself, and read its own threads alone")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		profile, err := profileOf(cmd, tools)
		if err != nil {
			return nil, err
		}
		// Unlike elsewhere nobody is the operator by default: agents sit at the other end.
		as := cmp.Or(a.flags.as, a.streams.Getenv("AGENT_NAME"))
		if as != "" && !protocol.ValidAgentName(as) {
			return nil, usageFor(cmd, "%q is no agent's name", as)
		}
		options := mcpserver.Options{Version: version, Profile: profile, As: as, Strict: strict, Logger: a.logger()}
		return a.inNewProject(func(ctx context.Context, p *project.App, _ []string) (report, error) {
			a.relaxCollector()
			return streamed{}, a.serveStdio(ctx, p, options)
		})(ctx, args)
	})
}

func (a *app) serveStdio(ctx context.Context, p *project.App, o mcpserver.Options) error {
	if o.As != "" {
		if err := p.Mail.EnsureAgents(ctx, o.As); err != nil {
			return err
		}
	}
	s := p.MCP(o)
	defer s.Close()
	return s.RunStdio(ctx, a.streams.In, a.streams.Out)
}
