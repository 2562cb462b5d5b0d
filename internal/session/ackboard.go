package session

import (
	"cmp"
	"context"
	"slices"
	"time"

	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// boardMessages is how many of the latest messages that ask for an acknowledgement a board shows
// beside those that still wait for one; boardRows how many rows it has at most.
const (
	boardMessages = 12
	boardRows     = 200
)

// AckBoard tells who has received, read and acknowledged the messages of a thread that ask for it.
type AckBoard struct {
	Rows     []AckRow // what is overdue first, then what is owed by deadline, then what is settled
	Messages int      // how many messages of the thread ask for an acknowledgement
	Owed     int
	Overdue  int
	Left     int // rows that are owed but not shown
}

// AckRow is one recipient of one message.
type AckRow struct {
	MessageID int64
	Type      protocol.MessageType
	Subject   string
	From      string
	SentAt    time.Time
	mail.Delivery
	Owed      bool
	Deadline  time.Time // zero: settled, or a reminder, which has none
	Overdue   bool
	SettledBy int64 // the message that settled it; 0: none did
	Reminders int
}

// ackBoard looks at what is owed on a thread, and at the latest messages that asked for it.
func (s *Sessions) ackBoard(ctx context.Context, v *fold.View, pending []mail.PendingAck) (AckBoard, error) {
	board := AckBoard{Messages: len(v.Settled.Asks)}
	if board.Messages == 0 {
		return board, nil
	}
	board.Owed = len(pending)
	for i := range pending {
		if pending[i].Overdue {
			board.Overdue++
		}
	}
	pending = slices.SortedStableFunc(slices.Values(pending), byUrgency)
	board.Left = max(len(pending)-boardRows, 0)
	pending = pending[:len(pending)-board.Left]
	rows, err := s.ackRows(ctx, v, pending)
	if err != nil {
		return board, err
	}
	board.Rows = rows
	return board, nil
}

// byUrgency orders what is owed: overdue first, by deadline; what can never be overdue last.
func byUrgency(a, b mail.PendingAck) int {
	if urgent := urgency(&a); urgent != urgency(&b) {
		return cmp.Compare(urgent, urgency(&b))
	}
	return cmp.Or(a.Deadline.Compare(b.Deadline), cmp.Compare(a.Message.ID, b.Message.ID))
}

func urgency(p *mail.PendingAck) int {
	if p.Deadline.IsZero() || p.SettledBy != 0 {
		return 1
	}
	return 0
}

// ackRows makes the rows: those that are owed, then the settled ones of the latest messages.
func (s *Sessions) ackRows(ctx context.Context, v *fold.View, pending []mail.PendingAck) ([]AckRow, error) {
	latest := slices.Clone(v.Settled.Asks[max(len(v.Settled.Asks)-boardMessages, 0):])
	slices.Reverse(latest)
	ids := slices.Clone(latest)
	for i := range pending {
		if id := pending[i].Message.ID; !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	messages, err := s.store().Messages(ctx, mail.MessageQuery{Project: s.project(), IDs: latest})
	if err != nil {
		return nil, err
	}
	deliveries, err := s.store().Deliveries(ctx, mail.DeliveryQuery{Project: s.project(), Messages: ids})
	if err != nil {
		return nil, err
	}
	var rows []AckRow
	for _, p := range pending {
		row := ackRow(p.Message)
		row.Owed, row.Deadline, row.Overdue, row.SettledBy, row.Reminders = true, p.Deadline, p.Overdue, p.SettledBy, p.Reminders
		for _, d := range deliveries {
			if d.Message == p.Message.ID && protocol.SameAgent(d.Agent, p.Agent) {
				row.Delivery = d
			}
		}
		rows = append(rows, row)
	}
	for _, id := range latest {
		i := slices.IndexFunc(messages, func(m mail.Message) bool { return m.ID == id })
		for _, d := range deliveries {
			if i >= 0 && d.Message == id && d.Kind != mail.Bcc && !d.Owes() {
				row := ackRow(messages[i])
				row.Delivery = d
				rows = append(rows, row)
			}
		}
	}
	return rows, nil
}

func ackRow(m mail.Message) AckRow {
	return AckRow{MessageID: m.ID, Type: m.Type, Subject: m.Subject, From: m.From, SentAt: m.CreatedAt}
}

// manyAsks is how many messages are asked about by name.
const manyAsks = 200

// pendingOn asks what is owed on the thread, by the messages that ask for anything where they are few.
func pendingOn(v *fold.View) mail.PendingQuery {
	if n := len(v.Settled.Asks); n > 0 && n <= manyAsks {
		return mail.PendingQuery{Messages: v.Settled.Asks}
	}
	return mail.PendingQuery{Thread: v.Fold.ThreadID()}
}
