package mail

import (
	"context"
	"fmt"
	"strings"
	"time"

	"brenner/internal/fold"
	"brenner/internal/protocol"
)

// DefaultDeadline is how long an acknowledgement may take, and DefaultReminders how often
// those who owe it are reminded, unless the project says otherwise (PROTOCOL 11).
const (
	DefaultDeadline  = 30 * time.Minute
	DefaultReminders = 2
)

// AckPolicy is how a project treats acknowledgements. The zero value is the default.
type AckPolicy struct {
	Deadline  time.Duration                          // 0: DefaultDeadline
	Deadlines map[protocol.MessageType]time.Duration // per type; absent: Deadline
	Reminders *int                                   // nil: DefaultReminders
}

func (p *AckPolicy) deadline(t protocol.MessageType) time.Duration {
	if d, ok := p.Deadlines[t]; ok {
		return d
	}
	if p.Deadline > 0 {
		return p.Deadline
	}
	return DefaultDeadline
}

func (p *AckPolicy) reminders() int {
	if p.Reminders != nil {
		return *p.Reminders
	}
	return DefaultReminders
}

// AckTime is how long an answer to a message of a type may take.
func (s *Service) AckTime(t protocol.MessageType) time.Duration { return s.options.Acks.deadline(t) }

// Operator is the name under which a person acts.
func (s *Service) Operator() string { return s.options.Operator }

// The keys under which reminders and escalations are posted: a message with such a key is there
// or it is not, whatever was restarted meanwhile and however many run at once.
const (
	reminderPrefix   = "reminder:"
	escalationPrefix = "escalation:"
)

func reminderKey(message int64, n int) string {
	return fmt.Sprintf("%s%d:%d", reminderPrefix, message, n)
}
func escalationKey(message int64) string { return fmt.Sprintf("%s%d", escalationPrefix, message) }

// notified tells whether a message is a reminder or an escalation. These have no deadline of
// their own.
func notified(m *Message) bool {
	return strings.HasPrefix(m.Key, reminderPrefix) || strings.HasPrefix(m.Key, escalationPrefix)
}

// hasDeadline tells whether an acknowledgement of the message can be overdue: neither one that tells of
// another, nor one that was imported (PROTOCOL 11).
func (m *Message) hasDeadline() bool { return !m.Imported && !notified(m) }

// PendingAck is an acknowledgement that an agent owes.
type PendingAck struct {
	Message   Message
	Agent     string
	Deadline  time.Time // zero: none
	SettledBy int64     // the message that settled it, so that it is never overdue; 0: none did
	Overdue   bool
	FetchedAt time.Time // when the agent fetched the message; zero: not yet
	Reminders int       // that were sent to this agent
}

// OverdueAt tells whether the acknowledgement is overdue at a time.
func (p *PendingAck) OverdueAt(now time.Time) bool {
	return p.SettledBy == 0 && !p.Deadline.IsZero() && now.After(p.Deadline)
}

// PendingQuery selects pending acknowledgements. Zero fields do not restrict.
type PendingQuery struct {
	Thread   string
	Messages []int64 // nil: all
	From     string  // who asked for it
	Agent    string  // who owes it
	Overdue  bool

	Settled map[string]fold.Settlements // of threads that the caller has folded
}

// Pending returns who owes which acknowledgement, oldest message first.
func (s *Service) Pending(ctx context.Context, q PendingQuery) ([]PendingAck, error) {
	owed, err := s.store.Deliveries(ctx, DeliveryQuery{Project: s.project.ID, Messages: q.Messages, Thread: q.Thread, Agent: q.Agent,
		Owed: true})
	if err != nil {
		return nil, err
	}
	w, err := s.waiting(ctx, owed, q.Settled)
	if err != nil {
		return nil, err
	}
	now := s.Now()
	var pending []PendingAck
	for _, d := range owed {
		m := w.messages[d.Message]
		if m == nil || q.From != "" && NameKey(m.From) != NameKey(q.From) {
			continue
		}
		p := PendingAck{Message: *m, Agent: d.Agent, FetchedAt: d.DeliveredAt, SettledBy: w.settled[Ack{m.ID, d.Agent}]}
		if m.hasDeadline() {
			p.Deadline = m.CreatedAt.Add(s.options.Acks.deadline(m.Type))
			p.Overdue = p.OverdueAt(now)
		}
		for _, r := range w.reminders[d.Message] {
			if isAddressed(r, d.Agent) {
				p.Reminders++
			}
		}
		if p.Overdue || !q.Overdue {
			pending = append(pending, p)
		}
	}
	return pending, nil
}

func isAddressed(m *Message, agent string) bool {
	for _, name := range m.To {
		if NameKey(name) == NameKey(agent) {
			return true
		}
	}
	return false
}

// waiting is what is known about messages that wait for acknowledgements.
type waiting struct {
	messages  map[int64]*Message
	reminders map[int64][]*Message // in order
	escalated map[int64]bool
	threads   map[string]fold.Settlements // those in which the messages are answered
	settled   map[Ack]int64               // debts that are settled: the message that did it
}

// waiting looks up the messages of deliveries and what was posted about them. folded is what is known of threads.
func (s *Service) waiting(ctx context.Context, owed []Delivery, folded map[string]fold.Settlements) (*waiting, error) {
	w := &waiting{
		messages: map[int64]*Message{}, reminders: map[int64][]*Message{}, escalated: map[int64]bool{}, settled: map[Ack]int64{},
	}
	var ids []int64
	for _, d := range owed {
		if n := len(ids); n == 0 || ids[n-1] != d.Message { // deliveries stand by message
			ids = append(ids, d.Message)
		}
	}
	for len(ids) > 0 {
		page := ids[:min(PageSize, len(ids))]
		ids = ids[len(page):]
		if err := w.load(ctx, s, page); err != nil {
			return nil, err
		}
	}
	return w, w.settle(ctx, s, owed, folded)
}

func (w *waiting) load(ctx context.Context, s *Service, ids []int64) error {
	found, err := s.store.Messages(ctx, MessageQuery{Project: s.project.ID, IDs: ids})
	if err != nil {
		return err
	}
	var keys []string
	about := map[string]int64{}
	for i := range found {
		w.messages[found[i].ID] = &found[i]
		for n := 1; n <= s.options.Acks.reminders(); n++ {
			about[reminderKey(found[i].ID, n)] = found[i].ID
		}
		about[escalationKey(found[i].ID)] = found[i].ID
	}
	for key := range about {
		keys = append(keys, key)
	}
	posted, err := s.store.Messages(ctx, MessageQuery{Project: s.project.ID, Keys: keys})
	if err != nil {
		return err
	}
	for i := range posted {
		m := &posted[i]
		if id := about[m.Key]; strings.HasPrefix(m.Key, reminderPrefix) {
			w.reminders[id] = append(w.reminders[id], m)
		} else {
			w.escalated[id] = true
		}
	}
	return nil
}
