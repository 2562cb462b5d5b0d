package mail

import (
	"context"
	"maps"
	"slices"

	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Settlements is what the messages of one thread say about the acknowledgements that are owed there
// (PROTOCOL 11): who replied to what, and who contributed accepted deltas to which round. It is a fold of the
// thread, so that one pass answers for every debt. A copy that is clipped shares what it holds.
type Settlements struct {
	Through   int64     // the last message that was taken
	Round     int       // of that message; 0 before the first KICKOFF
	Kickoffs  []opening // in order
	Replies   []reply
	Deltas    []contribution
	Completed int64 `json:"-"` // the message that completed the session; 0: it is open
}

// opening is a KICKOFF.
type opening struct {
	ID    int64
	Round int
}

// reply is a message that answers another. Reminders and escalations are none.
type reply struct {
	ID, To int64
	From   string
}

// contribution is a DELTA with an accepted block.
type contribution struct {
	ID    int64
	Round int
	From  string
}

// Take adds the next message of the thread. text is what it says; only that of a KICKOFF or a DELTA is asked for.
func (s *Settlements) Take(m *Message, text *message.Report) {
	s.Through = m.ID
	if m.ReplyTo != 0 && !notified(m) {
		s.Replies = append(s.Replies, reply{m.ID, m.ReplyTo, m.From})
	}
	switch {
	case text == nil:
	case m.Type == protocol.TypeKickoff:
		s.Round = message.RoundAfter(s.Round, text.References.Round)
		s.Kickoffs = append(s.Kickoffs, opening{m.ID, s.Round})
	case m.Type == protocol.TypeDelta && len(text.Deltas) > 0:
		s.Deltas = append(s.Deltas, contribution{m.ID, max(s.Round, 1), m.From})
	}
}

// Clip returns a copy to which nothing that the original takes is added, and the other way round.
func (s *Settlements) Clip() Settlements {
	c := *s
	c.Kickoffs, c.Replies, c.Deltas = slices.Clip(c.Kickoffs), slices.Clip(c.Replies), slices.Clip(c.Deltas)
	return c
}

// follow takes what the thread has beyond the messages that were taken.
func (s *Settlements) follow(ctx context.Context, r Reader, project ProjectID, thread string) error {
	for {
		page, err := r.Messages(ctx, MessageQuery{Project: project, Thread: thread, After: s.Through, Limit: PageSize})
		if err != nil {
			return err
		}
		for i := range page {
			s.Take(&page[i], textOf(&page[i]))
		}
		if len(page) < PageSize {
			return nil
		}
	}
}

// textOf reads a message as far as Take asks.
func textOf(m *Message) *message.Report {
	if m.Type != protocol.TypeKickoff && m.Type != protocol.TypeDelta {
		return nil
	}
	report := message.Check(m.Draft(), message.Facts{Intake: m.Intake, Existing: true})
	return &report
}

// debt is an acknowledgement that an agent owes.
type debt struct {
	*Message
	agent string
}

// settle finds the messages that settled debts: a reply to the message, else a contribution to the round of
// a KICKOFF, else the completion of the session.
func (s *Settlements) settle(debts []debt, settled map[Ack]int64) {
	asked := map[int64]bool{}
	for _, d := range debts {
		asked[d.ID] = true
	}
	replied := map[Ack]int64{}
	for _, r := range slices.Backward(s.Replies) { // the first one counts
		if asked[r.To] {
			replied[Ack{r.To, NameKey(r.From)}] = r.ID
		}
	}
	for _, d := range debts {
		by := replied[Ack{d.ID, NameKey(d.agent)}]
		if by == 0 && d.Type == protocol.TypeKickoff {
			by = s.contributed(d)
		}
		if by == 0 {
			by = s.Completed
		}
		if by != 0 {
			settled[Ack{d.ID, d.agent}] = by
		}
	}
}

// contributed returns the first contribution of an agent to the round of a KICKOFF after it, 0 if there is none.
func (s *Settlements) contributed(d debt) int64 {
	round := 1
	for _, k := range s.Kickoffs {
		if k.ID <= d.ID {
			round = k.Round
		}
	}
	for _, c := range s.Deltas {
		if c.ID > d.ID && c.Round == round && NameKey(c.From) == NameKey(d.agent) {
			return c.ID
		}
	}
	return 0
}

// settlements looks at threads: at their folds where there is a door, else at all of their messages.
func (s *Service) settlements(ctx context.Context, ids []string) (map[string]Settlements, error) {
	known := map[string]Settlements{}
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
		var st Settlements
		if s.options.Door != nil {
			if st, err = s.options.Door.Settlements(ctx, t); err != nil {
				return nil, err
			}
		}
		if st.Through < t.HeadID {
			if err := st.follow(ctx, s.store, s.project.ID, t.ID); err != nil {
				return nil, err
			}
		}
		known[t.ID] = st
	}
	return known, nil
}

// byThread groups what is owed by the thread in which it is answered. Messages without a deadline are left out.
func (w *waiting) byThread(owed []Delivery) map[string][]debt {
	threads := map[string][]debt{}
	for _, d := range owed {
		if m := w.messages[d.Message]; m != nil && m.hasDeadline() {
			thread := ThreadOfReply(m)
			threads[thread] = append(threads[thread], debt{m, d.Agent})
		}
	}
	return threads
}

// settle finds out what settled the debts.
func (w *waiting) settle(ctx context.Context, s *Service, owed []Delivery) error {
	debts := w.byThread(owed)
	var err error
	if w.threads, err = s.settlements(ctx, slices.Sorted(maps.Keys(debts))); err != nil {
		return err
	}
	for thread, list := range debts {
		st := w.threads[thread]
		st.settle(list, w.settled)
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
		if err := st.follow(ctx, r, project, thread); err != nil {
			return nil, err
		}
		st.settle(list, settled)
	}
	return settled, nil
}
