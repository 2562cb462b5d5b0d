package mail

import (
	"context"
	"maps"
	"slices"

	"brenner/internal/fold"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Folded is the message as a fold takes it.
func (m *Message) Folded() *fold.Message {
	return &fold.Message{Message: &m.Message, Type: m.Type, Chain: m.ChainHash, Notice: notified(m)}
}

// follow takes what a thread has beyond the messages that were taken.
func follow(ctx context.Context, s *fold.Settlements, r Reader, project ProjectID, thread string) error {
	for {
		page, err := r.Messages(ctx, MessageQuery{Project: project, Thread: thread, After: s.Through, Limit: PageSize})
		if err != nil {
			return err
		}
		for i := range page {
			s.Take(page[i].Folded(), textOf(&page[i]))
		}
		if len(page) < PageSize {
			return nil
		}
	}
}

// textOf reads a message as far as a fold of settlements asks.
func textOf(m *Message) *message.Report {
	if m.Type != protocol.TypeKickoff && m.Type != protocol.TypeDelta {
		return nil
	}
	report := message.Check(m.Draft(), message.Facts{Intake: m.Intake, Existing: true})
	return &report
}

// settlements looks at threads, unless the caller has folded them: at their folds where there is a door, else at all of their messages.
func (s *Service) settlements(ctx context.Context, ids []string, folded map[string]fold.Settlements) (map[string]fold.Settlements, error) {
	known := map[string]fold.Settlements{}
	maps.Copy(known, folded)
	ids = slices.DeleteFunc(ids, func(id string) bool { _, ok := folded[id]; return ok })
	if len(ids) == 0 {
		return known, nil
	}
	threads, err := s.store.Threads(ctx, ThreadQuery{Project: s.project.ID, IDs: ids})
	if err != nil {
		return nil, err
	}
	for _, t := range threads {
		if t.Archived() { // its session was complete
			continue
		}
		var st fold.Settlements
		if s.options.Door != nil {
			if st, err = s.options.Door.Settlements(ctx, t); err != nil {
				return nil, err
			}
		}
		if st.Through < t.HeadID {
			if err := follow(ctx, &st, s.store, s.project.ID, t.ID); err != nil {
				return nil, err
			}
		}
		known[t.ID] = st
	}
	return known, nil
}

// byThread groups what is owed by the thread in which it is answered. Messages without a deadline are left out.
func (w *waiting) byThread(owed []Delivery) map[string][]fold.Debt {
	threads := map[string][]fold.Debt{}
	for _, d := range owed {
		if m := w.messages[d.Message]; m != nil && m.hasDeadline() {
			thread := ThreadOfReply(m)
			threads[thread] = append(threads[thread], fold.Debt{Message: m.ID, Type: m.Type, Agent: d.Agent})
		}
	}
	return threads
}

// settle finds out what settled the debts.
func (w *waiting) settle(ctx context.Context, s *Service, owed []Delivery, folded map[string]fold.Settlements) error {
	debts := w.byThread(owed)
	var err error
	if w.threads, err = s.settlements(ctx, slices.Sorted(maps.Keys(debts)), folded); err != nil {
		return err
	}
	for thread, list := range debts {
		st := w.threads[thread]
		for d, by := range st.Settle(list) {
			w.settled[Ack{d.Message, d.Agent}] = by
		}
	}
	return nil
}

// settledBy is settle with what a transaction sees of the threads, which may be more. No transaction can ask a
// fold, which alone knows that a session is complete: that is taken from before.
func (w *waiting) settledBy(ctx context.Context, r Reader, project ProjectID, owed []Delivery) (map[Ack]int64, error) {
	settled := map[Ack]int64{}
	for thread, list := range w.byThread(owed) {
		st := w.threads[thread]
		st = st.Clip()
		if err := follow(ctx, &st, r, project, thread); err != nil {
			return nil, err
		}
		for d, by := range st.Settle(list) {
			settled[Ack{d.Message, d.Agent}] = by
		}
	}
	return settled, nil
}
