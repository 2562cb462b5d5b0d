package journal

import (
	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Kind is why a message has a leaf.
type Kind string

// The kinds, the first that fits first (SCIENCE 11). None is that of a message without a leaf.
const (
	None       Kind = ""
	Complete   Kind = "complete"
	Version    Kind = "version"
	Start      Kind = "start"
	Result     Kind = "result"
	Prediction Kind = "prediction"
)

// Candidate is the kind that the message by itself may have. Complete and Start are so only if the letters before it agree
// (Story.Kind). A message without a thread has none. A text that was read under the message's intake is not parsed again; nil: it
// was not read.
func Candidate(m *message.Message, t protocol.MessageType, text *message.Text) Kind {
	if m.ThreadID == "" {
		return None
	}
	if _, ok := message.CompletedVersion(m.Subject); ok {
		return Complete
	}
	switch t {
	case protocol.TypeCompiled:
		return Version
	case protocol.TypeKickoff:
		return Start
	case protocol.TypeDelta:
		if text == nil {
			text = message.ReadText(m.Body, m.Intake)
		}
		_, reading := text.Parts()
		return contribution(reading.AtDoor())
	}
	return None
}

// contribution is what the accepted blocks of a DELTA write: a result, else a prediction, else neither.
func contribution(r delta.Reading) Kind {
	kind := None
	for i := range r.Deltas {
		d := &r.Deltas[i]
		if d.Operation == delta.Kill {
			continue
		}
		switch d.Section {
		case artifact.DiscriminativeTests:
			if writesResult(d) {
				return Result
			}
			kind = Prediction
		case artifact.PredictionsTable:
			kind = Prediction
		}
	}
	return kind
}

// writesResult tells whether a block writes what a test came to. A neutral value, which lenient intake adds, has no line.
func writesResult(d *delta.Delta) bool {
	for i := range d.Fields {
		if f := &d.Fields[i]; f.Line > 0 && outcome(f.Name) {
			return true
		}
	}
	for i := range d.Extra {
		if outcome(d.Extra[i].Name) {
			return true
		}
	}
	return false
}

func outcome(field string) bool {
	return field == artifact.LastRun || field == artifact.Status || field == artifact.ActualOutcomes
}

// Story is what the letters before a message say about its thread, as far as kinds depend on it.
type Story struct {
	Begun     bool         // it has a KICKOFF
	First     string       // who sent that
	Versions  map[int]bool // of its COMPILED messages
	Completed bool         // it has a complete leaf
}

// Asks tells whether a kind depends on the letters before its message.
func (k Kind) Asks() bool { return k == Complete || k == Start }

// Kind is the kind of the thread's next message with a candidate kind.
func (s *Story) Kind(candidate Kind, m *message.Message) Kind {
	switch candidate {
	case Complete:
		version, _ := message.CompletedVersion(m.Subject)
		if s.Versions[version] && protocol.Convenes(s.First, m.From) {
			return Complete
		}
		return None // its subject makes it an INFO
	case Start:
		if s.Begun {
			return None
		}
	}
	return candidate
}

// Tell adds a message with its kind to the story.
func (s *Story) Tell(from string, t protocol.MessageType, version int, kind Kind) {
	if t == protocol.TypeKickoff && !s.Begun {
		s.Begun, s.First = true, from
	}
	if t == protocol.TypeCompiled && version > 0 {
		if s.Versions == nil {
			s.Versions = map[int]bool{}
		}
		s.Versions[version] = true
	}
	s.Completed = s.Completed || kind == Complete
}
