package merge

import (
	"maps"
	"slices"

	"brenner/internal/artifact"
)

// owner marks the entries and units that one state alone may change. All others are shared with a
// fork and are copied first.
type owner struct{ _ byte } // not empty: each needs an address of its own

// Fork returns a second state of the same messages. Both can be folded further, and neither sees what
// the other folds: what they share is copied when one of them changes it, item by item. A state that
// no one folds any more is a snapshot, which any number of goroutines may read and fork.
func (s *State) Fork() *State {
	if !s.forked {
		s.level()
		s.disown()
	}
	fork := *s
	fork.mark = &owner{}
	fork.shorthands, fork.versions, fork.contested = slices.Clip(s.shorthands), slices.Clip(s.versions), slices.Clip(s.contested)
	fork.window, fork.agents.names = slices.Clip(s.window), slices.Clip(s.agents.names)
	fork.graveyard = graveyard{buried: slices.Clip(s.graveyard.buried)}
	return &fork
}

// disown makes everything shared.
func (s *State) disown() {
	s.forked, s.mark = true, &owner{}
	s.detached = [sections]bool{}
	s.openers.shared, s.rostered.shared = true, true
	s.sealed, s.agents.shared, s.sharedCredits, s.sharedNumbers = true, true, true, true
}

// changing returns the artifact as one that no fork shows.
func (s *State) changing() *artifact.Artifact {
	if s.sealed {
		s.artifact, s.sealed = s.artifact.Fork(), false
	}
	return s.artifact
}

// list returns the entries of a section in a slice that no fork has.
func (s *State) list(section artifact.Section) []*entry {
	if !s.detached[section] {
		old := s.entries[section]
		s.entries[section] = append(make([]*entry, 0, len(old)+1+len(old)/8), old...)
		s.detached[section] = true
	}
	return s.entries[section]
}

// writable returns the entry as one that this state alone has.
func (s *State) writable(e *entry) *entry {
	if e.owner == s.mark {
		return e
	}
	c := *e
	c.owner, c.item, c.units = s.mark, e.item.Clone(), maps.Clone(e.units)
	c.lists, c.refs, c.overlays = nil, nil, nil // made for one state; Fork has levelled
	place := 0
	if c.item.Section != artifact.ResearchThread {
		place = c.item.ID.Number() - 1
	}
	s.list(c.item.Section)[place] = &c
	s.changing().Replace(c.item)
	return &c
}

// known finds what is remembered of a unit of a writable entry, to be changed; nil if there is nothing.
func (s *State) known(e *entry, key string) *unit {
	u := e.units[key]
	if u == nil || u.owner == s.mark {
		return u
	}
	c := *u
	c.owner, c.tied, c.tally, c.recent = s.mark, u.tied.clone(), nil, u.recent.clone()
	e.units[key] = &c
	return &c
}

func (b *ballot) clone() *ballot {
	if b == nil {
		return nil
	}
	return &ballot{claims: slices.Clone(b.claims), since: b.since}
}

// detach makes the directory's maps ones that no fork has.
func (d *directory) detach() {
	if d.shared {
		d.places, d.known, d.shared = maps.Clone(d.places), maps.Clone(d.known), false
	}
}

// detachCredits makes the lists of contributors ones that no fork has.
func (s *State) detachCredits() {
	if s.sharedCredits {
		s.contributors = slices.Clone(s.contributors)
		s.credits, s.spoken, s.sharedCredits = maps.Clone(s.credits), maps.Clone(s.spoken), false
	}
}
