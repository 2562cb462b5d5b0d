package merge

import (
	"slices"

	"brenner/internal/artifact"
)

// claim is what an agent last asked of a unit. Without a source it is no claim at all.
type claim struct {
	agent  int            // its number in the directory
	human  bool           // made by a DELTA[human]
	place  int            // of its message in the thread
	value  artifact.Value // nil: to be absent
	source *artifact.Source
}

func (c *claim) report() Claim { return Claim{c.source.Agent, c.value, c.source.MessageID} }

// voter tells the claims of a ballot apart. What an agent says as a person counts beside what
// it says itself: neither replaces the other.
type voter struct {
	agent int
	human bool
}

func (c *claim) voter() voter { return voter{c.agent, c.human} }

// asAgent returns the claim as the agent's own.
func (c claim) asAgent() claim {
	c.human = false
	return c
}

// ballot holds the last claim of each voter, for units that several asked about.
type ballot struct {
	claims []claim       // in the order in which the voters first asked
	index  map[voter]int // place in claims, once there are many
	since  int           // claims up to this place of the thread are gone
}

// indexFrom is how many claims are found faster by an index than by looking.
var indexFrom = 16

func newBallot(claims ...claim) *ballot { return &ballot{claims: claims} }

// find returns the place of a voter's claim, or -1.
func (b *ballot) find(v voter) int {
	if len(b.claims) < indexFrom {
		return slices.IndexFunc(b.claims, func(c claim) bool { return c.voter() == v })
	}
	if len(b.index) != len(b.claims) {
		b.index = make(map[voter]int, 2*len(b.claims))
		for i, c := range b.claims {
			b.index[c.voter()] = i
		}
	}
	if i, ok := b.index[v]; ok {
		return i
	}
	return -1
}

// set puts a voter's claim in, and returns its place and the claim it replaces.
func (b *ballot) set(c claim) (int, claim) {
	if i := b.find(c.voter()); i >= 0 {
		old := b.claims[i]
		b.claims[i] = c
		return i, old
	}
	b.claims = append(b.claims, c)
	if b.index != nil {
		b.index[c.voter()] = len(b.claims) - 1
	}
	return len(b.claims) - 1, claim{}
}

// after drops the claims of messages up to a place.
func (b *ballot) after(place int) {
	if b.since == place {
		return
	}
	b.since = place
	b.claims = slices.DeleteFunc(b.claims, func(c claim) bool { return c.place <= place })
	b.index = nil
}

// tally counts a ballot of one instant, so that a further claim costs no recount.
type tally struct {
	age    int            // of the seating it was counted under
	best   int            // place of the claim that decides, or -1
	rank   int            // of its agent in the roster; -1 for a person's
	values map[string]int // how many claims ask for each value
}

// count takes the whole ballot.
func (s *State) count(b *ballot) *tally {
	t := &tally{age: s.seats.age, best: -1, values: make(map[string]int, 2)}
	for i := range b.claims {
		s.add(t, i, &b.claims[i])
	}
	return t
}

func (s *State) add(t *tally, i int, c *claim) {
	t.values[valueKey(c.value)]++
	if c.human {
		t.best, t.rank = i, -1
		return
	}
	rank := s.seats.rank(s.agents.names[c.agent])
	if rank >= 0 && (t.best < 0 || rank < t.rank) {
		t.best, t.rank = i, rank
	}
}

// recount takes a claim that was put at a place of the ballot instead of an old one.
func (s *State) recount(t *tally, i int, c, old *claim) {
	if old.source != nil {
		if key := valueKey(old.value); t.values[key] > 1 {
			t.values[key]--
		} else {
			delete(t.values, key)
		}
	}
	s.add(t, i, c)
}

// winner is the claim that decides (PROTOCOL 7, conflict): a person's, the last of several;
// else that of the agent who is first in the roster; without one, the value all agree on; nil if they do not.
func (t *tally) winner(b *ballot) *claim {
	switch {
	case t.best >= 0:
		return &b.claims[t.best]
	case len(t.values) == 1:
		return &b.claims[0]
	}
	return nil
}

func valueKey(v artifact.Value) string { return string(artifact.AppendValue(nil, v)) }
