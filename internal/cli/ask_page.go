package cli

import (
	"context"
	"errors"
	"net"
	"net/url"

	project "brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/mcpserver"
)

// overPage serves the page of a turn, with the prompt to copy and a field for the answer, until the answer is there.
func (e errand) overPage(ctx context.Context) (report, error) {
	answered, stop := context.WithCancel(ctx)
	defer stop()
	cursor, err := e.project.Mail.Cursor(ctx)
	if err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() {
		defer stop()
		ended <- e.awaitAnswer(answered, cursor)
	}()
	page := "/t/" + url.PathEscape(e.asked.ThreadID) + "/do/turn?of=" + url.QueryEscape(e.asked.Agent)
	err = e.project.Serve(answered, project.ServeOptions{
		Addr: "127.0.0.1:0", Lab: true, Tools: mcpserver.All, Version: currentVersion().build(), Logger: e.logger(), Environ: e.environ(),
		Listening: func(addr net.Addr) {
			address := "http://" + addr.String() + page
			p := newPrinter(e.app)
			p.note("open %s\nIt ends when the answer is posted, or with Ctrl-C.", address)
			p.err.Flush()
			e.browse(answered, address)
		},
	})
	stop()
	if waited := <-ended; err == nil && !errors.Is(waited, context.Canceled) {
		err = waited
	}
	if err != nil || ctx.Err() != nil {
		return nil, errors.Join(err, ctx.Err())
	}
	return streamed{}, nil
}

// awaitAnswer returns once the agent has written in the session, and says so.
func (e errand) awaitAnswer(ctx context.Context, cursor mail.Cursor) error {
	for event, err := range e.project.Mail.Follow(ctx, cursor) {
		if err != nil {
			return err
		}
		if event.Thread != e.asked.ThreadID || event.Message == 0 {
			continue
		}
		m, err := e.project.Mail.Message(ctx, event.Message)
		if err != nil {
			return err
		}
		if m.From == e.asked.Agent {
			p := newPrinter(e.app)
			p.print("message %d on %s: %s\n", m.ID, visible(m.ThreadID), visible(m.Subject))
			return p.flush()
		}
	}
	return ctx.Err()
}
