package merge

import (
	"slices"
	"strings"

	"brenner/internal/message"
	"brenner/internal/protocol"
)

// ofDelta are the findings about a DELTA as a whole that a compile repeats, beside those of
// its blocks; ofOthers those about other messages. The rest concerns the door only.
var (
	ofDelta = []protocol.Code{
		protocol.MB004, protocol.MB005, protocol.MB102, protocol.MB122,
		protocol.NoAcceptedDelta, protocol.AP009,
	}
	ofOthers = []protocol.Code{protocol.MB121, protocol.AP009}
)

// take folds what a message says that is no COMPILED.
func (s *State) take(m *message.Message, reading Reading, r *MessageReport) {
	reading = reading.in(s, m)
	check := reading.check
	r.Type, r.Text = check.Type, check
	codes := ofOthers
	if r.Type == protocol.TypeDelta {
		codes = ofDelta
		r.Shorthand = s.word(check.Subject.Shorthand)
	}
	readable := true
	for _, f := range check.Findings {
		switch {
		case message.RefusesAnyMail(f.Code):
			readable = false
		case !slices.Contains(codes, f.Code):
			continue
		}
		if r.Type == protocol.TypeDelta || !readable { // lowered for the door: here it was not merged
			f = f.As(f.Code.Info().Severity)
		}
		r.note(f)
	}
	if r.Type == protocol.TypeDelta {
		r.Receipt = check.Receipt
	}
	if !readable {
		return
	}
	switch r.Type {
	case protocol.TypeKickoff:
		s.foldKickoff(m, check, r)
	case protocol.TypeDelta:
		s.foldDelta(m, check, r)
	case protocol.TypeCompiled:
		s.foldCompiled(m, r)
	case protocol.TypeInfo:
		s.closed = s.closed || s.Completes(m.From, m.Subject)
	}
}

// word returns a shorthand without keeping the subject that it is a part of.
func (s *State) word(shorthand string) string {
	if word, ok := s.spoken[shorthand]; ok {
		return word
	}
	return strings.Clone(shorthand)
}
