package merge

import (
	"slices"

	"brenner/artifact"
)

// claim is what an agent last asked of a unit. Without a source it is no claim at all.
type claim struct {
	agent  int            // its number in the directory
	place  int            // of its message in the thread
	value  artifact.Value // nil: to be absent
	source *artifact.Source
}

func (c *claim) report() Claim { return Claim{c.source.Agent, c.value, c.source.MessageID} }

// ballot holds the last claim of each agent, for units that several agents asked about.
type ballot struct {
	claims []claim     // in the order in which the agents first asked
	index  map[int]int // agent → place in claims, once there are many
	since  int         // claims up to this place of the thread are gone
}

// indexFrom is how many claims are found faster by an index than by looking.
var indexFrom = 16

func newBallot(claims ...claim) *ballot { return &ballot{claims: claims} }

// find returns the place of an agent's claim, or -1.
func (b *ballot) find(agent int) int {
	if len(b.claims) < indexFrom {
		return slices.IndexFunc(b.claims, func(c claim) bool { return c.agent == agent })
	}
	if len(b.index) != len(b.claims) {
		b.index = make(map[int]int, 2*len(b.claims))
		for i, c := range b.claims {
			b.index[c.agent] = i
		}
	}
	if i, ok := b.index[agent]; ok {
		return i
	}
	return -1
}

// set puts an agent's claim in, and returns its place and the claim it replaces.
func (b *ballot) set(c claim) (int, claim) {
	if i := b.find(c.agent); i >= 0 {
		old := b.claims[i]
		b.claims[i] = c
		return i, old
	}
	b.claims = append(b.claims, c)
	if b.index != nil {
		b.index[c.agent] = len(b.claims) - 1
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
	best   int            // place of the claim whose agent stands first in the roster, or -1
	rank   int            // of that agent
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

// winner is the claim that decides (PROTOCOL 7, conflict): that of the agent who stands first
// in the roster; without one, the value all agree on; nil if they do not.
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
