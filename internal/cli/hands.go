package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/cockpit"
	"brenner/internal/mail"
	"brenner/internal/operator"
	"brenner/internal/session"
)

// completeThreadThenAgent offers threads, then agents.
func (a *app) completeThreadThenAgent(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	switch len(args) {
	case 0:
		return a.completeThreads(cmd, args, typed)
	case 1:
		return a.completeAgents(cmd, args, typed)
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

// equip lets a project start programs in panes.
func (a *app) equip(p *project.App) {
	p.Programs.Equip(func() (*cockpit.Cockpit, error) {
		server, err := openTmux()
		if err != nil {
			return nil, err
		}
		return a.cockpitOf(p, server)
	})
}

func newRestart(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:   "restart T AGENT",
		Short: "End the program of an agent and start it again",
		Long: `End the program of an agent, with everything it started, and start it again: in its pane if it has one, else in the latest
round of its run. Where no runner is at work, the next brenner run starts it.`,
		Example: "  brenner restart RS-20260110-cells-turn BlueLake",
		Args:    exactly("T", "AGENT"), ValidArgsFunction: a.completeThreadThenAgent,
	}, a.working("ending the program", a.acting(func(ctx context.Context, p *project.App, args []string) (report, error) {
		a.equip(p)
		done, err := p.Programs.Restart(ctx, args[0], args[1])
		if err != nil {
			return nil, err
		}
		return restartReport{done}, nil
	})))
}

type restartReport struct{ operator.Restarted }

func (r restartReport) show(p *printer) {
	switch {
	case r.Where == session.InCockpit:
		p.print("%s starts again in its pane; %s ended\n", visible(r.Agent), processes(r.Ended))
	case r.Started:
		p.print("%s starts again in round %d\n", visible(r.Agent), r.Round)
	default:
		p.print("%s starts again in round %d with the next run: %s\n", visible(r.Agent), r.Round, visible(r.Why))
		p.next("brenner", "run", r.ThreadID)
		return
	}
	p.next("brenner", "logs", r.ThreadID, r.Agent, "-f")
}

func newPause(a *app) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:   "pause T [AGENT]",
		Short: "Pause the run of a session, or the program of one agent",
		Long: `Pause the run of a session: who is at work may finish, and nobody else is started until brenner resume says so. The word is a
message on the thread and reaches the runner wherever it is. With AGENT its program is stopped where it stands, with
everything it started; its deadline is not moved.`,
		Example: "  brenner pause RS-20260110-cells-turn --reason 'the instrument is down'\n  brenner pause RS-20260110-cells-turn " +
			"BlueLake",
		Args: between([]string{"T"}, "AGENT"), ValidArgsFunction: a.completeThreadThenAgent,
	}
	cmd.Flags().StringVar(&reason, "reason", "", "say why, on the thread")
	a.fromFlag(cmd)
	return a.command(cmd, a.inProject(a.acting(func(ctx context.Context, p *project.App, args []string) (report, error) {
		return a.hold(ctx, p, args, session.WordPause, reason, p.Programs.Pause)
	})))
}

func newResume(a *app) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:   "resume T [AGENT]",
		Short: "Let a run go on that is paused or asks at a gate, or the program of one agent",
		Long: `Let the run of a session go on: after brenner pause, or at a gate, where it answers yes (brenner run T --stop answers
no). The word is a message on the thread; a run that is not at work hears it when it is started. With AGENT its program goes on.`,
		Example: "  brenner resume RS-20260110-cells-turn\n  brenner resume RS-20260110-cells-turn BlueLake",
		Args:    between([]string{"T"}, "AGENT"), ValidArgsFunction: a.completeThreadThenAgent,
	}
	cmd.Flags().StringVar(&reason, "reason", "", "say why, on the thread")
	a.fromFlag(cmd)
	return a.command(cmd, a.inProject(a.acting(func(ctx context.Context, p *project.App, args []string) (report, error) {
		return a.hold(ctx, p, args, session.WordGo, reason, p.Programs.Resume)
	})))
}

