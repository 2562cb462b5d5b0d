package merge

import (
	"maps"
	"slices"
	"strings"

	"brenner/message"
	"brenner/protocol"
)

// changing are the words without which no subject makes a message that changes the artifact, or what is
// kept of its items: the type of a message stands in its subject (PROTOCOL 3).
var changing = []string{string(protocol.TypeKickoff), string(protocol.TypeDelta), string(protocol.TypeCompiled)}

// Beside folds a message that leaves the artifact alone into a state of its own, while others read this
// one; both show the same artifact. It is false for a message that may change it: that is folded into a
// state that was loaded for it. A state must have been read once (Window) before others share it.
func (s *State) Beside(m message.Message) (*State, MessageReport, bool) {
	if slices.ContainsFunc(changing, func(word string) bool { return strings.Contains(m.Subject, word) }) {
		return nil, MessageReport{}, false
	}
	next := *s
	next.shared = false // for this one message
	next.agents = directory{names: slices.Clip(s.agents.names), places: maps.Clone(s.agents.places), known: maps.Clone(s.agents.known)}
	next.window = slices.Clip(s.window)
	report := next.Fold(m)
	next.shared = true
	return &next, report, true
}

// part makes the state one that nothing else shares. What was saved can always be loaded.
func (s *State) part() {
	if own, err := Load(s.Save()); err == nil {
		*s = *own
	}
}
