package cli

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/config"
	"brenner/internal/mail"
	"brenner/internal/session"
)

// projectFunc does the work of a command that needs the project's store.
type projectFunc func(ctx context.Context, p *project.App, args []string) (report, error)

// working is inProject for work that may take long: a person at a terminal is told that it goes on.
func (a *app) working(doing string, run projectFunc) runFunc {
	return a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		defer a.busy(doing)()
		return run(ctx, p, args)
	})
}

// inProject opens the project for a command and closes it afterwards. It makes no store: a command that
// may be the first of a project uses inNewProject.
func (a *app) inProject(run projectFunc) runFunc { return a.inOpened(a.look, run) }

// inSession is inProject for a command that reads the session of the thread that its first argument names.
func (a *app) inSession(run func(ctx context.Context, s *session.Session, args []string) (report, error)) runFunc {
	return a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		s, err := p.Sessions.Session(ctx, args[0])
		if err != nil {
			return nil, err
		}
		return run(ctx, s, args)
	})
}

// inNewProject is inProject for commands that begin something: the store is made on first use.
func (a *app) inNewProject(run projectFunc) runFunc { return a.inOpened(project.Open, run) }

// inOpened is inProject with a way of opening it.
func (a *app) inOpened(open func(context.Context, project.Options) (*project.App, error), run projectFunc) runFunc {
	return func(ctx context.Context, args []string) (r report, err error) {
		options, err := a.options(ctx)
		if err != nil {
			return nil, err
		}
		p, err := open(ctx, options)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, p.Close()) }()
		a.settings = p.Findings
		return run(ctx, p, args)
	}
}

// look opens what is there, or takes over what was opened to find out which thread is meant.
func (a *app) look(ctx context.Context, o project.Options) (*project.App, error) {
	if p := a.opened; p != nil {
		a.opened = nil
		return p, nil
	}
	return project.Look(ctx, o)
}

// release closes what was opened and not used.
func (a *app) release() error {
	p := a.opened
	if p == nil {
		return nil
	}
	a.opened = nil
	return p.Close()
}

// options say which project and which store the command line means.
func (a *app) options(ctx context.Context) (project.Options, error) {
	found, err := a.find(ctx)
	return project.Options{Project: found, Store: a.dsn()}, err
}

func (a *app) find(ctx context.Context) (project.Project, error) {
	return project.FindProject(ctx, a.flags.project, a.flags.config)
}

// readConfig reads the project's settings without opening its store.
func (a *app) readConfig(ctx context.Context) (config.Config, error) {
	found, err := a.find(ctx)
	if err != nil {
		return config.Config{}, err
	}
	c, findings, err := found.Config()
	a.settings = findings
	return c, err
}

// dsn is the store that the command line or the environment names; empty: the project's own.
func (a *app) dsn() string {
	if a.flags.store != "" {
		return a.flags.store
	}
	return a.streams.Getenv("BRENNER_STORE")
}

// identity is who acts: --as, else $AGENT_NAME, else the operator.
func (a *app) identity() string {
	if a.flags.as != "" {
		return a.flags.as
	}
	if name := a.streams.Getenv("AGENT_NAME"); name != "" {
		return name
	}
	return mail.Operator
}

// sender is identity for commands that send; the operator is made on first use.
func (a *app) sender(ctx context.Context, p *project.App) (string, error) {
	name := a.identity()
	if mail.NameKey(name) != mail.NameKey(mail.Operator) {
		p.NoteCommand(ctx, name)
		return name, nil
	}
	return name, p.Mail.EnsureAgents(ctx, name)
}

// fromFlag gives a command that sends mail the other spelling of --as.
func (a *app) fromFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.flags.as, "from", "", "send as `AGENT` (the same as --as)")
	completeFlag(cmd, "from", a.completeAgents)
}

// sameStore tells whether two DSNs name the same store; paths may be spelled differently.
func sameStore(a, b string) bool {
	pathA, okA := strings.CutPrefix(a, "sqlite:")
	pathB, okB := strings.CutPrefix(b, "sqlite:")
	if !okA || !okB {
		return a == b
	}
	infoA, errA := os.Stat(pathA)
	infoB, errB := os.Stat(pathB)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// now is the time of the clock.
func (a *app) now() time.Time { return time.Now() }
