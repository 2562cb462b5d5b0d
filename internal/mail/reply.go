package mail

import (
	"context"
	"strings"

	"brenner/internal/message"
)

// Reply answers a message. What the draft leaves empty comes from the message: the thread,
// the subject behind prefix (empty: "Re:"), its sender as the recipient; who answers their own
// message writes to its recipients again. NOT_FOUND: there is no such message.
func (s *Service) Reply(ctx context.Context, id int64, prefix string, out Outgoing) (Verdict, error) {
	out, err := s.completeReply(ctx, id, prefix, out)
	if err != nil {
		return Verdict{}, err
	}
	return s.Send(ctx, out)
}

// completeReply fills in what an answer takes from the message that it answers.
func (s *Service) completeReply(ctx context.Context, id int64, prefix string, out Outgoing) (Outgoing, error) {
	m, err := s.Message(ctx, id)
	if err != nil {
		return out, err
	}
	out.ReplyTo = id
	if out.ThreadID == "" {
		out.ThreadID = ThreadOfReply(&m)
	}
	if out.Subject == "" {
		out.Subject = ReplySubject(prefix, m.Subject)
	}
	if len(out.To)+len(out.Cc)+len(out.Bcc) == 0 {
		out.To = []string{m.From}
		if NameKey(m.From) == NameKey(out.From) {
			out.To, out.Cc = m.To, m.Cc
		}
	}
	return out, nil
}

// ReplySubject puts a prefix before a subject unless it has it already.
func ReplySubject(prefix, subject string) string {
	if prefix == "" {
		prefix = "Re:"
	}
	if len(subject) >= len(prefix) && strings.EqualFold(subject[:len(prefix)], prefix) {
		return subject
	}
	return prefix + " " + subject
}

// VisibleBcc returns the bcc recipients of a message that a viewer may see: all of them for
// its sender, itself for one of them, none for others.
func VisibleBcc(m *message.Message, viewer string) []string {
	if NameKey(m.From) == NameKey(viewer) {
		return m.Bcc
	}
	for _, name := range m.Bcc {
		if NameKey(name) == NameKey(viewer) {
			return []string{name}
		}
	}
	return nil
}
