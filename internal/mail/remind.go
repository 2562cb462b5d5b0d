package mail

import (
	"context"
	"time"

	"brenner/internal/message"
	"brenner/internal/protocol"
)

// AckRun is what one pass over overdue acknowledgements posted.
type AckRun struct {
	Reminders   []Message
	Escalations []Message
}

// RunAcks makes one pass over overdue acknowledgements: those who owe are reminded, as often as
// the policy says and one deadline apart, then the operator gets a BLOCKED (PROTOCOL 11). What was
// posted is recorded with the message that says so: a restart neither forgets nor repeats, and any
// number of passes may run at once. Imported mail is never reminded, nor is an agent that settled the matter.
func (s *Service) RunAcks(ctx context.Context) (AckRun, error) {
	var run AckRun
	owed, err := s.store.Deliveries(ctx, DeliveryQuery{Project: s.project.ID, Owed: true})
	if err != nil || len(owed) == 0 {
		return run, err
	}
	w, err := s.waiting(ctx, owed, nil)
	if err != nil {
		return run, err
	}
	seen := map[int64]bool{}
	for _, d := range owed {
		m := w.messages[d.Message]
		if m == nil || seen[m.ID] || !m.hasDeadline() || w.escalated[m.ID] || w.settled[Ack{m.ID, d.Agent}] != 0 {
			continue
		}
		seen[m.ID] = true
		if err := s.chase(ctx, w, m, &run); err != nil {
			return run, err
		}
	}
	return run, nil
}

// chase posts the next notice about one message if it is due.
func (s *Service) chase(ctx context.Context, w *waiting, m *Message, run *AckRun) error {
	reminders := w.reminders[m.ID]
	period := s.options.Acks.deadline(m.Type)
	due := m.CreatedAt.Add(period)
	if n := len(reminders); n > 0 {
		due = reminders[n-1].CreatedAt.Add(period)
	}
	if !s.Now().After(due) {
		return nil
	}
	if err := s.EnsureAgents(ctx, s.options.Operator); err != nil {
		return err
	}
	notice := pendingNotice{waiting: w, message: m, deadline: m.CreatedAt.Add(period), sent: len(reminders)}
	if len(reminders) < s.options.Acks.reminders() {
		posted, left, err := s.post(ctx, notice)
		run.Reminders = append(run.Reminders, posted...)
		if err != nil || left {
			return err
		}
	}
	notice.escalate = true // no debtor is left to be reminded, or all were
	posted, _, err := s.post(ctx, notice)
	run.Escalations = append(run.Escalations, posted...)
	return err
}

// pendingNotice is a reminder or an escalation about to be posted.
type pendingNotice struct {
	waiting  *waiting
	message  *Message
	deadline time.Time
	sent     int // reminders so far
	escalate bool
}

func (n *pendingNotice) key() string {
	if n.escalate {
		return escalationKey(n.message.ID)
	}
	return reminderKey(n.message.ID, n.sent+1)
}

// post decides in the inserting transaction: nothing is posted for what was acknowledged or settled
// meanwhile, or was posted by another pass. settled tells that there is no more to do about the
// message now; it is false if only agents owe who are retired and cannot be reminded.
func (s *Service) post(ctx context.Context, n pendingNotice) (posted []Message, settled bool, err error) {
	posted, err = s.store.Compose(ctx, s.project.ID, s.Now(), func(ctx context.Context, tx Tx) ([]Entry, error) {
		settled = true
		same, err := tx.Messages(ctx, MessageQuery{Project: s.project.ID, Keys: []string{n.key()}})
		if err != nil || len(same) > 0 {
			return nil, err
		}
		owed, err := tx.Deliveries(ctx, DeliveryQuery{Project: s.project.ID, Messages: []int64{n.message.ID}, Owed: true})
		if err != nil {
			return nil, err
		}
		names, err := n.owing(ctx, tx, s.project.ID, owed)
		if err != nil || len(names) == 0 {
			return nil, err
		}
		to, err := taking(ctx, tx, s.project.ID, names)
		if err != nil {
			return nil, err
		}
		if settled = n.escalate || len(to) > 0; !settled {
			return nil, nil
		}
		thread, err := threadOf(ctx, tx, s.project.ID, ThreadOfReply(n.message))
		return []Entry{s.noticeEntry(n, thread, names, to)}, err
	})
	return posted, settled, err
}

// owing returns who owes the acknowledgement and has not settled it.
func (n *pendingNotice) owing(ctx context.Context, r Reader, project ProjectID, owed []Delivery) ([]string, error) {
	settled, err := n.waiting.settledBy(ctx, r, project, owed)
	var names []string
	for _, d := range owed {
		if settled[Ack{d.Message, d.Agent}] == 0 {
			names = append(names, d.Agent)
		}
	}
	return names, err
}

func (s *Service) noticeEntry(n pendingNotice, thread Thread, owing, to []string) Entry {
	m := n.message
	w := message.Waiting{ID: m.ID, From: m.From, Subject: m.Subject, Deadline: n.deadline, Owing: owing, Reminders: n.sent}
	notice, kind := w.Reminder(), protocol.TypeInfo
	if n.escalate {
		notice, kind, to = w.Escalation(), protocol.TypeBlocked, []string{s.options.Operator}
	}
	intake := protocol.Lenient
	if thread.Enforced() {
		intake = protocol.Strict
	}
	return Entry{
		Message: message.Message{
			ThreadID: thread.ID, From: s.options.Operator, To: to, Subject: notice.Subject, Body: notice.Body,
			AckRequired: kind.AckDefault(), Importance: message.High, ReplyTo: m.ID, Intake: intake,
		},
		Type: kind, ReplyOrigin: m.OriginID(), Key: n.key(),
	}
}

// ScheduleAcks makes a pass at once and then one every interval, until the context ends. What
// goes wrong is reported and tried again with the next pass.
func ScheduleAcks(ctx context.Context, every time.Duration, pass func(context.Context) (AckRun, error), report func(AckRun, error)) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		run, err := pass(ctx)
		if ctx.Err() != nil {
			return
		}
		report(run, err)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// taking returns those of the names that still take part.
func taking(ctx context.Context, r Reader, project ProjectID, names []string) ([]string, error) {
	found, err := r.Agents(ctx, project, names...)
	if err != nil {
		return nil, err
	}
	var active []string
	for _, a := range found {
		if !a.Retired() {
			active = append(active, a.Name)
		}
	}
	return active, nil
}
