package merge

import (
	"encoding/json"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// MessageReport is what folding one message did.
type MessageReport struct {
	MessageID int64
	OriginID  int64 // its id wherever the thread travels (PROTOCOL 14)
	From      string
	Convener  bool   // the sender convenes the thread; not kept in a Window
	Shorthand string // of a DELTA, as its subject has it
	Type      protocol.MessageType
	Receipt   *delta.Receipt // of a DELTA that was merged, with item ids; nil otherwise
	Notes     []protocol.Finding
	MoreNotes int // counted only
	Applied   int // accepted blocks that changed the artifact
	Skipped   int // accepted blocks that did not
	Items     []Touch
	Changes   []Change        // not kept in a Window
	Text      *message.Report // what the text says; nil for a COMPILED; not kept in a Window

	place int // of the message in the thread, from 1
}

// Touch says what a message did to an item.
type Touch struct {
	Item artifact.ItemID
	Kind ChangeKind
}

// ChangeKind says what happened to an item or a unit.
type ChangeKind uint8

// The kinds of change. KindOverruled is a value that was accepted but is not kept, because
// another message of the same instant weighs more (PROTOCOL 7, conflict).
const (
	KindAdded ChangeKind = iota
	KindEdited
	KindKilled
	KindOverruled
)

// Change is one value that a message set, cleared or failed to carry through. Every value of
// an accepted block is in the artifact when its message was folded, or named here as
// overruled; when it leaves the artifact later, the Change that replaced it says so.
type Change struct {
	Item  artifact.ItemID
	Field string // a field, a key (predictions.H2) or a part (score.cost); empty for a kill
	Kind  ChangeKind
	Old   artifact.Value   // before the message; nil: absent
	New   artifact.Value   // after it; for KindOverruled, what was asked for
	By    *artifact.Source // the block that did it
	// Against is, for KindOverruled, where the value that holds came from; nil if the field was
	// absent before the instant.
	Against *artifact.Source
}

// Findings returns all findings of the message: those of its blocks, then those of the
// message itself.
func (r *MessageReport) Findings() []protocol.Finding {
	var all []protocol.Finding
	if r.Receipt != nil {
		all = r.Receipt.Findings()
	}
	return append(all, r.Notes...)
}

// note adds a finding about the message as a whole.
func (r *MessageReport) note(f protocol.Finding) { r.Notes = append(r.Notes, f) }

func (r *MessageReport) touch(id artifact.ItemID, kind ChangeKind) {
	if n := len(r.Items); n > 0 && r.Items[n-1] == (Touch{id, kind}) {
		return // the blocks of a message often work on one item
	}
	r.Items = append(r.Items, Touch{id, kind})
}

// Claim is a value and who asked for it.
type Claim struct {
	Agent     string // empty: the value was absent
	Value     artifact.Value
	MessageID int64
}

// MarshalJSON writes {agent, value, message_id}; what is absent is null.
func (c Claim) MarshalJSON() ([]byte, error) {
	type claim struct {
		Agent     *string         `json:"agent"`
		Value     json.RawMessage `json:"value"`
		MessageID *int64          `json:"message_id"`
	}
	j := claim{Value: artifact.AppendValue(nil, c.Value)}
	if c.Agent != "" {
		j.Agent, j.MessageID = &c.Agent, &c.MessageID
	}
	return json.Marshal(j)
}

// Conflict is a unit that several agents set to different values since the last COMPILED
// message. The winner is the value that holds; the losers are the agents that last asked
// for another one, the most recent first.
type Conflict struct {
	Item   artifact.ItemID `json:"item"`
	Field  string          `json:"field"`
	Winner Claim           `json:"winner"`
	Losers []Claim         `json:"losers"`
}
