package foreign

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"brenner/mail"
	"brenner/message"
	"brenner/protocol"
)

// instant is a time as servers write it; one without a zone is UTC, and null is none.
type instant string

var instantForms = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999"}

func (i instant) time() time.Time {
	for _, form := range instantForms {
		if t, err := time.Parse(form, strings.TrimSpace(string(i))); err == nil {
			return mail.Truncate(t)
		}
	}
	return time.Time{}
}

// names is a list that may arrive as one name, or as null.
type names []string

// UnmarshalJSON implements json.Unmarshaler.
func (n *names) UnmarshalJSON(data []byte) error {
	if data = bytes.TrimSpace(data); len(data) > 0 && data[0] == '"' {
		*n = names{""}
		return json.Unmarshal(data, &(*n)[0])
	}
	return json.Unmarshal(data, (*[]string)(n))
}

// messageObject is a message as the wire contract has it.
type messageObject struct {
	ID          int64              `json:"id"`
	SenderID    mail.AgentID       `json:"sender_id"`
	ThreadID    string             `json:"thread_id"`
	ReplyTo     int64              `json:"reply_to"`
	Subject     string             `json:"subject"`
	Body        *string            `json:"body_md"`
	Importance  message.Importance `json:"importance"`
	AckRequired bool               `json:"ack_required"`
	CreatedAt   instant            `json:"created_ts"`
	From        string             `json:"from"`
	To          names              `json:"to"`
	Cc          names              `json:"cc"`
	Bcc         names              `json:"bcc"`
	Kind        mail.Kind          `json:"kind"`
	ReadAt      instant            `json:"read_ts"`
	AckAt       instant            `json:"ack_ts"`
}

// message reads the object. Foreign mail is lenient intake (PROTOCOL 1); what it is a text says.
func (o *messageObject) message(project mail.ProjectID) mail.Message {
	m := mail.Message{
		Message: message.Message{
			ID: o.ID, ThreadID: o.ThreadID, From: o.From, To: o.To, Cc: o.Cc, Bcc: o.Bcc, Subject: o.Subject,
			CreatedAt: o.CreatedAt.time(), AckRequired: o.AckRequired, Importance: o.Importance, ReplyTo: o.ReplyTo,
			Intake: protocol.Lenient,
		},
		Project: project, SenderID: o.SenderID, ReplyOrigin: o.ReplyTo,
	}
	if m.Importance == "" {
		m.Importance = message.Normal
	}
	if o.Body != nil {
		m.Body = *o.Body
	}
	report := check(&m)
	m.Type, m.Version = report.Type, report.References.Compiled
	return m
}

// check judges a message as mail that exists.
func check(m *mail.Message) message.Report {
	return message.Check(message.Draft{
		ThreadID: m.ThreadID, From: m.From, To: m.To, Cc: m.Cc, Bcc: m.Bcc, Subject: m.Subject, Body: m.Body,
		AckRequired: &m.AckRequired, Importance: m.Importance, ReplyTo: m.ReplyTo, CreatedAt: m.CreatedAt,
	}, message.Facts{Intake: protocol.Lenient, Existing: true})
}

// received reads the object with its state for one recipient. That it came with an inbox says
// that it was delivered.
func (o *messageObject) received(project mail.ProjectID, agent string) mail.Received {
	m := o.message(project)
	d := mail.Delivery{Message: o.ID, Agent: agent, Kind: o.Kind, DeliveredAt: m.CreatedAt, ReadAt: o.ReadAt.time(), AckAt: o.AckAt.time()}
	for _, own := range mail.Deliveries(&m.Message) {
		if d.Kind == "" && mail.NameKey(own.Agent) == mail.NameKey(agent) {
			d.Kind = own.Kind
		}
	}
	if d.Kind == "" {
		d.Kind = mail.Bcc // whom neither to nor cc names
	}
	return mail.Received{Message: m, Delivery: d}
}

type agentObject struct {
	ID           mail.AgentID `json:"id"`
	Name         string       `json:"name"`
	Program      string       `json:"program"`
	Model        string       `json:"model"`
	Task         string       `json:"task_description"`
	InceptionAt  instant      `json:"inception_ts"`
	LastActiveAt instant      `json:"last_active_ts"`
	RetiredAt    instant      `json:"retired_ts"`
}

func (o *agentObject) agent(project mail.ProjectID) mail.Agent {
	return mail.Agent{
		ID: o.ID, Project: project, Name: o.Name, Program: o.Program, Model: o.Model, Task: o.Task,
		InceptionAt: o.InceptionAt.time(), LastActiveAt: o.LastActiveAt.time(), RetiredAt: o.RetiredAt.time(),
	}
}

// listOf reads a list that may stand alone or under a key.
func listOf[T any](data json.RawMessage, key string) ([]T, error) {
	if data = bytes.TrimSpace(data); len(data) > 0 && data[0] == '{' {
		var under map[string]json.RawMessage
		if err := json.Unmarshal(data, &under); err != nil {
			return nil, err
		}
		data = under[key]
	}
	var list []T
	if len(data) == 0 {
		return list, nil
	}
	return list, json.Unmarshal(data, &list)
}
