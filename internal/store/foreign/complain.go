package foreign

import (
	"context"

	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Complain implements mail.Complainer: authors are told, once for each message, what is wrong with mail that arrived
// already sent on a thread under the protocol (PROTOCOL 4).
func (s *Store) Complain(ctx context.Context, project mail.ProjectID, thread, from string) error {
	p, err := s.project(project)
	if err != nil {
		return err
	}
	messages, err := s.thread(ctx, p, thread)
	if err != nil || len(messages) == 0 || !message.Enforced(thread, messages[0].Type) {
		return err
	}
	told := map[string]bool{}
	for i := range messages {
		told[messages[i].Subject] = true
	}
	for i := range messages {
		m := &messages[i]
		findings := faults(m)
		if len(findings) == 0 || mail.NameKey(m.From) == mail.NameKey(from) {
			continue
		}
		notice := message.ValidationError(m.ID, findings)
		if told[notice.Subject] {
			continue
		}
		_, err := s.send(ctx, p, &mail.Entry{
			Message: message.Message{
				ThreadID: m.ThreadID, From: from, To: []string{m.From}, Subject: notice.Subject, Body: notice.Body,
				Importance: message.Normal,
			},
			Type: protocol.TypeInfo,
		})
		if err != nil && protocol.CodeOf(err) != protocol.UnknownAgent && protocol.CodeOf(err) != protocol.AgentRetired {
			return err
		}
	}
	return nil
}

// faults are the errors that the door would have refused the message for.
func faults(m *mail.Message) []protocol.Finding {
	report := message.Check(message.Draft{
		ThreadID: m.ThreadID, From: m.From, To: m.To, Cc: m.Cc, Subject: m.Subject, Body: m.Body, AckRequired: &m.AckRequired,
		Importance: m.Importance,
		ReplyTo:    m.ReplyTo,
	}, message.Facts{})
	var errors []protocol.Finding
	for _, f := range report.Findings {
		if f.Severity == protocol.SeverityError {
			errors = append(errors, f)
		}
	}
	return errors
}
