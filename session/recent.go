package session

import (
	"context"
	"slices"
	"sync"

	"brenner/canon"
	"brenner/mail"
)

// recentViews remembers the views of a few threads that somebody looks at. They are shared: they are
// read, never folded further. Safe for concurrent use.
type recentViews struct {
	mu   sync.Mutex
	kept map[string]recentView
}

type recentView struct {
	view  *View
	chain canon.Hash // of the thread's last message then
	ahead int        // messages that the saved view lacks
}

// mostViews is how many are remembered; farAhead how many messages of a thread are folded beside what
// is saved before all of it is loaded and saved again; worthSaving how many a reader saves.
const (
	mostViews   = 16
	farAhead    = 64
	worthSaving = 8
)

// look returns the view of a thread as of its summary, to be read. What nobody wrote to since is not
// read again, and where the artifact has not changed only the new messages are.
func (s *Sessions) look(ctx context.Context, thread mail.Thread) (*View, error) {
	if v := s.glimpse(ctx, thread); v != nil {
		return v, nil
	}
	v := s.kept(ctx, currentView, thread.ID)
	grown, err := s.catchUp(ctx, s.store(), v)
	if err != nil {
		return nil, err
	}
	if v.Messages == 0 {
		return nil, noThread(thread.ID)
	}
	if grown >= worthSaving { // a page is answered sooner without; the next one folds a few messages again
		s.keep(ctx, currentView, v)
	}
	v.Fold.Window()              // brings the fold into the form in which reading it writes nothing
	if v.Head == thread.HeadID { // else it has moved on: the next one to look keeps it
		s.recent.put(thread.ID, recentView{v, thread.ChainHash, grown % worthSaving})
	}
	return v, nil
}

// glimpse returns the view of a thread as of its summary if that takes no folding of the artifact; nil:
// it would.
func (s *Sessions) glimpse(ctx context.Context, thread mail.Thread) *View {
	r := &s.recent
	r.mu.Lock()
	known, ok := r.kept[thread.ID]
	r.mu.Unlock()
	if ok && known.view.Head == thread.HeadID && known.chain == thread.ChainHash {
		return known.view
	}
	if !ok {
		return nil
	}
	next, grown := s.grow(ctx, known, thread)
	if !grown {
		return nil
	}
	r.put(thread.ID, next)
	return next.view
}

func (r *recentViews) put(threadID string, v recentView) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept == nil {
		r.kept = map[string]recentView{}
	}
	if _, there := r.kept[threadID]; !there && len(r.kept) >= mostViews {
		for any := range r.kept {
			delete(r.kept, any)
			break
		}
	}
	r.kept[threadID] = v
}

// grow folds the messages that came since beside what is known, if they follow on the same chain: another store may have taken the place of the one that was read.
func (s *Sessions) grow(ctx context.Context, known recentView, thread mail.Thread) (recentView, bool) {
	if thread.HeadID <= known.view.Head || known.ahead >= farAhead {
		return known, false
	}
	messages, err := s.store().Messages(ctx, mail.MessageQuery{
		Project: s.project(), Thread: thread.ID, After: known.view.Head - 1, Limit: farAhead + 2,
	})
	if err != nil || len(messages) < 2 || messages[0].ChainHash != known.chain || messages[len(messages)-1].ID < thread.HeadID {
		return known, false
	}
	next := known
	for _, m := range messages[1:] {
		next = recentView{next.view.Beside(m), m.ChainHash, next.ahead + 1}
	}
	return next, true
}

// glance judges the agents of a session: by what the overview found a moment ago where it knows them
// all, else anew.
func (s *Sessions) glance(ctx context.Context, v *View) ([]AgentState, error) {
	s.deck.mu.Lock()
	drawn := s.deck.cards != nil
	s.deck.mu.Unlock()
	if !drawn {
		return s.viewStates(ctx, v)
	}
	cards, err := s.cards(ctx)
	if err != nil {
		return nil, err
	}
	verdicts, err := s.attendance(ctx, cards)
	if err != nil {
		return nil, err
	}
	parts := s.parts(v)
	if slices.ContainsFunc(parts, func(a AgentState) bool { _, known := verdicts[mail.NameKey(a.Name)]; return !known }) {
		return s.viewStates(ctx, v)
	}
	return judged(parts, verdicts), nil
}