// hold pauses a run or a program, or lets it go on.
func (a *app) hold(ctx context.Context, p *project.App, args []string, word session.Word, reason string,
	program func(context.Context, string, string) (int, error)) (report, error) {
	r := holdReport{ThreadID: args[0], word: word}
	if len(args) == 2 {
		a.equip(p)
		n, err := program(ctx, args[0], args[1])
		if err != nil {
			return nil, err
		}
		r.Agent, r.Processes = &args[1], n
		return r, nil
	}
	as, err := a.sender(ctx, p)
	if err != nil {
		return nil, err
	}
	m, err := p.Sessions.TellRun(ctx, args[0], as, word, reason)
	r.MessageID = &m.ID
	if err != nil {
		return nil, err
	}
	run, _, err := p.Programs.Run(ctx, args[0])
	r.Running = run.Live
	return r, err
}

type holdReport struct {
	ThreadID  string  `json:"thread_id"`
	Agent     *string `json:"agent"`      // null: the whole run
	MessageID *int64  `json:"message_id"` // null: no message was needed
	Processes int     `json:"processes"`
	Running   bool    `json:"running"` // a runner is at work and hears it now

	word session.Word
}

func (r holdReport) show(p *printer) {
	if r.Agent != nil {
		verb := "paused"
		if r.word == session.WordGo {
			verb = "let go on"
		}
		p.print("%s: %s %s\n", visible(*r.Agent), processes(r.Processes), verb)
		p.next("brenner", "ps", r.ThreadID)
		return
	}
	what := "the run starts no other agent until it is resumed"
	if r.word == session.WordGo {
		what = "the run goes on"
	}
	if r.Running {
		p.print("message %d: %s\n", *r.MessageID, what)
		p.next("brenner", "ps", r.ThreadID)
		return
	}
	p.print("message %d: %s when it is started\n", *r.MessageID, what)
	p.next("brenner", "run", r.ThreadID)
}

func newNudge(a *app) *cobra.Command {
	var key, note string
	cmd := &cobra.Command{
		Use:   "nudge T AGENT",
		Short: "Ask an agent how it goes, by mail; press a key in its pane only if told to",
		Long: `Send an agent a message of high importance that says what it owes in a session; one that waits for mail wakes.
Nothing is typed anywhere, unless --key names a key (Enter, Escape, y, Up, C-c) to press in its pane, or to answer with what its program
asks in a round; then no mail is sent without --note.`,
		Example: "  brenner nudge RS-20260110-cells-turn BlueLake --note 'H2 first, please'\n  brenner nudge RS-20260110-cells-turn " +
			"BlueLake --key Enter",
		Args: exactly("T", "AGENT"), ValidArgsFunction: a.completeThreadThenAgent,
	}
	cmd.Flags().StringVar(&note, "note", "", "`TEXT` to add")
	cmd.Flags().StringVar(&key, "key", "", "press this `KEY` in the agent's pane")
	a.fromFlag(cmd)
	return a.command(cmd, a.inProject(a.acting(func(ctx context.Context, p *project.App, args []string) (report, error) {
		r := nudgeReport{ThreadID: args[0], Agent: args[1]}
		if key != "" {
			a.equip(p)
			var err error
			if r.where, err = p.Programs.Press(ctx, args[0], args[1], key); err != nil {
				return nil, err
			}
			r.Key = &key
		}
		if key != "" && note == "" {
			return r, nil
		}
		as, err := a.sender(ctx, p)
		if err != nil {
			return nil, err
		}
		var m mail.Message
		if m, err = operator.Nudge(ctx, p.Sessions, args[0], args[1], as, note); err != nil {
			return nil, err
		}
		r.MessageID = &m.ID
		return r, nil
	})))
}

type nudgeReport struct {
	ThreadID  string  `json:"thread_id"`
	Agent     string  `json:"agent"`
	MessageID *int64  `json:"message_id"` // null: only a key was pressed
	Key       *string `json:"key"`        // null: none was

	where session.Place
}

func (r nudgeReport) show(p *printer) {
	if r.Key != nil && r.where == session.InRun {
		p.print("answered %s with %s\n", visible(r.Agent), visible(*r.Key))
	} else if r.Key != nil {
		p.print("pressed %s in the pane of %s\n", visible(*r.Key), visible(r.Agent))
	}
	if r.MessageID != nil {
		p.print("%s\n", fmt.Sprintf("message %d asks %s how it goes", *r.MessageID, visible(r.Agent)))
	}
	p.next("brenner", "why", r.Agent)
}
