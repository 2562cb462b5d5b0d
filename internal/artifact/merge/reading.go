package merge

import (
	"strings"

	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Reading is what a message says by itself, whatever thread it is in. Reading is most of the work of a fold
// and needs nothing of the messages before: a caller may read messages ahead, in goroutines of its own, and
// fold them in order. A reading is folded once.
type Reading struct {
	check *message.Report // nil: a COMPILED, which the fold does not read
}

// Read reads a message.
func Read(m *message.Message) Reading { return ReadAgain(m, nil) }

// ReadAgain is Read for a message whose text was read before; nil: it was not. The text is not used again.
func ReadAgain(m *message.Message, text *message.Text) Reading {
	if strings.HasPrefix(m.Subject, compiledPrefix) {
		return Reading{}
	}
	return read(m, message.Facts{Intake: m.Intake, Existing: true, Text: text, Versions: everyVersion})
}

// everyVersion takes a thread to have all the versions that a text refers to, until it is folded.
func everyVersion(int) bool { return true }

func read(m *message.Message, facts message.Facts) Reading {
	// What the door alone judges is left out: the thread's id, names, acknowledgement.
	return Reading{message.Judge(message.Draft{Subject: m.Subject, Body: m.Body, ReplyTo: m.ReplyTo}, facts)}
}

// in returns the reading of a message in its thread: what was read, or, where the text refers to a version
// that the thread does not have, what it comes to there.
func (r Reading) in(s *State, m *message.Message) Reading {
	refs := &r.check.References
	same := r.check.Type != protocol.TypeCompiled
	for _, n := range [...]int{refs.BaseVersion, refs.BaseArtifact, refs.Target.Version} {
		same = same && (n == 0 || s.exists(n))
	}
	if same {
		return r
	}
	return read(m, message.Facts{Intake: m.Intake, Existing: true, Versions: s.exists, LatestVersion: &s.latest().Number})
}
