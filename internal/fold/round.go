package fold

import (
	"cmp"
	"slices"
	"strings"

	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Rounds are the rounds of a thread, as its KICKOFFs opened them.
type Rounds struct {
	First    string    // who sent the first KICKOFF
	Round    int       // of the last message; 0 before the first KICKOFF
	Kickoffs []Kickoff // in order
}

// Kickoff is a KICKOFF and the round in which its thread is from then on.
type Kickoff struct {
	ID    int64
	Round int
}

// hear takes the next KICKOFF, of which named is the number in its title, 0 if there is none. The round of a thread is N of a
// convener's latest `# Round N Kickoff`, else 1 (PROTOCOL 11, round).
func (r *Rounds) hear(m *message.Message, named int) {
	if r.First == "" {
		r.First = strings.Clone(m.From)
	}
	r.Round = max(1, r.Round)
	if named > 0 && protocol.Convenes(r.First, m.From) {
		r.Round = named
	}
	r.Kickoffs = append(r.Kickoffs, Kickoff{m.ID, r.Round})
}

// Follows tells whether a KICKOFF of round n comes in order: it opens the next round, or repeats the one that is open for
// another recipient (PROTOCOL 11).
func (r *Rounds) Follows(n int) bool { return n == r.Round || n == r.Round+1 }

// At is the round to which a message belongs: that of the last KICKOFF up to it, 1 before the first.
func (r *Rounds) At(id int64) int {
	i, found := slices.BinarySearchFunc(r.Kickoffs, id, func(k Kickoff, id int64) int { return cmp.Compare(k.ID, id) })
	switch {
	case found:
		return r.Kickoffs[i].Round
	case i > 0:
		return r.Kickoffs[i-1].Round
	}
	return 1
}
