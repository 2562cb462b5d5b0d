package cli

import (
	"cmp"
	"context"
	"time"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/liveness"
	"brenner/internal/mcpserver"
	"brenner/internal/protocol"
)

func newMCP(a *app) *cobra.Command {
	var tools, thread string
	var longest time.Duration
	var strict bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Answer one agent over MCP on stdin and stdout",
		Long: `Serve MCP on stdin and stdout, for programs that start their tools themselves. No server needs
to run; one that does shares the store. --as names the agent at the other end: it is registered if
need be, and stands wherever a call names nobody. --thread names the session that it works on, which stands
wherever a call names no thread.`,
		Example: "  brenner mcp --as BlueLake\n  brenner mcp --as BlueLake --thread RS-20260110-cells-turn --tools session",
		Args:    exactly(),
	}
	toolsFlag(cmd, &tools)
	cmd.Flags().StringVar(&thread, "thread", "", "the thread `T` that the agent works on")
	completeFlag(cmd, "thread", a.completeThreadFlag)
	cmd.Flags().DurationVar(&longest, "longest-wait", mcpserver.DefaultLongestWait,
		"how long one call of brenner_wait may take, up to 5m; most programs give up on a call after a minute")
	cmd.Flags().BoolVar(&strict, "strict-identity", false, "let the agent act for itself only, and read its own threads alone")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		profile, err := profileOf(cmd, tools)
		if err != nil {
			return nil, err
		}
		// Unlike elsewhere the default is not the operator: the other end is an agent.
		as := cmp.Or(a.flags.as, a.streams.Getenv("AGENT_NAME"))
		if as != "" && !protocol.ValidAgentName(as) {
			return nil, usageFor(cmd, "%q is no agent's name", as)
		}
		if thread != "" && protocol.HasErrors(protocol.CheckMailThreadID(thread)) {
			return nil, usageFor(cmd, "%q is no id of a thread", thread)
		}
		if longest < time.Second || longest > liveness.LongestWait {
			return nil, usageFor(cmd, "--longest-wait takes a time from 1s to 5m")
		}
		options := mcpserver.Options{Version: version, Profile: profile, As: as, Thread: thread, LongestWait: longest, Strict: strict,
			Logger: a.logger()}
		return a.inNewProject(func(ctx context.Context, p *project.App, _ []string) (report, error) {
			a.relaxCollector(ctx)
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
