package session

import (
	"context"
	"sync"
	"time"

	"brenner/internal/mail"
)

// Revision is how far a project has come, for those who keep what they made from it: as long as it is the same, so is
// the project. Two are compared with ==.
type Revision struct {
	Cursor mail.Cursor // the last event of the project
	Thread mail.Cursor // the last event of the thread asked about, or the one before the first call
	Era    int         // another one: the store was replaced, and cursors say nothing
}

// follower keeps up with the project's events.
type follower struct {
	mu      sync.Mutex
	begun   mail.Cursor
	at      mail.Cursor
	era     int
	threads map[string]mail.Cursor // last event of each thread since it began
	checked time.Time
}

// recheck is how often the store itself is asked for its last event: that is a write, which finds out
// that a backup took the place of what was there.
const recheck = 30 * time.Second

// Revision tells how far the project has come, and the thread if one is named. It costs one small query.
func (s *Sessions) Revision(ctx context.Context, thread string) (Revision, error) {
	f := &s.follower
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := s.advance(ctx, f); err != nil {
		return Revision{}, err
	}
	last, ok := f.threads[thread]
	if !ok {
		last = f.begun
	}
	return Revision{Cursor: f.at, Thread: last, Era: f.era}, nil
}

func (s *Sessions) advance(ctx context.Context, f *follower) error {
	if age := s.now().Sub(f.checked); f.checked.IsZero() || age < 0 || age >= recheck {
		end, err := s.mail.Cursor(ctx)
		if err != nil {
			return err
		}
		if f.checked.IsZero() || end < f.at {
			f.begun, f.at, f.threads, f.era = end, end, map[string]mail.Cursor{}, f.era+1
		}
		f.checked = s.now()
	}
	for e, err := range s.mail.Since(ctx, f.at) {
		if err != nil {
			return err
		}
		f.at, f.threads[e.Thread] = e.Seq, e.Seq
	}
	return nil
}

// following tells whether a revision was asked for before: then the next one costs little.
func (s *Sessions) following() bool {
	s.follower.mu.Lock()
	defer s.follower.mu.Unlock()
	return !s.follower.checked.IsZero()
}

// touched lists the threads with events after a cursor, and tells whether there are events outside any thread.
func (s *Sessions) touched(after mail.Cursor) (ids []string, loose bool) {
	s.follower.mu.Lock()
	defer s.follower.mu.Unlock()
	ids = []string{}
	for id, at := range s.follower.threads {
		switch {
		case at <= after:
		case id == "":
			loose = true
		default:
			ids = append(ids, id)
		}
	}
	return ids, loose
}
