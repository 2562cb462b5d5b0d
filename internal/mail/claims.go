package mail

import (
	"fmt"
	"time"

	"brenner/internal/protocol"
)

// Testimony is what a record says of itself and nobody can derive from it (SCIENCE 9, what verify says).
type Testimony struct {
	Backwards int            // messages that are dated before one that stands in front of them
	imported  map[int64]bool // messages whose times and order are an importer's word
	senders   map[string]bool
	late      int64 // the first message that is dated backwards
	latest    map[string]time.Time
}

// hear takes the next message of a thread.
func (t *Testimony) hear(m *Message) {
	if t.senders == nil {
		t.senders, t.latest, t.imported = map[string]bool{}, map[string]time.Time{}, map[int64]bool{}
	}
	t.senders[NameKey(m.From)] = true
	if m.Imported || m.Intake == protocol.Lenient {
		t.imported[m.ID] = true
	}
	switch latest := t.latest[m.ThreadID]; {
	case m.ThreadID == "": // a chain of its own
	case m.CreatedAt.Before(latest):
		if t.Backwards++; t.late == 0 {
			t.late = m.OriginID()
		}
	default:
		t.latest[m.ThreadID] = m.CreatedAt
	}
}

// Claims lists what was only claimed, in the order of the law. What a signature or a witness would prove is told by those
// who look for them.
func (t *Testimony) Claims() []protocol.Claim {
	var list []protocol.Claim
	claim := func(code protocol.Code, format string, args ...any) {
		list = append(list, protocol.Claim{Code: code, Message: fmt.Sprintf(format, args...)})
	}
	if n := len(t.imported); n > 0 {
		list = append(list, ImportedClaim(n))
	}
	if t.Backwards > 0 {
		claim(protocol.TimeBackwards, "The clock goes backwards in %s, first in message %d.", protocol.Plural(t.Backwards, "message"),
			t.late)
	}
	if n := len(t.senders); n > 0 {
		claim(protocol.SendersUnproven, "Nothing proves who wrote under %s: one operator could have played them all.",
			protocol.Plural(n, "name"))
	}
	return list
}

// ImportedClaim is claimed by a record of which a number of messages was imported.
func ImportedClaim(messages int) protocol.Claim {
	return protocol.Claim{Code: protocol.RecordImported, Message: fmt.Sprintf(
		"Times and order of %s are the importer's word: they did not come through the door here.", protocol.Plural(messages, "message"))}
}

// NoWitness is claimed by every record of which no witness outside has seen a checkpoint.
var NoWitness = protocol.Claim{
	Code:    protocol.Unwitnessed,
	Message: "No witness outside has seen the record: whoever kept it could have written it again, with other times.",
}
