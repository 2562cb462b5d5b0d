package cli

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/cockpit"
	"brenner/internal/protocol"
	"brenner/internal/runner"
	"brenner/internal/tmux"
)

func newCockpit(a *app) *cobra.Command {
	return a.group(&cobra.Command{
		Use:   "cockpit",
		Short: "Run the agents of a session in tmux, one pane each",
		Long: `Run the agents of a session as programs in the panes of a tmux session, each with its identity on
MCP, its role and the kickoff; look at them, and end them.`,
		Example: "  brenner cockpit start RS-20260110-cells-turn --dry-run",
	}, newCockpitStart(a), newCockpitAttach(a), newCockpitStop(a), newCockpitList(a), newCockpitExec(a))
}

// openTmux finds the tmux server that people use: the one they are in, or the default one.
func openTmux() (*tmux.Server, error) { return tmux.Open(tmux.Options{}) }

// cockpitOf makes the cockpit of an open project.
func (a *app) cockpitOf(p *project.App, server *tmux.Server) (*cockpit.Cockpit, error) {
	brenner, err := a.self()
	if err != nil {
		return nil, err
	}
	return cockpit.New(cockpit.Settings{
		Sessions: p.Sessions, Catalog: p.Catalog(), Tmux: server, Project: p.Project.Root, Store: absoluteStore(a.dsn()), Brenner: brenner,
		Prompts: p.Prompts(),
		Free:    func(ctx context.Context, threadID string) error { return runner.Idle(ctx, p.Mail, threadID) },
	}), nil
}

// absoluteStore is a DSN that means the same in every folder.
func absoluteStore(dsn string) string {
	if path, ok := strings.CutPrefix(dsn, "sqlite:"); ok && path != "" {
		if abs, err := filepath.Abs(path); err == nil {
			return "sqlite:" + abs
		}
	}
	return dsn
}

// bareCockpit is the cockpit of the project for what needs no store.
func (a *app) bareCockpit(ctx context.Context) (*cockpit.Cockpit, error) {
	found, err := a.find(ctx)
	if err != nil {
		return nil, err
	}
	server, err := openTmux()
	if err != nil {
		return nil, err
	}
	return cockpit.New(cockpit.Settings{Tmux: server, Project: found.Root}), nil
}

func newCockpitAttach(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "attach T",
		Short:             "Show the panes of a session in this terminal",
		Long:              "Show the panes of a session in this terminal; from within tmux the terminal switches over.",
		Example:           "  brenner cockpit attach RS-20260110-cells-turn",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		return streamed{}, a.attach(ctx, cmd, args[0])
	})
}

// attach gives this terminal to tmux until the person leaves.
func (a *app) attach(ctx context.Context, cmd *cobra.Command, threadID string) error {
	c, err := a.bareCockpit(ctx)
	if err != nil {
		return err
	}
	words, err := c.AttachCommand(ctx, threadID, a.streams.Getenv("TMUX"))
	if err != nil {
		return err
	}
	if !a.streams.InIsTerminal || !a.streams.OutIsTerminal {
		return usageFor(cmd, "there is no terminal to show it in")
	}
	if err := a.release(); err != nil {
		return err
	}
	shown := exec.Command(words[0], words[1:]...) // a person ends it, not the context
	shown.Stdin, shown.Stdout, shown.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := shown.Run(); err != nil {
		return protocol.Errorf(protocol.TmuxFailed, "tmux could not show the session: %w", err)
	}
	return nil
}

// newCockpitExec is what a pane runs: it becomes the program of an agent.
func newCockpitExec(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "exec FILE",
		Short:   "Become the program that a file describes",
		Example: "  brenner cockpit exec launch.json",
		Hidden:  true,
		Args:    exactly("FILE"),
	}, func(_ context.Context, args []string) (report, error) { return nil, cockpit.Exec(args[0]) })
}
