package mcpserver

import (
	"context"
	"sync"
	"time"

	"brenner/internal/mail"
)

// followers are the followers of projects: one each, however many clients wait.
type followers struct {
	server *Server
	mu     sync.Mutex
	byID   map[mail.ProjectID]*follower
}

func (f *followers) of(p *project) *follower {
	f.mu.Lock()
	defer f.mu.Unlock()
	id := p.mail.Project().ID
	if f.byID[id] == nil {
		f.byID[id] = &follower{server: f.server, project: p, waiting: map[string]map[chan error]bool{}}
	}
	return f.byID[id]
}

// follower follows one project from the first time that a client waits or subscribes until the
// server stops, and wakes those whom an event concerns.
type follower struct {
	server  *Server
	project *project
	mu      sync.Mutex
	running bool
	waiting map[string]map[chan error]bool // by the name of the agent
}

// start follows the project from now on, unless it is followed already.
func (f *follower) start(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.running {
		return nil
	}
	cursor, err := f.project.mail.Cursor(ctx)
	if err != nil {
		return err
	}
	f.running = f.server.background(func(ctx context.Context) { f.follow(ctx, cursor) })
	return nil
}

// join wakes the caller for mail to an agent: nil when something may have arrived, an error when
// the follower ended. leave must be called.
func (f *follower) join(ctx context.Context, agent string) (woken <-chan error, leave func(), err error) {
	if err := f.start(ctx); err != nil {
		return nil, nil, err
	}
	key, ch := mail.NameKey(agent), make(chan error, 1)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.waiting[key] == nil {
		f.waiting[key] = map[chan error]bool{}
	}
	f.waiting[key][ch] = true
	return ch, func() { f.leave(key, ch) }, nil
}

func (f *follower) leave(key string, ch chan error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.waiting[key], ch)
	if len(f.waiting[key]) == 0 {
		delete(f.waiting, key)
	}
}

// follow hears of events until the server stops. A store that goes away comes back: those who wait stay, and hear
// of what happened meanwhile.
func (f *follower) follow(ctx context.Context, cursor mail.Cursor) {
	for pause := feedPause; ; pause = min(2*pause, feedLongest) {
		for event, err := range f.project.mail.Follow(ctx, cursor) {
			if err == nil {
				err = f.handle(ctx, event)
			}
			if err != nil {
				break
			}
			cursor, pause = event.Seq, feedPause
		}
		select {
		case <-ctx.Done():
			f.end(ctx.Err())
			return
		case <-time.After(pause):
		}
		if end, err := f.project.mail.Cursor(ctx); err == nil && end < cursor {
			cursor = end // it is another store since
		}
	}
}

// How soon a follower asks a store again that failed.
const (
	feedPause   = 50 * time.Millisecond
	feedLongest = time.Second
)

// handle wakes those who received the message of an event, and tells subscribers.
func (f *follower) handle(ctx context.Context, event mail.Event) error {
	if event.Kind == mail.EventDelivery {
		return nil
	}
	var recipients []string
	if event.Kind == mail.EventMessage && (f.hasWaiters() || f.server.subscriptions.wantInbox(f.project)) {
		var err error
		if recipients, err = recipientsOf(ctx, f.project, event.Message); err != nil {
			return err
		}
	}
	f.wake(recipients)
	f.server.subscriptions.announce(ctx, f.project, event, recipients)
	return nil
}

func (f *follower) hasWaiters() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.waiting) > 0
}

func (f *follower) wake(agents []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, agent := range agents {
		for ch := range f.waiting[mail.NameKey(agent)] {
			tell(ch, error(nil))
		}
	}
}

// end tells all who wait why nothing more will come.
func (f *follower) end(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.running = false
	for _, chs := range f.waiting {
		for ch := range chs {
			tell(ch, err)
		}
	}
}

// tell leaves word; one that was told already looks anyway.
func tell[T any](ch chan T, word T) {
	select {
	case ch <- word:
	default:
	}
}
