package mail

import (
	"slices"
	"time"

	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Kind is how a recipient was addressed.
type Kind string

// The kinds. To and Cc owe an acknowledgement where one is asked for; Bcc does not
// (PROTOCOL 11).
const (
	To  Kind = "to"
	Cc  Kind = "cc"
	Bcc Kind = "bcc"
)

// State is how far a delivery has come. Each state includes those before it: reading implies
// that the message was delivered, acknowledging that it was read.
type State uint8

// The states (PROTOCOL 11).
const (
	Sent State = iota
	Delivered
	Read
	Acknowledged
)

// String returns the state's name.
func (s State) String() string {
	return [...]string{"sent", "delivered", "read", "acknowledged"}[s]
}

// Delivery is the state of one message for one recipient. An agent addressed several times in
// one message has one delivery, of the first kind in the order to, cc, bcc.
type Delivery struct {
	Message     int64
	Agent       string
	Kind        Kind
	DeliveredAt time.Time // zero until fetched
	ReadAt      time.Time
	AckAt       time.Time
}

// State returns how far the delivery has come.
func (d Delivery) State() State {
	switch {
	case !d.AckAt.IsZero():
		return Acknowledged
	case !d.ReadAt.IsZero():
		return Read
	case !d.DeliveredAt.IsZero():
		return Delivered
	default:
		return Sent
	}
}

// Owes tells whether the recipient still has to acknowledge a message that asks for it.
func (d Delivery) Owes() bool { return d.Kind != Bcc && d.AckAt.IsZero() }

// Advance moves the delivery to a state, at a time, and tells whether that changed anything.
// A state reached before keeps its time.
func (d *Delivery) Advance(to State, at time.Time) bool {
	before := d.State()
	if to <= before {
		return false
	}
	for _, step := range []struct {
		state State
		at    *time.Time
	}{{Delivered, &d.DeliveredAt}, {Read, &d.ReadAt}, {Acknowledged, &d.AckAt}} {
		if step.state <= to && step.at.IsZero() {
			*step.at = at
		}
	}
	return true
}

// DeliveryRow is a delivery with what an engine indexes it by.
type DeliveryRow struct {
	Delivery
	Project ProjectID
	AgentID AgentID
	Owed    bool // an acknowledgement is asked for and not given
	Urgent  bool // importance high or urgent
}

// Deliveries lists one fresh delivery for each recipient of a message, in the order to, cc,
// bcc.
func Deliveries(m *message.Message) []Delivery {
	list, _ := Addressed(m)
	return list
}

// Addressed is Deliveries, with the name key of each.
func Addressed(m *message.Message) ([]Delivery, []string) {
	n := len(m.To) + len(m.Cc) + len(m.Bcc)
	list, keys := make([]Delivery, 0, n), make([]string, 0, n)
	var seen map[string]bool // only for many: a few are compared faster
	if n > 16 {
		seen = make(map[string]bool, n)
	}
	for _, group := range [...]struct {
		kind  Kind
		names []string
	}{{To, m.To}, {Cc, m.Cc}, {Bcc, m.Bcc}} {
		for _, name := range group.names {
			key := NameKey(name)
			if seen[key] || seen == nil && slices.Contains(keys, key) {
				continue
			}
			if seen != nil {
				seen[key] = true
			}
			keys = append(keys, key)
			list = append(list, Delivery{Message: m.ID, Agent: name, Kind: group.kind})
		}
	}
	return list, keys
}

// Ack says that an agent acknowledges a message.
type Ack struct {
	Message int64
	Agent   string
}

// Mark moves deliveries of one agent to a state.
type Mark struct {
	Project  ProjectID
	Agent    string // ignoring case
	Messages []int64
	State    State
	At       time.Time
}

// DeliveryQuery selects deliveries of a project. Zero fields do not restrict; at least one of
// Messages, Thread, Agent and Owed is set.
type DeliveryQuery struct {
	Project  ProjectID
	Messages []int64
	Thread   string
	Agent    string // ignoring case
	Owed     bool   // only those that owe an acknowledgement that was asked for
}

// InboxQuery selects what an agent received. Zero fields do not restrict.
type InboxQuery struct {
	Project ProjectID
	Agent   string // ignoring case
	Thread  string
	Types   []protocol.MessageType
	Before  int64     // message id less than: the next page
	After   int64     // message id greater than
	Since   time.Time // created after, exclusive
	Fresh   bool      // not fetched yet
	Unread  bool
	Urgent  bool // importance high or urgent
	Owed    bool // an acknowledgement is asked for and not given
	Oldest  bool // oldest first; otherwise newest first
	Limit   int  // 0: all
}

// Received is a message together with its state for one recipient.
type Received struct {
	Message  Message
	Delivery Delivery
}
