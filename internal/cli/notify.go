package cli

import (
	"context"
	"fmt"
	"sync"
	"time"

	project "brenner/internal/app"
	"brenner/internal/notify"
	"brenner/internal/operator"
	"brenner/internal/runner"
)

// notifier tells a person who looks elsewhere, as the settings say. The bell rings only where there is a terminal.
func (a *app) notifier(p *project.App) (*notify.Notifier, error) {
	c := p.Config.Notify
	o := notify.Options{Command: c.Command, Webhook: c.Webhook, Folder: p.NotifyFolder(), Project: p.Project.Root}
	for _, name := range c.On {
		o.On = append(o.On, notify.Event(name))
	}
	if c.Bell && a.streams.ErrIsTerminal {
		o.Bell = a.streams.Err
	}
	return notify.New(o)
}

// watched runs something while what begins to wait for the operator is told of. It waits for the last telling.
func (a *app) watched(ctx context.Context, p *project.App, threadID string, do func(*notify.Notifier) error) error {
	n, err := a.notifier(p)
	if err != nil {
		return err
	}
	if n.Silent() {
		return do(n)
	}
	watching, stop := context.WithCancel(ctx)
	var watcher sync.WaitGroup
	watcher.Go(func() { operator.Watch(watching, p.Sessions, threadID, n, a.untold) })
	err = do(n)
	stop()
	watcher.Wait()
	return err
}

// untold says that a notice could not be delivered; that is no reason to fail.
func (a *app) untold(err error) {
	if !a.flags.quiet && !a.flags.json {
		fmt.Fprintf(a.streams.Err, "not told: %s\n", visible(err.Error()))
	}
}

// telling adds to a listener of a run that a person is told of its gates and its end.
func (a *app) telling(ctx context.Context, n *notify.Notifier, threadID string, tell func(runner.Event)) func(runner.Event) {
	if n.Silent() {
		return tell
	}
	return func(e runner.Event) {
		if tell != nil {
			tell(e)
		}
		if notice, ok := runNotice(e, threadID); ok {
			if err := n.Tell(context.WithoutCancel(ctx), notice); err != nil {
				a.untold(err)
			}
		}
	}
}

// runNotice is what is told of a step of a run.
func runNotice(e runner.Event, threadID string) (notify.Notice, bool) {
	notice := notify.Notice{ThreadID: threadID, At: time.Now().UTC(),
		Key: fmt.Sprintf("run/%s/%s/%d/%s", threadID, e.Kind, e.Round, e.Text)}
	switch {
	case e.Kind == runner.Asking:
		notice.Event, notice.Text, notice.Command = notify.Gate, fmt.Sprintf("Say whether round %d is to be played", e.Round),
			"brenner resume "+threadID
	case e.Kind == runner.Ended && e.Text == string(runner.Converged):
		notice.Event, notice.Text, notice.Command = notify.Converged, fmt.Sprintf("the run converged in round %d", e.Round),
			"brenner session complete "+threadID
	case e.Kind == runner.Ended && e.Text == string(runner.Spent):
		notice.Event, notice.Text = notify.Budget, fmt.Sprintf("the budget of the run was spent in round %d", e.Round)
	case e.Kind == runner.Ended && (e.Text == string(runner.Stalled) || e.Text == string(runner.TimedOut)):
		notice.Event, notice.Text, notice.Command = notify.Stalled, fmt.Sprintf("the run ended in round %d: %s", e.Round, e.Text),
			"brenner todo "+threadID
	default:
		return notice, false
	}
	return notice, true
}
