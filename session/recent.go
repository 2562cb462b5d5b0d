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
}

// mostViews is how many are remembered.
const mostViews = 16

// look returns the view of a thread as of its summary. What nobody wrote to since is not read again.
func (s *Sessions) look(ctx context.Context, thread mail.Thread) (*View, error) {
	r := &s.recent
	r.mu.Lock()
	known, ok := r.kept[thread.ID]
	r.mu.Unlock()
	if ok && known.view.Head == thread.HeadID && known.chain == thread.ChainHash {
		return known.view, nil
	}
	v, err := s.View(ctx, thread.ID)
	if err != nil {
		return nil, err
	}
	v.Fold.Window() // brings the fold into the form in which reading it writes nothing
	if v.Head != thread.HeadID {
		return v, nil // it has moved on: the next one to look keeps it
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept == nil || len(r.kept) >= mostViews {
		r.kept = map[string]recentView{}
	}
	r.kept[thread.ID] = recentView{v, thread.ChainHash}
	return v, nil
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

// ledger remembers who owes acknowledgements until something happens. Safe for concurrent use.
type ledger struct {
	mu   sync.Mutex
	at   News
	list []mail.PendingAck // nil: not known
}

// Unacknowledged returns everything that is owed in the project, oldest message first, for somebody who
// looks again and again. The messages come without their texts.
func (s *Sessions) Unacknowledged(ctx context.Context) ([]mail.PendingAck, error) {
	news, err := s.News(ctx, "")
	if err != nil {
		return nil, err
	}
	news.Thread = 0 // of no thread in particular
	l := &s.ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.list == nil || l.at != news {
		pending, err := s.mail.Pending(ctx, mail.PendingQuery{})
		if err != nil {
			return nil, err
		}
		l.at, l.list = news, make([]mail.PendingAck, 0, len(pending))
		for _, p := range pending {
			p.Message.Body = ""
			l.list = append(l.list, p)
		}
	}
	list, now := slices.Clone(l.list), s.now()
	for i := range list { // deadlines pass without any event
		list[i].Overdue = !list[i].Deadline.IsZero() && now.After(list[i].Deadline)
	}
	return list, nil
}
