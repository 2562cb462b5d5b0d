package session

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"brenner/internal/fold"
	"brenner/internal/mail"
)

// maxAskedSingly is how many threads are asked one by one; of more everything is asked at once.
const maxAskedSingly = 8

// owing remembers the acknowledgements that are owed until something happens (BenchmarkPages/sessions/note). Safe for
// concurrent use.
type owing struct {
	mu      sync.Mutex
	at      Revision
	threads map[string][]mail.PendingAck // nil: not known
	list    []*mail.PendingAck           // of all threads, oldest message first
	heads   map[string]int64             // threads that are known up to a message
}

// Unacknowledged returns everything that is owed in the project, oldest message first. It is cheap to ask again. The
// messages come without their texts.
func (s *Sessions) Unacknowledged(ctx context.Context) ([]mail.PendingAck, error) {
	return s.remembered(ctx, func(o *owing) []*mail.PendingAck { return o.list })
}

// remembered returns some of what is owed, as of now.
func (s *Sessions) remembered(ctx context.Context, some func(*owing) []*mail.PendingAck) ([]mail.PendingAck, error) {
	now, err := s.Revision(ctx, "")
	if err != nil {
		return nil, err
	}
	now.Thread = 0 // of no thread in particular
	o := &s.owing
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.threads == nil || o.at != now {
		if err := s.refresh(ctx, o, now); err != nil {
			return nil, err
		}
	}
	owed, at := some(o), s.now()
	list := make([]mail.PendingAck, len(owed))
	for i, p := range owed {
		list[i] = *p
		list[i].Overdue = p.OverdueAt(at) // deadlines pass without any event
	}
	return list, nil
}

// owed lists what is owed on a thread, by an agent, or by all: from memory where the events are followed.
func (s *Sessions) owed(ctx context.Context, q mail.PendingQuery) ([]mail.PendingAck, error) {
	if !s.following() {
		return s.mail.Pending(ctx, q)
	}
	list, err := s.Unacknowledged(ctx)
	return slices.DeleteFunc(list, func(p mail.PendingAck) bool {
		return q.Thread != "" && p.Message.ThreadID != q.Thread || q.Agent != "" && mail.NameKey(p.Agent) != mail.NameKey(q.Agent)
	}), err
}

// owedOn lists what is owed on some threads at least; it costs what these owe where the events are followed.
func (s *Sessions) owedOn(ctx context.Context, threads []string) ([]mail.PendingAck, error) {
	if !s.following() {
		q := mail.PendingQuery{}
		if len(threads) == 1 {
			q.Thread = threads[0]
		}
		return s.mail.Pending(ctx, q)
	}
	return s.remembered(ctx, func(o *owing) []*mail.PendingAck {
		some := make(map[string][]mail.PendingAck, len(threads))
		for _, id := range threads {
			some[id] = o.threads[id]
		}
		return byAge(some)
	})
}

// owed lists what is owed on the thread: now, for acknowledgements leave no trace in it.
func (s *Session) owed(ctx context.Context) ([]mail.PendingAck, error) {
	if s.of.following() {
		return s.of.owed(ctx, mail.PendingQuery{Thread: s.ID()})
	}
	q := pendingOn(s.View)
	q.Settled = map[string]fold.Settlements{s.ID(): settledIn(s.View, s.Thread)}
	return s.of.mail.Pending(ctx, q)
}

// refresh brings what is owed up to date. Where little happened only the threads are asked that it happened to; mail
// outside threads is asked about with everything else, also when it is answered.
func (s *Sessions) refresh(ctx context.Context, o *owing, now Revision) error {
	queries, next := []mail.PendingQuery{{}}, map[string][]mail.PendingAck{}
	if ids, loose := s.touched(o.at.Cursor); o.threads != nil && o.at.Era == now.Era && !loose && len(ids) <= maxAskedSingly &&
		!o.answersLoose(ids) {
		var err error
		if queries, err = s.pendingOf(ctx, o, ids); err != nil {
			o.threads = nil
			return err
		}
		next = maps.Clone(o.threads)
		for _, id := range ids {
			delete(next, id)
		}
	} else {
		o.heads = map[string]int64{}
	}
	for _, q := range queries {
		pending, err := s.mail.Pending(ctx, q)
		if err != nil {
			o.threads = nil // the heads have moved on
			return err
		}
		for _, p := range pending {
			p.Message.Body = ""
			next[p.Message.ThreadID] = append(next[p.Message.ThreadID], p)
		}
	}
	o.at, o.threads, o.list = now, next, byAge(next)
	return nil
}

// byAge lists what is owed on all threads, oldest message first.
func byAge(threads map[string][]mail.PendingAck) []*mail.PendingAck {
	var list []*mail.PendingAck
	for _, pending := range threads {
		for i := range pending {
			list = append(list, &pending[i])
		}
	}
	slices.SortStableFunc(list, func(a, b *mail.PendingAck) int { return cmp.Compare(a.Message.ID, b.Message.ID) })
	return list
}

// answersLoose tells whether one of the threads answers mail outside threads.
func (o *owing) answersLoose(threads []string) bool {
	return slices.ContainsFunc(o.threads[""], func(p mail.PendingAck) bool {
		return slices.Contains(threads, mail.ThreadOfReply(&p.Message))
	})
}

// pendingOf asks what is owed on threads: what was owed before, and what was asked since.
func (s *Sessions) pendingOf(ctx context.Context, o *owing, ids []string) ([]mail.PendingQuery, error) {
	threads, err := s.store().Threads(ctx, mail.ThreadQuery{Project: s.project(), IDs: ids})
	if err != nil {
		return nil, err
	}
	queries := []mail.PendingQuery{}
	for _, t := range threads {
		if t.Archived() { // nothing is owed on it
			delete(o.heads, t.ID)
			continue
		}
		head, known := o.heads[t.ID]
		if !known {
			o.heads[t.ID] = t.HeadID
			queries = append(queries, mail.PendingQuery{Thread: t.ID})
			continue
		}
		v, err := s.follow(ctx, t)
		if err != nil {
			return nil, err
		}
		asks := slices.DeleteFunc(slices.Clone(v.Settled.Asks), func(id int64) bool { return id <= head })
		for _, p := range o.threads[t.ID] {
			asks = append(asks, p.Message.ID)
		}
		o.heads[t.ID] = v.Head
		switch {
		case len(asks) > manyAsks:
			queries = append(queries, mail.PendingQuery{Thread: t.ID})
		case len(asks) > 0:
			slices.Sort(asks)
			queries = append(queries, mail.PendingQuery{Messages: slices.Compact(asks)})
		}
	}
	return queries, nil
}
