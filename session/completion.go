package session

import (
	"context"
	"sync"

	"brenner/canon"
	"brenner/mail"
)

// Completion implements mail.Door.
func (d *Door) Completion(ctx context.Context, thread mail.Thread) (int64, error) {
	if d.sessions == nil {
		return 0, nil
	}
	return d.sessions.completion(ctx, thread)
}

// completions remembers which message completed a session as of its last message, so that whoever asks about
// many sessions again and again folds none. Safe for concurrent use.
type completions struct {
	mu    sync.Mutex
	known map[string]completion
}

type completion struct {
	head  int64
	chain canon.Hash
	by    int64
}

// mostCompletions bounds what is remembered; beyond it everything is asked anew.
const mostCompletions = 10_000

// completion returns the message that completed the session of a thread, 0 while it is open.
func (s *Sessions) completion(ctx context.Context, thread mail.Thread) (int64, error) {
	if !thread.Enforced() {
		return 0, nil
	}
	c := &s.completions
	c.mu.Lock()
	known, ok := c.known[thread.ID]
	c.mu.Unlock()
	if ok && known.head == thread.HeadID && known.chain == thread.ChainHash {
		return known.by, nil
	}
	v, err := s.look(ctx, thread)
	if err != nil {
		return 0, err
	}
	var by int64
	if v.Phase() == PhaseComplete {
		by = v.Completion
	}
	if v.Head == thread.HeadID {
		c.put(thread.ID, completion{thread.HeadID, thread.ChainHash, by})
	}
	return by, nil
}

func (c *completions) put(threadID string, now completion) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known) >= mostCompletions {
		c.known = map[string]completion{}
	}
	c.known[threadID] = now
}
