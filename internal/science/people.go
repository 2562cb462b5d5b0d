package science

import (
	"slices"
	"strings"

	"brenner/internal/message"
	"brenner/internal/protocol"
)

// people takes in the roster of a KICKOFF: what a later one says of an agent replaces what an
// earlier one said.
func (s *State) people(step Step) {
	if step.Report.Type != protocol.TypeKickoff || step.Report.Text == nil {
		return
	}
	roster, ok := message.ParseSessionConfiguration(step.Report.Text.Document)
	if !ok {
		return
	}
	next := slices.Clone(s.Rostered)
	for _, e := range roster.Entries {
		if e.Program == "" && e.Model == "" {
			continue
		}
		next = slices.DeleteFunc(next, func(a Agent) bool { return protocol.SameAgent(a.Name, e.AgentName) })
		next = append(next, Agent{Name: strings.Clone(e.AgentName), Program: strings.Clone(e.Program), Model: strings.Clone(e.Model)})
	}
	s.Rostered = next
}

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
