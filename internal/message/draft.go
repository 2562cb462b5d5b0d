package message

import (
	"time"

	"brenner/internal/artifact/delta"
	"brenner/internal/markup"
	"brenner/internal/protocol"
)

// Draft is a message before it is accepted, as its sender wrote it.
type Draft struct {
	ThreadID    string // empty: none is given
	From        string
	To, Cc, Bcc []string
	Subject     string
	Body        string
	AckRequired *bool // nil: the type's default applies
	Importance  Importance
	ReplyTo     int64     // 0 if it answers none
	CreatedAt   time.Time // zero until it is accepted
}

// Draft returns the message as its sender wrote it, to be judged again.
func (m *Message) Draft() Draft {
	return Draft{
		ThreadID: m.ThreadID, From: m.From, To: m.To, Cc: m.Cc, Bcc: m.Bcc,
		Subject: m.Subject, Body: m.Body, AckRequired: &m.AckRequired,
		Importance: m.Importance, ReplyTo: m.ReplyTo, CreatedAt: m.CreatedAt,
	}
}

// Place is where a KICKOFF is among those of its thread.
type Place uint8

// The places. Where the thread is not known, a body that names a base artifact or a round
// above the first is taken at its word.
const (
	PlaceUnknown Place = iota
	FirstKickoff
	LaterKickoff
)

// Facts is what only a project can know about a message. The zero value judges text alone,
// as on an enforced thread.
type Facts struct {
	// Intake is lenient where the thread is not enforced or the mail exists already: findings
	// are then warnings (PROTOCOL 3). Empty is strict.
	Intake protocol.Intake
	// Existing is for mail that was sent before it reached us (imports, a foreign server) and for what stands in a thread:
	// it can no longer be refused for its size, nor for the form of an open field (SCIENCE, preamble).
	Existing bool
	// Kickoff is the place of the message in its thread if it is a KICKOFF.
	Kickoff Place
	// AgentRegistered tells whether an agent is registered; nil: names are checked for form.
	AgentRegistered func(name string) bool
	// AgentRetired tells whether a registered agent no longer takes part; nil: none has retired.
	AgentRetired func(name string) bool
	// BeadExists tells whether a bead exists, and whether that can be known; nil: no beads.
	BeadExists func(id string) (exists, known bool)
	// SenderShorthand is the shorthand of the sender's program and model; empty: unknown.
	SenderShorthand string
	// Versions tells whether the thread has a version; nil: unknown.
	Versions func(n int) bool
	// LatestVersion is the thread's latest version, 0 before the first; nil: unknown.
	LatestVersion *int
	// Text is what was read of the body before, under the same intake; nil: it is read now.
	Text *Text
}

// Report is what Check has to say about a draft.
type Report struct {
	Type        protocol.MessageType
	Subject     protocol.Subject
	AckRequired bool // as given, or the type's default
	Findings    []protocol.Finding
	More        int            // findings that are counted only: Findings has what an answer lists
	Receipt     *delta.Receipt // nil for a message without delta blocks that is no DELTA
	Deltas      []delta.Delta  // the accepted deltas of a DELTA; nil for every other type
	References  References
	Beliefs     []Belief         // the belief blocks that can be heard
	Document    *markup.Document // of the body; never nil
	Text        *Text            // what was read; nil for a body that cannot be
}

// DocumentOf returns the structure of the body that was checked, also of one that Check does not read for its size or encoding.
func (r *Report) DocumentOf(body string) *markup.Document {
	if r.Text == nil {
		return markup.Parse(body)
	}
	return r.Document
}

// Add adds findings that others have about the message. The list keeps its bound.
func (r *Report) Add(findings ...protocol.Finding) {
	listed, more := protocol.Listed(append(r.Findings, findings...))
	r.Findings, r.More = listed, r.More+more
}

// Refused tells whether the findings have an error: the door then refuses the message.
func (r *Report) Refused() bool { return protocol.HasErrors(r.Findings) }

// Enforced tells whether a thread is under the protocol: every research thread, and any
// thread whose first message is a KICKOFF (PROTOCOL 3). first is the type of that message,
// the one being sent if there is none before it, and empty where it is not known.
func Enforced(threadID string, first protocol.MessageType) bool {
	return protocol.KindOf(threadID) == protocol.Research || first == protocol.TypeKickoff
}
