package mail

import (
	"context"
	"slices"

	"brenner/message"
	"brenner/protocol"
)

// settlements finds what settled the acknowledgements that agents owe (PROTOCOL 11): their answer to the
// message, an accepted delta to the round of a KICKOFF, or the completion of the session as far as w knows
// of it. The result has the settling message of each that is settled. It reads through r alone, so that a
// transaction can ask.
func (w *waiting) settlements(ctx context.Context, r Reader, project ProjectID, owed []Delivery) (map[Ack]int64, error) {
	settled := map[Ack]int64{}
	for thread, debts := range w.byThread(owed) {
		t := &settling{r: r, project: project, thread: thread, settled: settled}
		if err := t.answers(ctx, debts); err != nil {
			return nil, err
		}
		if err := t.contributions(ctx, debts); err != nil {
			return nil, err
		}
		if by := w.completed[thread]; by != 0 {
			for _, d := range debts {
				t.settle(d, by)
			}
		}
	}
	return settled, nil
}

// debt is an acknowledgement that an agent owes.
type debt struct {
	*Message
	agent string
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

// settling looks at the debts of one thread, oldest message first.
type settling struct {
	r       Reader
	project ProjectID
	thread  string
	settled map[Ack]int64
	rounds  []round // of the thread; nil: not read yet
}

func (t *settling) settle(d debt, by int64) {
	if key := (Ack{d.ID, d.agent}); t.settled[key] == 0 {
		t.settled[key] = by
	}
}

// answers settles what was replied to.
func (t *settling) answers(ctx context.Context, debts []debt) error {
	var asked []int64
	for _, d := range debts {
		asked = append(asked, d.ID)
	}
	q := MessageQuery{Project: t.project, Thread: t.thread, Answers: slices.Compact(asked), Limit: PageSize}
	return t.each(ctx, q, func(m *Message) bool {
		for _, d := range debts {
			if m.ReplyTo == d.ID && NameKey(m.From) == NameKey(d.agent) && !notified(m) {
				t.settle(d, m.ID)
			}
		}
		return true
	})
}

// contributions settles each KICKOFF to whose round its recipient contributed an accepted delta.
func (t *settling) contributions(ctx context.Context, debts []debt) error {
	for _, d := range debts {
		if d.Type != protocol.TypeKickoff || t.settled[Ack{d.ID, d.agent}] != 0 {
			continue
		}
		if err := t.readRounds(ctx); err != nil {
			return err
		}
		q := MessageQuery{
			Project: t.project, Thread: t.thread, From: d.agent, Types: []protocol.MessageType{protocol.TypeDelta}, After: d.ID, Limit: fewDeltas,
		}
		err := t.each(ctx, q, func(m *Message) bool {
			if t.roundAt(m.ID) == t.roundAt(d.ID) && accepted(m) {
				t.settle(d, m.ID)
			}
			return t.settled[Ack{d.ID, d.agent}] == 0
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// fewDeltas is how many deltas are read at a time: the first one settles, as a rule.
const fewDeltas = 4

// accepted tells whether a DELTA message has an accepted block.
func accepted(m *Message) bool {
	report := message.Check(m.Draft(), message.Facts{Intake: m.Intake, Existing: true})
	return report.Receipt != nil && report.Receipt.Accepted > 0
}

// each walks the messages of a query, oldest first, until visit returns false.
func (t *settling) each(ctx context.Context, q MessageQuery, visit func(*Message) bool) error {
	for {
		page, err := t.r.Messages(ctx, q)
		if err != nil {
			return err
		}
		for i := range page {
			if !visit(&page[i]) {
				return nil
			}
		}
		if len(page) < q.Limit {
			return nil
		}
		q.After = page[len(page)-1].ID
	}
}

// round is where a round of a session begins.
type round struct {
	kickoff int64
	number  int
}

// readRounds reads the KICKOFFs of the thread.
func (t *settling) readRounds(ctx context.Context) error {
	if t.rounds != nil {
		return nil
	}
	number := 1
	q := MessageQuery{Project: t.project, Thread: t.thread, Types: []protocol.MessageType{protocol.TypeKickoff}, Limit: PageSize}
	return t.each(ctx, q, func(m *Message) bool {
		number = message.RoundAfter(number, message.Round(m.Body))
		t.rounds = append(t.rounds, round{m.ID, number})
		return true
	})
}

// roundAt is the round to which a message of the thread belongs.
func (t *settling) roundAt(id int64) int {
	number := 1
	for _, r := range t.rounds {
		if r.kickoff <= id {
			number = r.number
		}
	}
	return number
}
