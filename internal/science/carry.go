package science

import (
	"math"
	"slices"
)

// course says what a distribution is brought through.
type course uint8

// The courses.
const (
	everything course = iota
	noKills           // as if nobody had been killed
)

// carry brings what somebody held behind one place through everything up to another: additions, results, kills (SCIENCE 4).
func (a *Account) carry(name string, h holding, from, to int, l ledger, c course) holding {
	h = h.clone()
	l = l.from(from)
	for _, t := range a.between(from, to) {
		n := len(l) - len(l.from(t.Place))
		a.bring(&h, name, t, l[:n], c)
		l = l[n:]
	}
	return h
}

// between are the turns behind a place up to another.
func (a *Account) between(from, to int) []*turn {
	at := func(place int) int {
		i, _ := slices.BinarySearchFunc(a.turns, place+1, func(t *turn, place int) int { return t.Place - place })
		return i
	}
	return a.turns[at(from):max(at(from), at(to))]
}

// bring takes a distribution through one message with the results that it gave.
func (a *Account) bring(h *holding, name string, t *turn, given ledger, c course) {
	h.add(t.added)
	for i := range given {
		e := &given[i]
		h.update(e.table.likelihoods(name, e.outcome, h.worlds), e.power())
	}
	if c != noKills {
		h.kill(t.killed)
	}
}

// standing is what the voice that stands in holds behind a place: it finds all worlds equal after each message that adds a hypothesis
// before the first result that counts (SCIENCE 4).
func (a *Account) standing(to int, l ledger, c course) holding {
	h, first := nothingYet(), math.MaxInt
	if len(l) > 0 {
		first = l[0].Place
	}
	for _, t := range a.between(0, to) {
		n := len(l) - len(l.from(t.Place))
		given := l[:n]
		l = l[n:]
		if len(t.added) == 0 || t.Place > first {
			a.bring(&h, "", t, given, c)
			continue
		}
		h.add(t.added)
		if c != noKills && len(given) == 0 {
			h.kill(t.killed) // they are gone when all are found equal
		}
		h.masses, h.logs = equal(len(h.worlds)), nil
		for i := range given {
			h.update(given[i].table.likelihoods("", given[i].outcome, h.worlds), given[i].power())
		}
		if c != noKills {
			h.kill(t.killed)
		}
	}
	return h
}

// latest are the statements of credences that held behind a place, in the order of their agents' first.
func (a *Account) latest(place int) []*Credences {
	var list []*Credences
	for _, c := range a.Beliefs.Said.All() {
		if c.Place > place {
			break
		}
		at := slices.IndexFunc(list, func(old *Credences) bool { return sameAgent(old.Agent, c.Agent) })
		if at < 0 {
			at, list = len(list), append(list, c)
		}
		list[at] = c
	}
	return slices.DeleteFunc(list, func(c *Credences) bool { return c.Withdrawn })
}

// poolAt is the pool behind a place, had the results of a ledger been all that counts.
func (a *Account) poolAt(place int, l ledger, c course, family func(string) string) holding {
	l = l.upTo(place)
	said := a.latest(place)
	if len(said) == 0 {
		return a.standing(place, l, c)
	}
	var names []string
	for _, s := range said {
		names = append(names, s.Agent)
	}
	var sum holding
	for i, weight := range weights(names, family) {
		h := a.carry(said[i].Agent, said[i].stated(), said[i].Place, place, l, c)
		if sum.worlds == nil {
			sum = holding{worlds: h.worlds, masses: make([]float64, len(h.worlds))}
		}
		sum = sum.plus(h, weight)
	}
	return sum
}

// plus adds another distribution with a weight; worlds that one of them lacks have 0 there.
func (h holding) plus(other holding, weight float64) holding {
	if !slices.Equal(h.worlds, other.worlds) {
		h = h.over(other.worlds)
		other = other.over(h.worlds)
	}
	for i, p := range other.masses {
		h.masses[i] += weight * p
	}
	return h
}

// over is the distribution with the worlds of another beside its own.
func (h holding) over(worlds []World) holding {
	h = holding{worlds: slices.Clone(h.worlds), masses: slices.Clone(h.masses)}
	for _, w := range worlds {
		if w == None {
			continue
		}
		if at, known := slices.BinarySearch(h.worlds[:len(h.worlds)-1], w); !known {
			h.worlds, h.masses = slices.Insert(h.worlds, at, w), slices.Insert(h.masses, at, 0)
		}
	}
	return h
}
