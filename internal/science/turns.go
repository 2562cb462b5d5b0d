package science

import (
	"cmp"
	"slices"

	"brenner/internal/artifact"
)

// turn is a message that may move belief, with what it brought: additions come first, then results, then kills, and what its sender
// says comes after all else (SCIENCE 4, one agent's distribution).
type turn struct {
	Mark
	added  []World
	killed []World
	tests  []artifact.ItemID // whose results or looks it may have changed
	said   []*Credences
	roll   bool // it may have changed what is known of the agents
}

// turns lists the messages that may move belief, in order.
func (s *State) turns() []*turn {
	byPlace := map[int]*turn{}
	at := func(m Mark) *turn {
		t := byPlace[m.Place]
		if t == nil {
			t = &turn{Mark: m}
			byPlace[m.Place] = t
		}
		return t
	}
	for i, h := range s.Beliefs.Hypotheses.All() {
		if h.Added.Place > 0 {
			at(h.Added).added = append(at(h.Added).added, World(i+1))
		}
		if h.Killed.Place > 0 {
			at(h.Killed).killed = append(at(h.Killed).killed, World(i+1))
		}
	}
	for _, c := range s.Beliefs.Said.All() {
		at(c.Mark).said = append(at(c.Mark).said, c)
	}
	for _, m := range s.Roll.Past {
		at(m.Mark).roll = true
	}
	s.Results.turns(at)
	list := make([]*turn, 0, len(byPlace))
	for _, t := range byPlace {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b *turn) int { return cmp.Compare(a.Place, b.Place) })
	return list
}

// turns notes the messages that changed which results stand, or when somebody first looked.
func (r *Results) turns(at func(Mark) *turn) {
	note := func(m Mark, id artifact.ItemID) {
		if t := at(m); !slices.Contains(t.tests, id) {
			t.tests = append(t.tests, id)
		}
	}
	for _, g := range r.Given.All() {
		note(Mark{g.Place, g.MessageID, g.At}, g.Test)
	}
	for _, w := range r.Withdrawals.All() {
		note(Mark{w.Place, w.MessageID, w.At}, w.Test)
	}
	for i, t := range r.Tests.All() {
		if t == nil {
			continue
		}
		for _, l := range t.Looks[min(1, len(t.Looks)):] {
			note(Mark{Place: l.Since, MessageID: l.MessageID, At: l.At}, artifact.NewItemID(artifact.DiscriminativeTests, i+1))
		}
	}
}
