package mail

import (
	"context"
	"fmt"

	"brenner/canon"
	"brenner/message"
	"brenner/protocol"
)

// Acknowledge records that an agent acknowledges a message, which it must have received
// (NOT_FOUND). With a body it posts an ACK message that names it, in the same transaction; without
// one it sets the time alone. Acknowledging again is a no-op and posts nothing (PROTOCOL 11).
func (s *Service) Acknowledge(ctx context.Context, agent string, id int64, body string) (Delivery, error) {
	if body == "" {
		return s.mark(ctx, agent, id, Acknowledged)
	}
	m, err := s.Message(ctx, id)
	if err != nil {
		return Delivery{}, err
	}
	d, err := s.delivery(ctx, agent, id)
	if err != nil || d.State() == Acknowledged {
		return d, err
	}
	if err := s.postAck(ctx, d.Agent, &m, body); err != nil {
		return Delivery{}, err
	}
	return s.delivery(ctx, agent, id)
}

func (s *Service) delivery(ctx context.Context, agent string, id int64) (Delivery, error) {
	found, err := s.store.Deliveries(ctx, DeliveryQuery{Project: s.project.ID, Messages: []int64{id}, Agent: agent})
	if err == nil && len(found) == 0 {
		err = NotReceived(agent, id)
	}
	if err != nil {
		return Delivery{}, err
	}
	return found[0], nil
}

// postAck writes the ACK message. Its key lets two calls at once post one message.
func (s *Service) postAck(ctx context.Context, agent string, m *Message, body string) error {
	notice := message.Acknowledgement(m.ID, m.Subject, message.AckStatuses()[0], body)
	if whole := message.Check(message.Draft{Subject: notice.Subject, Body: body}, message.Facts{}); !whole.Refused() {
		notice.Body = body // the caller wrote a whole ACK body
	}
	no := false
	l, err := s.address(ctx, &Outgoing{Draft: message.Draft{
		ThreadID: ThreadOfReply(m), From: agent, To: []string{m.From}, Subject: notice.Subject, Body: notice.Body,
		AckRequired: &no, ReplyTo: m.ID,
	}})
	if protocol.CodeOf(err) == protocol.AgentRetired {
		_, err = s.mark(ctx, agent, m.ID, Acknowledged) // nobody is left to be told
		return err
	}
	if err != nil {
		return err
	}
	if _, err := s.judge(ctx, l); err != nil {
		return err
	}
	l.entry.Acks = []Ack{{Message: m.ID, Agent: agent}}
	l.entry.Opens = false
	l.entry.Key = fmt.Sprintf("ack:%d:%s", m.ID, NameKey(agent))
	l.entry.Payload = canon.Hash{}
	_, err = s.store.Append(ctx, s.project.ID, s.Now(), l.entry)
	return err
}
