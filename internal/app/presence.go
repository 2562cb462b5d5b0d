package app

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"brenner/internal/mail"
	"brenner/internal/mcpserver"
	"brenner/internal/process"
)

// serverProcess is this process, as servers note it.
func serverProcess() *mcpserver.Process {
	self := process.Self()
	return &mcpserver.Process{Host: self.Host, PID: self.PID, Started: self.Started}
}

// NoteCommand notes that an agent acts by a command. It only helps to tell who is there: that it
// cannot be noted is no failure.
func (a *App) NoteCommand(ctx context.Context, agent string) {
	now := a.Mail.Now()
	_ = a.Mail.NotePresence(ctx, mail.Presence{
		Agent: agent, Source: mail.SourceCLI, Host: process.Self().Host, LastCall: now, Call: "a command", CallEnded: now,
	})
}

// waitNoted is how often a command that waits says that it still does.
const waitNoted = 30 * time.Second

// WhileWaiting runs a command that waits for an agent's mail, and notes that it does for as long as it takes.
func (a *App) WhileWaiting(ctx context.Context, agent, command string, wait func(context.Context) error) error {
	note := func(ctx context.Context, ended time.Time) {
		now := a.Mail.Now()
		_ = a.Mail.NotePresence(ctx, mail.Presence{
			Agent: agent, Source: mail.SourceCLI, Host: process.Self().Host, LastCall: now, Call: command, CallEnded: ended,
			WaitingUntil: now.Add(2 * waitNoted),
		})
	}
	noting, stop := context.WithCancel(ctx)
	var noter sync.WaitGroup
	noter.Go(func() {
		tick := time.NewTicker(waitNoted)
		defer tick.Stop()
		for {
			note(noting, time.Time{})
			select {
			case <-noting.Done():
				return
			case <-tick.C:
			}
		}
	})
	err := wait(ctx)
	stop()
	noter.Wait()
	note(context.WithoutCancel(ctx), a.Mail.Now())
	return err
}

// connecting is how long AwaitConnection looks, and how often.
const (
	connecting  = 10 * time.Second
	connectPace = 100 * time.Millisecond
	settling    = time.Second // that a program takes to read the list of tools
)

// AwaitConnection waits until the program of an agent has the tools of a brenner mcp on this machine. It does
// not wait for ever: who has none has to go on without.
func (a *App) AwaitConnection(ctx context.Context, agent string) {
	ctx, cancel := context.WithTimeout(ctx, connecting)
	defer cancel()
	for pace := connectPace; ; {
		if pace == connectPace && a.connected(ctx, agent) {
			pace = settling
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pace):
		}
		if pace == settling {
			return
		}
	}
}

func (a *App) connected(ctx context.Context, agent string) bool {
	list, err := a.Mail.Presences(ctx, agent)
	return err == nil && slices.ContainsFunc(list, func(p mail.Presence) bool {
		if p.Source != mail.SourceStdio || p.Host != process.Self().Host || !p.EndedAt.IsZero() || p.LastCall.IsZero() {
			return false
		}
		alive, known := process.Alive(ctx, p.PID, p.ProcessStarted)
		return alive || !known
	})
}

// NotifyFolder keeps what a person was told of, so that several processes tell it once.
func (a *App) NotifyFolder() string { return filepath.Join(a.Project.Root, ".brenner", "told") }

// NoteAsks notes that the program of an agent waits for its person's answer. The question that was told first has the most to say.
func (a *App) NoteAsks(ctx context.Context, agent, thread, text string) error {
	open, err := a.asking(ctx, agent)
	if err != nil || open != nil {
		return err
	}
	return a.Mail.NotePresence(ctx, mail.Presence{
		Agent: agent, Source: mail.SourceHook, Host: process.Self().Host, Thread: thread, LastCall: a.Mail.Now(),
		Call: mail.Telling(mail.CallAsks, text),
	})
}

// NoteAnswered notes that the program of an agent goes on, if it was noted to wait for an answer.
func (a *App) NoteAnswered(ctx context.Context, agent string) error {
	open, err := a.asking(ctx, agent)
	if err != nil || open == nil {
		return err
	}
	open.CallEnded = a.Mail.Now()
	return a.Mail.NotePresence(ctx, *open)
}

// asking is the note that the program of an agent waits for an answer; nil: there is none.
func (a *App) asking(ctx context.Context, agent string) (*mail.Presence, error) {
	list, err := a.Mail.Presences(ctx, agent)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if p := &list[i]; p.Source == mail.SourceHook && p.Host == process.Self().Host && p.CallEnded.IsZero() {
			return p, nil
		}
	}
	return nil, nil //nolint:nilnil // there is none
}
