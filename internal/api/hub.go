package api

import (
	"context"
	"errors"
	"net/http"
	"sort"
	"sync"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// The bounds of live events.
const (
	defaultListeners = 256  // each is an open connection
	keptEvents       = 4096 // what the follower remembers; a listener that is further behind reads the store
	eventPage        = 256
)

// hub lets any number listen to events while one follows the store: each listener keeps its own place
// and takes what it has not seen from what the follower remembers. A slow one delays no other and
// loses nothing.
type hub struct {
	mail *mail.Service
	last func(context.Context) (mail.Cursor, error) // the place behind the last event
	most int

	mu        sync.Mutex
	follower  *follower // nil without listeners
	listeners int
	closed    bool
}

func newHub(s *session.Sessions, most int) *hub {
	last := func(ctx context.Context) (mail.Cursor, error) {
		revision, err := s.Revision(ctx, "")
		return revision.Cursor, err
	}
	return &hub{mail: s.Mail(), last: last, most: most}
}

// follower reads the events of the store for all listeners, until the last one leaves.
type follower struct {
	mail   *mail.Service
	cancel context.CancelFunc
	gone   chan struct{} // closed when the follower has ended

	mu      sync.Mutex
	first   mail.Cursor // every later event is in recent
	recent  []mail.Event
	changed chan struct{}
}

// join begins to listen. leave must be called.
func (h *hub) join(ctx context.Context) (*follower, func(), error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closed:
		return nil, nil, protocol.Errorf(protocol.Interrupted, "the server is stopping")
	case h.listeners >= h.most:
		return nil, nil, statusError{
			protocol.Errorf(protocol.NotAllowed, "%d listen to events already: too many", h.listeners), http.StatusServiceUnavailable,
		}
	}
	if h.follower == nil || h.follower.over() {
		if err := h.start(ctx); err != nil {
			return nil, nil, err
		}
	}
	h.listeners++
	return h.follower, h.leave, nil
}

func (h *hub) start(ctx context.Context) error {
	cursor, err := h.last(ctx)
	if err != nil {
		return err
	}
	// The follower outlives the request that started it: leave and close end it.
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &follower{mail: h.mail, cancel: cancel, gone: make(chan struct{}), first: cursor, changed: make(chan struct{})}
	h.follower = f
	go func() {
		defer close(f.gone)
		defer cancel()
		f.follow(work, cursor)
	}()
	return nil
}

// leave ends the follower with its last listener.
func (h *hub) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.listeners--; h.listeners == 0 {
		h.end()
	}
}

func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	h.end()
}

func (h *hub) end() {
	if h.follower == nil {
		return
	}
	h.follower.cancel()
	<-h.follower.gone
	h.follower = nil
}

func (f *follower) over() bool {
	select {
	case <-f.gone:
		return true
	default:
		return false
	}
}

// follow remembers what happens. When the store fails it ends, and with it the streams of those
// who listen: their clients come back and go on where they were.
func (f *follower) follow(ctx context.Context, after mail.Cursor) {
	for e, err := range f.mail.Follow(ctx, after) {
		if err != nil {
			return
		}
		f.add(e)
	}
}

func (f *follower) add(e mail.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.recent) == keptEvents {
		half := keptEvents / 2
		f.first = f.recent[half-1].Seq
		f.recent = append([]mail.Event(nil), f.recent[half:]...)
	}
	f.recent = append(f.recent, e)
	close(f.changed)
	f.changed = make(chan struct{})
}

var errOver = errors.New("the events are no longer followed")

// next returns events after a place, and waits for the first of them.
func (f *follower) next(ctx context.Context, after mail.Cursor) ([]mail.Event, error) {
	for {
		page, changed, behind := f.since(after)
		if behind {
			missed, err := f.mail.Store().Events(ctx, mail.EventQuery{Project: f.mail.Project().ID, After: after, Limit: eventPage})
			if err != nil || len(missed) > 0 {
				return missed, err
			}
			after = f.start()
			continue
		}
		if len(page) > 0 {
			return page, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-f.gone:
			return nil, errOver
		}
	}
}

func (f *follower) start() mail.Cursor {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.first
}

// last is the place behind everything that is known.
func (f *follower) last() mail.Cursor {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n := len(f.recent); n > 0 {
		return f.recent[n-1].Seq
	}
	return f.first
}

// since returns what is remembered after a place; behind: it remembers less than that.
func (f *follower) since(after mail.Cursor) (page []mail.Event, changed <-chan struct{}, behind bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if after < f.first {
		return nil, nil, true
	}
	i := sort.Search(len(f.recent), func(i int) bool { return f.recent[i].Seq > after })
	return append(page, f.recent[i:min(len(f.recent), i+eventPage)]...), f.changed, false
}
