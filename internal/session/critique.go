package session

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"brenner/internal/artifact/delta"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Critique finds a CRITIQUE message of the thread. NOT_FOUND: it is none.
func (s *Session) Critique(id int64) (*fold.Critique, error) {
	for i := range s.View.Critiques {
		if c := &s.View.Critiques[i]; c.MessageID == id {
			return c, nil
		}
	}
	return nil, protocol.Errorf(protocol.NotFound, "message %d is not a CRITIQUE", id)
}

// critiqueByID finds a CRITIQUE message with its session.
func (s *Sessions) critiqueByID(ctx context.Context, id int64) (mail.Message, *Session, *fold.Critique, error) {
	m, err := s.mail.Message(ctx, id)
	if err != nil {
		return m, nil, nil, err
	}
	of, err := s.Session(ctx, m.ThreadID)
	if err != nil {
		return m, nil, nil, err
	}
	c, err := of.Critique(id)
	return m, of, c, err
}

// CritiqueShow returns one critique with its text.
func (s *Sessions) CritiqueShow(ctx context.Context, id int64) (fold.QueueEntry, error) {
	m, of, c, err := s.critiqueByID(ctx, id)
	if err != nil {
		return fold.QueueEntry{}, err
	}
	e := of.View.Entry(c)
	e.Body = &m.Body
	return e, nil
}

// AttackText is what a CRITIQUE message says, without what it names beside that: its target and how grave it is.
func AttackText(m *mail.Message) string {
	doc := message.Check(m.Draft(), message.Facts{Intake: protocol.Lenient, Existing: true}).Document
	var parts []string
	for _, name := range []string{"Attack", "Evidence", "Proposed Resolution"} {
		said := fold.SectionText(doc, name)
		switch {
		case said == "" || strings.EqualFold(strings.Trim(said, ". "), "none"):
		case name == "Attack":
			parts = append(parts, said)
		default:
			parts = append(parts, "## "+name+"\n\n"+said)
		}
	}
	return strings.Join(parts, "\n\n")
}

// CritiqueAnswer records a rebuttal.
func (s *Sessions) CritiqueAnswer(ctx context.Context, id int64, as, text string) (mail.Verdict, error) {
	m, of, c, err := s.critiqueByID(ctx, id)
	if err != nil {
		return mail.Verdict{}, err
	}
	if strings.TrimSpace(text) == "" {
		return mail.Verdict{}, protocol.Errorf(protocol.InvalidInput, "a rebuttal says why the critique does not hold: its body is empty")
	}
	if err := of.convenes(as, "record a rebuttal"); err != nil {
		return mail.Verdict{}, err
	}
	n := fold.Rebuttal(*c, text)
	return s.tell(ctx, of.View, mail.Outgoing{Draft: message.Draft{From: as, Subject: n.Subject, Body: n.Body, ReplyTo: m.ID}})
}

// convenes refuses what only a convener of the thread may do (PROTOCOL 3).
func (s *Session) convenes(as, what string) error {
	if s.View.Fold.Convener(as) {
		return nil
	}
	return protocol.Errorf(protocol.NotAllowed, "%s does not convene %s and cannot %s: whoever sent its first KICKOFF can, and %s",
		as, s.ID(), what, protocol.Operator)
}

// CritiquePromote makes a C item of a CRITIQUE message, through a DELTA of who promotes it. Promoting
// again gives the first result, or CONFLICT where it would be another message. The DELTA does not
// answer the critique: that would close it.
func (s *Sessions) CritiquePromote(ctx context.Context, id int64, as string) (mail.Verdict, error) {
	m, of, c, err := s.critiqueByID(ctx, id)
	if err != nil {
		return mail.Verdict{}, err
	}
	checked := message.Check(m.Draft(), message.Facts{Intake: protocol.Lenient, Existing: true})
	payload := struct {
		Name     string `json:"name"`
		Attack   string `json:"attack"`
		Evidence string `json:"evidence"`
		Status   string `json:"current_status"`
	}{c.Title, fold.SectionText(checked.Document, "Attack"), fold.SectionText(checked.Document, "Evidence"), "open"}
	if payload.Evidence == "" {
		payload.Evidence = "As argued in message " + strconv.FormatInt(id, 10)
	}
	if c.Severity != "" {
		payload.Status = "open, " + strings.ToLower(c.Severity)
	}
	block, err := json.MarshalIndent(struct {
		Operation delta.Operation `json:"operation"`
		Section   string          `json:"section"`
		Target    *string         `json:"target_id"`
		Payload   any             `json:"payload"`
		Rationale string          `json:"rationale"`
	}{delta.Add, "adversarial_critique", nil, payload, fmt.Sprintf("Promoted from the critique of %s, message %d.", c.From, id)}, "", "  ")
	if err != nil {
		return mail.Verdict{}, err
	}
	author, err := s.author(ctx, as)
	if err != nil {
		return mail.Verdict{}, err
	}
	sent, err := s.tell(ctx, of.View, mail.Outgoing{Key: "promote:" + formatID(id), Draft: message.Draft{
		From: as, Subject: author.DeltaSubject("%s", fold.Promotion(*c)),
		Body: message.DeltaBody("The critique of message "+formatID(id)+" becomes an item.\n\n**Promotes**: #"+formatID(c.OriginID),
			string(block)),
	}})
	if protocol.CodeOf(err) == protocol.IdempotencyConflict {
		err = protocol.Errorf(protocol.Conflict, "critique %d was promoted before", id)
	}
	return sent, err
}
