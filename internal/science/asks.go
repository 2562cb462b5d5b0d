package science

import (
	"slices"
	"strings"

	"brenner/internal/protocol"
)

// Ask is a QUESTION or a BLOCKED, and who replied to it.
type Ask struct {
	MessageID int64
	Type      protocol.MessageType
	From      string
	To        []string // and cc
	Subject   string
	Replies   []string // senders of replies
}

// asks takes in a QUESTION, a BLOCKED, or a reply to one.
func (s *State) asks(step Step) {
	m := step.Message
	if t := step.Report.Type; t == protocol.TypeQuestion || t == protocol.TypeBlocked {
		s.Asks = append(s.Asks, Ask{
			MessageID: m.ID, Type: t, From: step.Report.From, To: slices.Concat(m.To, m.Cc), Subject: strings.Clone(m.Subject),
		})
	}
	if m.ReplyTo == 0 {
		return
	}
	at := slices.IndexFunc(s.Asks, func(a Ask) bool { return a.MessageID == m.ReplyTo })
	if at >= 0 {
		s.Asks = slices.Clone(s.Asks)
		s.Asks[at].Replies = append(slices.Clip(s.Asks[at].Replies), step.Report.From)
	}
}
