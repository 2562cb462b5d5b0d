package foreign

import (
	"bytes"
	"encoding/json"
	"strings"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// messageObject is a message as the wire contract has it.
type messageObject struct {
	ID          number  `json:"id"`
	SenderID    number  `json:"sender_id"`
	ThreadID    word    `json:"thread_id"`
	ReplyTo     number  `json:"reply_to"`
	Subject     word    `json:"subject"`
	Body        *word   `json:"body_md"` // nil: not shown
	Importance  word    `json:"importance"`
	AckRequired flag    `json:"ack_required"`
	CreatedAt   instant `json:"created_ts"`
	From        word    `json:"from"`
	To          names   `json:"to"`
	Cc          names   `json:"cc"`
	Bcc         names   `json:"bcc"`
	Kind        word    `json:"kind"`
	ReadAt      instant `json:"read_ts"`
	AckAt       instant `json:"ack_ts"`
}

// message reads the object. Foreign mail is lenient intake (PROTOCOL 1); what it is a text says.
func (o *messageObject) message(project mail.ProjectID) mail.Message {
	m := mail.Message{
		Message: message.Message{
			ID: int64(o.ID), ThreadID: string(o.ThreadID), From: string(o.From), To: o.To, Cc: o.Cc, Bcc: o.Bcc, Subject: string(o.Subject),
			CreatedAt: o.CreatedAt.time(), AckRequired: bool(o.AckRequired), Importance: importance(o.Importance),
			ReplyTo: int64(o.ReplyTo),
			Intake:  protocol.Lenient,
		},
		Project: project, SenderID: mail.AgentID(o.SenderID), ReplyOrigin: int64(o.ReplyTo),
	}
	if o.Body != nil {
		m.Body = string(*o.Body)
	}
	report := check(&m)
	if m.Type = report.Type; m.Type == protocol.TypeCompiled {
		m.Version = message.CompiledVersion(&m.Message)
		m.ArtifactHash = namedHash(&report)
	}
	return m
}

// namedHash is the hash that a COMPILED names in its body: another server keeps no other (PROTOCOL 14). Whether the
// version has it is proved where every version is.
func namedHash(report *message.Report) canon.Hash {
	compiled, _ := message.ParseCompiled(report.Document)
	if hash, ok := canon.ParseHash(compiled.Hash); ok {
		return hash
	}
	return canon.Hash{}
}

// importance reads a word; what we do not know is normal.
func importance(w word) message.Importance {
	switch i := message.Importance(strings.ToLower(string(w))); i {
	case message.Low, message.High, message.Urgent:
		return i
	default:
		return message.Normal
	}
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
	d := mail.Delivery{Message: m.ID, Agent: agent, Kind: mail.Kind(o.Kind), DeliveredAt: m.CreatedAt, ReadAt: o.ReadAt.time(),
		AckAt: o.AckAt.time()}
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
	ID           number  `json:"id"`
	Name         word    `json:"name"`
	Program      word    `json:"program"`
	Model        word    `json:"model"`
	Task         word    `json:"task_description"`
	InceptionAt  instant `json:"inception_ts"`
	LastActiveAt instant `json:"last_active_ts"`
	RetiredAt    instant `json:"retired_ts"`
}

func (o *agentObject) agent(project mail.ProjectID) mail.Agent {
	return mail.Agent{
		ID: mail.AgentID(o.ID), Project: project, Name: string(o.Name), Program: string(o.Program), Model: string(o.Model),
		Task:        string(o.Task),
		InceptionAt: o.InceptionAt.time(), LastActiveAt: o.LastActiveAt.time(), RetiredAt: o.RetiredAt.time(),
	}
}

// listOf reads a list, alone or under a key.
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
	err := json.Unmarshal(data, &list)
	return list, err
}
