package merge

import (
	"strings"

	"brenner/protocol"
)

// directory numbers the agents of a thread. Names are compared ignoring case (PROTOCOL 11).
type directory struct {
	names  []string // in lower case
	places map[string]int
	known  map[string]string // spellings: one string for all messages of an agent
}

// spell returns a name as it was given, without keeping the text that it is a part of.
func (d *directory) spell(name string) string {
	if known, ok := d.known[name]; ok {
		return known
	}
	if d.known == nil {
		d.known = make(map[string]string)
	}
	name = strings.Clone(name)
	d.known[name] = name
	return name
}

// number returns the agent's number, giving it one if it is new.
func (d *directory) number(name string) int {
	name = strings.ToLower(name)
	if n, ok := d.places[name]; ok {
		return n
	}
	if d.places == nil {
		d.places = make(map[string]int)
	}
	n := len(d.names)
	d.places[name] = n
	d.names = append(d.names, name)
	return n
}

// seating is the roster in force, ready to settle ties.
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
	for i := len(r.Entries) - 1; i >= 0; i-- { // the earlier of two equal names stays
		s.ranks[strings.ToLower(r.Entries[i].AgentName)] = i
	}
}

// rank is the agent's place in the roster, or -1.
func (s *seating) rank(name string) int {
	if rank, ok := s.ranks[name]; ok {
		return rank
	}
	return -1
}
