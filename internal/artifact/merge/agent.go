package merge

import (
	"slices"
	"strings"

	"brenner/internal/protocol"
)

// directory numbers the agents of a thread. Names are compared ignoring case (PROTOCOL 11).
type directory struct {
	names  []string // in lower case
	places map[string]int
	known  map[string]spelling // by name as it was spelled
	shared bool                // with a fork
}

// spelling is a name in one of its spellings, without the text that it was a part of.
type spelling struct {
	name   string
	number int
}

// number returns the agent's number, giving it one if it is new.
func (d *directory) number(name string) int { return d.spell(name).number }

// place returns the number of an agent that has one, and changes nothing.
func (d *directory) place(name string) int {
	if known, ok := d.known[name]; ok {
		return known.number
	}
	return d.places[strings.ToLower(name)]
}

// spell looks a name up as it is spelled.
func (d *directory) spell(name string) spelling {
	if known, ok := d.known[name]; ok {
		return known
	}
	d.detach()
	name = strings.Clone(name)
	lower := strings.ToLower(name)
	n, ok := d.places[lower]
	if !ok {
		n = len(d.names)
		d.names = append(d.names, lower)
		if d.places == nil {
			d.places = make(map[string]int)
		}
		d.places[lower] = n
	}
	if d.known == nil {
		d.known = make(map[string]spelling)
	}
	d.known[name] = spelling{name, n}
	return d.known[name]
}

// seating is the roster in force, ready to decide ties.
type seating struct {
	roster protocol.Roster
	given  bool
	age    int // grows with every new roster, so that tallies know when to count again
	ranks  map[string]int
}

// seat puts a KICKOFF's roster in force.
func (s *seating) seat(r protocol.Roster) {
	s.roster, s.given = r, true
	s.age++
	s.ranks = make(map[string]int, len(r.Entries))
	for i, e := range slices.Backward(r.Entries) { // the earlier of two equal names stays
		s.ranks[strings.ToLower(e.AgentName)] = i
	}
}

// rank is the agent's place in the roster, or -1.
func (s *seating) rank(name string) int {
	if rank, ok := s.ranks[name]; ok {
		return rank
	}
	return -1
}
