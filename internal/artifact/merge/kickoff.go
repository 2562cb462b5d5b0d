package merge

import (
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/markup"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// opening is what a KICKOFF says about the research thread.
type opening struct {
	seen     bool // there was a KICKOFF
	title    string
	question string
	context  string
}

// foldKickoff opens the thread, or edits the research thread where this KICKOFF differs from
// the one before (PROTOCOL 7): one start sends a KICKOFF to each recipient, and a later round
// repeats what has not changed. What a KICKOFF does not say, it does not change.
func (s *State) foldKickoff(m *message.Message, check *message.Report, r *MessageReport) {
	s.openers.add(m.From)
	s.closed = s.closed && !s.Convener(m.From) // PROTOCOL 10: a convener's later KICKOFF reopens
	if roster, ok := message.ParseSessionConfiguration(check.Document); ok && !s.seats.holds(roster) {
		s.seats.seat(roster)
		for _, e := range roster.Entries {
			s.rostered.add(e.AgentName)
		}
	}
	k := readOpening(check.Document)
	if k.question == "" && !(s.opening.seen && (check.References.Round > 0 || k.title == s.opening.title)) {
		k.question = k.title // later, the title may name the round, or what it always named
	}
	src := &artifact.Source{MessageID: m.ID, Agent: m.From, At: m.CreatedAt}
	s.open(artifact.Statement, k.question, &s.opening.question, src, r)
	s.open(artifact.Context, k.context, &s.opening.context, src, r)
	s.opening.seen, s.opening.title = true, k.title
}

func readOpening(doc *markup.Document) opening {
	var k opening
	if title, ok := doc.Title(); ok {
		k.title = strings.TrimSpace(title.Text)
	}
	if question, ok := doc.Section("Research Question"); ok {
		k.question = strings.TrimSpace(question.Text)
	}
	if context, ok := doc.Section("Context"); ok {
		k.context = strings.TrimSpace(context.Text)
	}
	return k
}

// open sets a field of the research thread if the KICKOFF says something new. A KICKOFF is
// no claim: it is never a party to a conflict.
func (s *State) open(field, text string, last *string, src *artifact.Source, r *MessageReport) {
	if text == "" || text == *last {
		return
	}
	if len(text) > artifact.MaxFieldBytes {
		r.note(protocol.NewFinding(protocol.FieldTooLong, "The KICKOFF's text for %s has %d bytes; it was not taken.", field, len(text)).
			On(string(artifact.RT)))
		return
	}
	*last = text
	rt := s.entries[artifact.ResearchThread][0]
	now := rt.item.Get(field)
	if artifact.Equal(now, artifact.Text(text)) {
		return
	}
	rt = s.writable(rt)
	u := s.unit(rt, field, field, now)
	u.reopen(src.At, standing{now, rt.item.Source(field)}, r.place)
	rt.item.Set(field, artifact.Text(text))
	rt.item.SetSource(field, src)
	r.Changes = append(r.Changes, Change{Item: artifact.RT, Field: field, Kind: KindEdited, Old: now, New: artifact.Text(text), By: src})
	if s.opening.seen { // what the first KICKOFF says is no edit
		r.touch(artifact.RT, KindEdited)
	}
}

// holds tells whether a roster is in force already: the KICKOFFs of one start repeat it.
func (s *seating) holds(r protocol.Roster) bool {
	if !s.given || s.roster.Mode != r.Mode || s.roster.Name != r.Name || s.roster.CreatedAt != r.CreatedAt ||
		len(s.roster.Entries) != len(r.Entries) {
		return false
	}
	for i, e := range r.Entries {
		if e != s.roster.Entries[i] {
			return false
		}
	}
	return true
}
