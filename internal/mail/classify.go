package mail

import (
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Classify tells the type of a message from its text (PROTOCOL 3). Only a reply to a DELTA
// needs a look at the body.
func Classify(subject, body string, intake protocol.Intake) protocol.MessageType {
	s, _ := protocol.ParseSubject(subject, intake)
	if s.Reply && s.Prefix == protocol.TypeDelta {
		return message.Check(message.Draft{Subject: subject, Body: body}, message.Facts{Intake: intake, Existing: true}).Type
	}
	return s.Classify(false)
}

// VersionOf tells the version that a message publishes, 0 if it is no COMPILED or names none.
func VersionOf(t protocol.MessageType, m *message.Message) int {
	if t != protocol.TypeCompiled {
		return 0
	}
	return message.CompiledVersion(m)
}
