package mail

import (
	"encoding/json"
	"time"

	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Object is a message as clients of the wire contract read it. Bcc shows what the viewer may
// see; Kind and the times are those of the viewer's own delivery, absent if it has none.
type Object struct {
	ID          int64              `json:"id"`
	ProjectID   ProjectID          `json:"project_id"`
	SenderID    AgentID            `json:"sender_id"`
	ThreadID    *string            `json:"thread_id"`
	ReplyTo     *int64             `json:"reply_to"`
	Subject     string             `json:"subject"`
	Body        *string            `json:"body_md"`
	Importance  message.Importance `json:"importance"`
	AckRequired bool               `json:"ack_required"`
	CreatedAt   string             `json:"created_ts"`
	From        string             `json:"from"`
	To          []string           `json:"to"`
	Cc          []string           `json:"cc"`
	Bcc         []string           `json:"bcc"`
	Kind        *Kind              `json:"kind"`
	Attachments []json.RawMessage  `json:"attachments"` // messages carry none
	ReadAt      *string            `json:"read_ts"`
	AckAt       *string            `json:"ack_ts"`
}

// NewObject makes the object of a message as viewer sees it. delivery is the viewer's, nil if
// it has none.
func NewObject(m *Message, delivery *Delivery, viewer string) Object {
	o := Object{
		ID: m.ID, ProjectID: m.Project, SenderID: m.SenderID, ThreadID: protocol.OrNull(m.ThreadID), ReplyTo: protocol.OrNull(m.ReplyTo),
		Subject: m.Subject, Body: &m.Body, Importance: m.Importance, AckRequired: m.AckRequired,
		CreatedAt: FormatTime(m.CreatedAt), From: m.From, To: protocol.NonNil(m.To), Cc: protocol.NonNil(m.Cc),
		Bcc: protocol.NonNil(VisibleBcc(&m.Message, viewer)), Attachments: []json.RawMessage{},
	}
	if delivery != nil {
		o.Kind = &delivery.Kind
		o.ReadAt, o.AckAt = timeText(delivery.ReadAt), timeText(delivery.AckAt)
	}
	return o
}

// AgentObject is an agent as clients read it.
type AgentObject struct {
	ID           AgentID   `json:"id"`
	Name         string    `json:"name"`
	Program      string    `json:"program"`
	Model        string    `json:"model"`
	Task         string    `json:"task_description"`
	InceptionAt  string    `json:"inception_ts"`
	LastActiveAt string    `json:"last_active_ts"`
	ProjectID    ProjectID `json:"project_id"`
	RetiredAt    *string   `json:"retired_ts"`
}

// Object returns the agent as clients read it.
func (a *Agent) Object() AgentObject {
	return AgentObject{
		ID: a.ID, Name: a.Name, Program: a.Program, Model: a.Model, Task: a.Task,
		InceptionAt: FormatTime(a.InceptionAt), LastActiveAt: FormatTime(a.LastActiveAt),
		ProjectID: a.Project, RetiredAt: timeText(a.RetiredAt),
	}
}

// AckObject is an acknowledgement that an agent owes, as surfaces show it.
type AckObject struct {
	MessageID int64                `json:"message_id"`
	ThreadID  *string              `json:"thread_id"`
	Type      protocol.MessageType `json:"type"`
	From      string               `json:"from"`
	Agent     string               `json:"agent"`
	Deadline  *string              `json:"deadline"` // null: a reminder, an escalation or imported mail has none
	Overdue   bool                 `json:"overdue"`
	SettledBy *int64               `json:"settled_by"` // the message that settled it; null: none did
	Reminders int                  `json:"reminders"`
}

// AckObjects shows acknowledgements in the order given.
func AckObjects(pending []PendingAck) []AckObject {
	objects := make([]AckObject, 0, len(pending))
	for i := range pending {
		p := &pending[i]
		o := AckObject{
			MessageID: p.Message.ID, Type: p.Message.Type, From: p.Message.From, Agent: p.Agent,
			Overdue: p.Overdue, SettledBy: protocol.OrNull(p.SettledBy), Reminders: p.Reminders,
			ThreadID: protocol.OrNull(p.Message.ThreadID), Deadline: timeText(p.Deadline),
		}
		objects = append(objects, o)
	}
	return objects
}

func timeText(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := FormatTime(t)
	return &text
}
