package transfer

import (
	"bytes"
	"encoding/json"
	"io"
	"time"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Line is a message as it travels: one line of an export, or of what another program wrote. It
// is the one form that export, import, verify and compiling from a file read and write. Ids are
// those of where it comes from; ReplyTo is an origin id.
type Line struct {
	Number       int   // in its file, from 1; 0 if it was not read from one
	ID           int64 // 0 if the line has none
	OriginalID   int64
	ThreadID     string
	From         string
	To, Cc, Bcc  []string
	Subject      string
	Body         string
	CreatedAt    time.Time
	AckRequired  *bool // nil: the type's default applies
	Importance   message.Importance
	ReplyTo      int64
	Intake       protocol.Intake
	ChainHash    canon.Hash // zero unless the line is of our own export
	ArtifactHash canon.Hash // zero unless it publishes a version
	Deliveries   []mail.Delivery
}

// OriginID is the id by which the message is known wherever its thread travels.
func (l *Line) OriginID() int64 {
	if l.OriginalID != 0 {
		return l.OriginalID
	}
	return l.ID
}

// Exported tells whether the line is of our own export: only those carry a chain hash
// (PROTOCOL 1).
func (l *Line) Exported() bool { return l.ChainHash != canon.Hash{} }

// Draft returns what the author wrote.
func (l *Line) Draft() message.Draft {
	return message.Draft{
		ThreadID: l.ThreadID, From: l.From, To: l.To, Cc: l.Cc, Bcc: l.Bcc, Subject: l.Subject, Body: l.Body,
		AckRequired: l.AckRequired, Importance: l.Importance, ReplyTo: l.ReplyTo, CreatedAt: l.CreatedAt,
	}
}

// Message returns the line as a message that keeps its ids, to be folded without a store. A line
// without an id gets its number.
func (l *Line) Message() message.Message {
	m := message.Message{
		ID: l.ID, OriginalID: l.OriginalID, ThreadID: l.ThreadID, From: l.From, To: l.To, Cc: l.Cc, Bcc: l.Bcc,
		Subject: l.Subject, Body: l.Body, CreatedAt: l.CreatedAt, Importance: l.Importance, ReplyTo: l.ReplyTo, Intake: l.Intake,
		Imported: !l.Exported() || l.OriginalID != 0,
	}
	if m.ID == 0 {
		m.ID = int64(l.Number)
	}
	if l.AckRequired != nil {
		m.AckRequired = *l.AckRequired
	} else {
		m.AckRequired = mail.Classify(l.Subject, l.Body, l.Intake).AckDefault()
	}
	return m
}

// NewLine makes the line of a stored message.
func NewLine(m *mail.Message, deliveries []mail.Delivery) Line {
	return Line{
		ID: m.ID, OriginalID: m.OriginalID, ThreadID: m.ThreadID, From: m.From, To: m.To, Cc: m.Cc, Bcc: m.Bcc,
		Subject: m.Subject, Body: m.Body, CreatedAt: m.CreatedAt, AckRequired: &m.AckRequired, Importance: m.Importance,
		ReplyTo: m.ReplyOrigin, Intake: m.Intake, ChainHash: m.ChainHash, ArtifactHash: m.ArtifactHash, Deliveries: deliveries,
	}
}

// lineJSON fixes the order of the keys.
type lineJSON struct {
	ID           *int64             `json:"id"`
	OriginalID   *int64             `json:"original_id"`
	ThreadID     *string            `json:"thread_id"`
	From         string             `json:"from"`
	To           []string           `json:"to"`
	Cc           []string           `json:"cc"`
	Bcc          []string           `json:"bcc"`
	Subject      string             `json:"subject"`
	Body         string             `json:"body_md"`
	CreatedAt    string             `json:"created_ts"`
	AckRequired  *bool              `json:"ack_required"`
	Importance   message.Importance `json:"importance"`
	ReplyTo      *int64             `json:"reply_to"`
	Intake       protocol.Intake    `json:"intake"`
	ChainHash    *string            `json:"chain_hash"`
	ArtifactHash *string            `json:"artifact_hash"`
	Deliveries   []deliveryJSON     `json:"deliveries"`
}

type deliveryJSON struct {
	Agent       string    `json:"agent"`
	Kind        mail.Kind `json:"kind"`
	DeliveredAt *string   `json:"delivered_ts"`
	ReadAt      *string   `json:"read_ts"`
	AckAt       *string   `json:"ack_ts"`
}

// MarshalJSON writes every key; what is absent is null or an empty list.
func (l Line) MarshalJSON() ([]byte, error) {
	j := lineJSON{
		ID: protocol.OrNull(l.ID), OriginalID: protocol.OrNull(l.OriginalID), ThreadID: protocol.OrNull(l.ThreadID), From: l.From,
		To: protocol.NonNil(l.To), Cc: protocol.NonNil(l.Cc), Bcc: protocol.NonNil(l.Bcc), Subject: l.Subject, Body: l.Body,
		CreatedAt: mail.FormatTime(l.CreatedAt), AckRequired: l.AckRequired, Importance: l.Importance,
		ReplyTo: protocol.OrNull(l.ReplyTo), Intake: l.Intake, ChainHash: hashText(l.ChainHash), ArtifactHash: hashText(l.ArtifactHash),
		Deliveries: make([]deliveryJSON, 0, len(l.Deliveries)),
	}
	for _, d := range l.Deliveries {
		j.Deliveries = append(j.Deliveries, deliveryJSON{d.Agent, d.Kind, timeText(d.DeliveredAt), timeText(d.ReadAt), timeText(d.AckAt)})
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(j)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// WriteLine writes a line with its line feed.
func WriteLine(w io.Writer, l Line) error {
	data, err := l.MarshalJSON()
	if err == nil {
		_, err = w.Write(append(data, '\n'))
	}
	return err
}

func hashText(h canon.Hash) *string {
	if h == (canon.Hash{}) {
		return nil
	}
	text := h.String()
	return &text
}

func timeText(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := mail.FormatTime(t)
	return &text
}
