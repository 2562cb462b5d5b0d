package cli

import (
	"context"

	"github.com/spf13/cobra"

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
	cmd.Flags().BoolVar(&strict, "strict-identity", false, "let the agent act for nobody but itself")
	return a.command(cmd, func(ctx context.Context, _ []string) (report, error) {
		profile, err := profileOf(cmd, tools)
		if err != nil {
			return nil, err
		}
		project, err := a.openHouse(ctx)
		if err != nil {
			return nil, err
		}
		defer project.Close()
		as := a.flags.as
		if as == "" {
			as = a.streams.Getenv("AGENT_NAME")
		}
		if as != "" && !protocol.ValidAgentName(as) {
			return nil, usageFor(cmd, "%q is no agent's name", as)
		}
		if as != "" {
			if err := project.Mail.EnsureAgents(ctx, as); err != nil {
				return nil, err
			}
		}
		s := project.MCP(mcpserver.Options{Version: version, Profile: profile, As: as, Strict: strict, Logger: a.logger()})
		defer s.Close()
		return streamed{}, s.RunStdio(ctx, a.streams.In, a.streams.Out)
	})
}
