package merge

import (
	"time"

	"brenner/internal/artifact"
)

// entry is what the merge keeps of an item beside the item itself.
type entry struct {
	owner  *owner
	item   *artifact.Item
	source *artifact.Source // of its ADD; nil for the research thread
	added  int              // place of that message in the thread
	human  bool             // that message is a DELTA[human]
	units  map[string]*unit // edited units by key
	lists  map[string]members[string]
	refs   members[artifact.Reference]

	overlays map[string]map[string]artifact.Value // by field: see overlay
}

// members is the set behind a long list, so that uniting does not look through all of it.
// It is made when needed and never saved.
type members[T comparable] map[T]struct{}

// unit is what the merge remembers of an edited unit. Units that are still as their ADD
// made them have none: their source says all there is to know.
type unit struct {
	owner    *owner
	at       time.Time // the instant of the last claim
	before   standing  // the value before that instant
	last     claim     // the last claim; alone at its instant while tied is nil
	tied     *ballot   // the claims of several agents at that instant
	tally    *tally    // of tied; made when needed and never saved
	disputed bool      // no one in the roster decides tied
	recent   *ballot   // the claims of several agents since the last COMPILED message
	listed   bool      // it is in the window's list of contests
	changed  int       // place of the message that last changed the value
}

// standing is a value and where it came from.
type standing struct {
	value  artifact.Value
	source *artifact.Source
}

// unitKey names a unit in entry.units. Fields that no table names get a mark of their own:
// one could be called like a key of a map.
func unitKey(path string, k unitKind) string {
	if k == unknownField {
		return unknownMark + path
	}
	return path
}

// unknownMark begins the key of a field that no table names.
const unknownMark = "+"

// unitKind says where a unit lives.
type unitKind uint8

const (
	namedField unitKind = iota
	unknownField
)

// unit finds what is remembered of a unit, or begins to remember: of a value that came with
// the item's ADD, that this was a claim. The value an item came with also counts as what
// stood before, since nothing did.
func (s *State) unit(e *entry, key, path string, now artifact.Value) *unit {
	if u := s.known(e, key); u != nil {
		return u
	}
	u := &unit{owner: s.mark}
	if src := e.item.Source(path); src != nil && src == e.source {
		u.at, u.changed = src.At, e.added
		u.before = standing{now, src}
		u.last = claim{s.agents.number(src.Agent), e.human, e.added, now, src}
	}
	if e.units == nil {
		e.units = make(map[string]*unit)
	}
	e.units[key] = u
	return u
}

// remember notes a claim for the report of the window that began after a place, and tells
// whether the unit has just become one that several agents asked about in it. There it does
// not matter who spoke as a person.
func (u *unit) remember(c claim, since int) bool {
	c = c.asAgent()
	if u.recent == nil {
		if u.last.source == nil || u.last.place <= since || u.last.agent == c.agent {
			return false
		}
		u.recent = newBallot(u.last.asAgent())
	}
	u.recent.after(since)
	u.recent.set(c)
	if len(u.recent.claims) == 1 {
		u.recent = nil
		return false
	}
	first := !u.listed
	u.listed = true
	return first
}

// reopen ends all claims on a unit that a KICKOFF has set; the window keeps them.
func (u *unit) reopen(at time.Time, before standing, place int) {
	recent := u.recent
	if recent == nil && u.last.source != nil {
		recent = newBallot(u.last.asAgent())
	}
	*u = unit{owner: u.owner, at: at, before: before, recent: recent, listed: u.listed, changed: place}
}
