package mail

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"brenner/internal/canon"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// AckNote is what an acknowledgement says. The zero value says nothing: no message is posted.
type AckNote struct {
	Status string // one of message.AckStatuses, ignoring case; empty: the usual one
	Body   string
}

// Acknowledge records that an agent acknowledges a message, which it must have received
// (NOT_FOUND). With a body it posts an ACK message that names it, in the same transaction; without
// one it sets the time alone. Acknowledging again changes no time; a body that was not given before is
// posted all the same (PROTOCOL 11).
func (s *Service) Acknowledge(ctx context.Context, agent string, id int64, body string) (Delivery, error) {
	return s.AcknowledgeWith(ctx, agent, id, AckNote{Body: body})
}

// AcknowledgeWith is Acknowledge with all that can be said. INVALID_INPUT: there is no such status.
func (s *Service) AcknowledgeWith(ctx context.Context, agent string, id int64, note AckNote) (Delivery, error) {
	if note == (AckNote{}) {
		return s.mark(ctx, agent, id, Acknowledged)
	}
	status, err := ackStatus(note.Status)
	if err != nil {
		return Delivery{}, err
	}
	d, err := s.delivery(ctx, agent, id)
	if err != nil {
		return d, err
	}
	m, err := s.Message(ctx, id)
	if err != nil {
		return Delivery{}, err
	}
	if err := s.postAck(ctx, d.Agent, &m, AckNote{status, note.Body}); err != nil {
		return Delivery{}, err
	}
	return s.delivery(ctx, agent, id)
}

// ackStatus returns the status as it is written; empty stays empty.
func ackStatus(word string) (string, error) {
	if word == "" {
		return "", nil
	}
	for _, status := range message.AckStatuses() {
		if strings.EqualFold(status, strings.TrimSpace(word)) {
			return status, nil
		}
	}
	return "", protocol.Errorf(protocol.InvalidInput, "%.40q is no status of an acknowledgement: write one of %s",
		word, strings.Join(message.AckStatuses(), ", "))
}

func (s *Service) delivery(ctx context.Context, agent string, id int64) (Delivery, error) {
	found, err := s.store.Deliveries(ctx, DeliveryQuery{Project: s.project.ID, Messages: []int64{id}, Agent: agent})
	if err == nil && len(found) == 0 {
		err = s.orArchived(ctx, agent, id, NotReceived(agent, id))
	}
	if err != nil {
		return Delivery{}, err
	}
	return found[0], nil
}

// postAck writes the ACK message. Its key lets calls that say the same post one message.
func (s *Service) postAck(ctx context.Context, agent string, m *Message, note AckNote) error {
	notice := message.Acknowledgement(m.ID, m.Subject, cmp.Or(note.Status, message.AckStatuses()[0]), note.Body)
	whole := message.Check(message.Draft{Subject: notice.Subject, Body: note.Body}, message.Facts{})
	if !whole.Refused() && (note.Status == "" || whole.References.Status == note.Status) {
		notice.Body = note.Body // the caller wrote a whole ACK body
	}
	no := false
	l, err := s.address(ctx, &Outgoing{Draft: message.Draft{
		ThreadID: ThreadOfReply(m), From: agent, To: []string{m.From}, Subject: notice.Subject, Body: notice.Body,
		AckRequired: &no, ReplyTo: m.ID,
	}})
	if protocol.CodeOf(err) == protocol.AgentRetired {
		_, err = s.mark(ctx, agent, m.ID, Acknowledged) // no agent is left to be told
		return err
	}
	if err != nil {
		return err
	}
	if _, err := s.judge(ctx, l); err != nil {
		return err
	}
	if ack := (Ack{Message: m.ID, Agent: agent}); !slices.Contains(l.entry.Acks, ack) {
		l.entry.Acks = append(l.entry.Acks, ack)
	}
	l.entry.Opens = false
	l.entry.Key = fmt.Sprintf("ack:%d:%s:%s", m.ID, NameKey(agent), canon.SumTexts(notice.Body))
	l.entry.Payload = canon.Hash{}
	_, err = s.store.Append(ctx, s.project.ID, s.Now(), l.entry)
	return err
}
