package session

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"brenner/mail"
)

// aFew is how many threads are asked one by one; of more everything is asked at once.
const aFew = 8

// ledger remembers who owes acknowledgements until something happens (BenchmarkPages/sessions/note). Safe for
// concurrent use.
type ledger struct {
	mu      sync.Mutex
	at      News
	threads map[string][]mail.PendingAck // nil: not known
	list    []mail.PendingAck            // of all threads, oldest message first
	heads   map[string]int64             // threads that are known up to a message
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
	if l.threads == nil || l.at != news {
		if err := s.settle(ctx, l, news); err != nil {
			return nil, err
		}
	}
	list, now := slices.Clone(l.list), s.now()
	for i := range list { // deadlines pass without any event
		list[i].Overdue = list[i].OverdueAt(now)
	}
	return list, nil
}

// owed lists what is owed on a thread, by an agent, or by everybody: from the ledger where somebody follows
// what happens.
func (s *Sessions) owed(ctx context.Context, q mail.PendingQuery) ([]mail.PendingAck, error) {
	if !s.following() {
		return s.mail.Pending(ctx, q)
	}
	list, err := s.Unacknowledged(ctx)
	return slices.DeleteFunc(list, func(p mail.PendingAck) bool {
		return q.Thread != "" && p.Message.ThreadID != q.Thread || q.Agent != "" && mail.NameKey(p.Agent) != mail.NameKey(q.Agent)
	}), err
}

// settle brings the ledger up to date. Where little happened only the threads are asked that it happened
// to; mail outside threads stands together, and is asked about with everything else, also when it is answered.
func (s *Sessions) settle(ctx context.Context, l *ledger, news News) error {
	queries, next := []mail.PendingQuery{{}}, map[string][]mail.PendingAck{}
	if ids, loose := s.touched(l.at.Cursor); l.threads != nil && l.at.Era == news.Era && !loose && len(ids) <= aFew && !l.answersLoose(ids) {
		var err error
		if queries, err = s.pendingOf(ctx, l, ids); err != nil {
			l.threads = nil
			return err
		}
		next = maps.Clone(l.threads)
		for _, id := range ids {
			delete(next, id)
		}
	} else {
		l.heads = map[string]int64{}
	}
	for _, q := range queries {
		pending, err := s.mail.Pending(ctx, q)
		if err != nil {
			l.threads = nil // the heads have moved on
			return err
		}
		for _, p := range pending {
			p.Message.Body = ""
			next[p.Message.ThreadID] = append(next[p.Message.ThreadID], p)
		}
	}
	l.at, l.threads, l.list = news, next, slices.Concat(slices.Collect(maps.Values(next))...)
	slices.SortStableFunc(l.list, func(a, b mail.PendingAck) int { return cmp.Compare(a.Message.ID, b.Message.ID) })
	return nil
}

// answersLoose tells whether one of the threads answers mail outside threads.
func (l *ledger) answersLoose(threads []string) bool {
	return slices.ContainsFunc(l.threads[""], func(p mail.PendingAck) bool {
		return slices.Contains(threads, mail.ThreadOfReply(&p.Message))
	})
}

// pendingOf asks what is owed on threads: what was owed before, and what was asked since.
func (s *Sessions) pendingOf(ctx context.Context, l *ledger, ids []string) ([]mail.PendingQuery, error) {
	threads, err := s.store().Threads(ctx, mail.ThreadQuery{Project: s.project(), IDs: ids})
	if err != nil {
		return nil, err
	}
	queries := []mail.PendingQuery{}
	for _, t := range threads {
		head, known := l.heads[t.ID]
		if !known {
			l.heads[t.ID] = t.HeadID
			queries = append(queries, mail.PendingQuery{Thread: t.ID})
			continue
		}
		news, err := s.store().Messages(ctx, mail.MessageQuery{Project: s.project(), Thread: t.ID, After: head, Limit: manyAsks})
		if err != nil {
			return nil, err
		}
		asks := []int64{}
		for _, p := range l.threads[t.ID] {
			asks = append(asks, p.Message.ID)
		}
		for _, m := range news {
			if l.heads[t.ID] = m.ID; m.AckRequired {
				asks = append(asks, m.ID)
			}
		}
		switch {
		case len(asks) > manyAsks || len(news) == manyAsks:
			delete(l.heads, t.ID)
			queries = append(queries, mail.PendingQuery{Thread: t.ID})
		case len(asks) > 0:
			slices.Sort(asks)
			queries = append(queries, mail.PendingQuery{Messages: slices.Compact(asks)})
		}
	}
	return queries, nil
}
