package message

import (
	"time"

	"brenner/internal/protocol"
)

// Message is a message of a thread as the log holds it: immutable once accepted.
type Message struct {
	ID          int64 // given by the store, project-wide and increasing
	OriginalID  int64 // the id it had where it was imported from; 0 if it was sent here
	ThreadID    string
	From        string
	To, Cc, Bcc []string
	Subject     string
	Body        string
	CreatedAt   time.Time // UTC, microseconds
	AckRequired bool
	Importance  Importance
	ReplyTo     int64 // 0 if it answers none
	Intake      protocol.Intake
	Imported    bool // it arrived already sent
}

// OriginID is the id by which the message is known wherever the thread travels
// (PROTOCOL 14).
func (m *Message) OriginID() int64 {
	if m.OriginalID != 0 {
		return m.OriginalID
	}
	return m.ID
}

// Importance is the urgency its sender gives a message.
type Importance string

// The four levels.
const (
	Low    Importance = "low"
	Normal Importance = "normal"
	High   Importance = "high"
	Urgent Importance = "urgent"
)
