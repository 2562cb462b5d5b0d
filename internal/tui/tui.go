package tui

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"brenner/internal/mail"
	"brenner/internal/session"
)

// Options say what is shown and where.
type Options struct {
	Sessions *session.Sessions
	Thread   string // begin with this session; empty: with what everyone does
	Hands    Hands  // acts for the person; nil: the view only reads
	In       io.Reader
	Out      io.Writer
	Env      []string         // of the terminal: TERM, NO_COLOR; nil: the process's own
	Now      func() time.Time // nil: the clock
}

// Run shows the project until the person quits or the context ends.
func Run(ctx context.Context, o Options) error {
	if o.Now == nil {
		o.Now = time.Now
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cursor, err := o.Sessions.Mail().Cursor(ctx)
	if err != nil {
		return err
	}
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithInput(o.In), tea.WithOutput(o.Out), tea.WithoutSignalHandler()}
	if o.Env != nil {
		options = append(options, tea.WithEnvironment(o.Env))
	}
	program := tea.NewProgram(newModel(ctx, o), options...)
	var follower sync.WaitGroup
	follower.Go(func() { follow(ctx, o.Sessions.Mail(), cursor, program.Send) })
	_, err = program.Run()
	cancel()
	follower.Wait()
	if errors.Is(err, tea.ErrProgramKilled) || errors.Is(err, tea.ErrInterrupted) {
		return context.Canceled
	}
	return err
}

// news says that something happened in the project.
type news struct{}

// pause is how long a burst of events is gathered into one.
const pause = 150 * time.Millisecond

// follow tells of events, not more often than a person can see.
func follow(ctx context.Context, m *mail.Service, cursor mail.Cursor, tell func(tea.Msg)) {
	last := time.Time{}
	for _, err := range m.Follow(ctx, cursor) {
		if err != nil {
			return // the store is gone or the program ends; what is shown stays
		}
		if since := time.Since(last); since < pause {
			select {
			case <-time.After(pause - since):
			case <-ctx.Done():
				return
			}
		}
		last = time.Now()
		tell(news{})
	}
}
