package science

import "brenner/internal/artifact"

// Held is a distribution of one agent over the worlds of a moment.
type Held struct {
	Agent     string
	Worlds    []World
	Masses    []float64
	Credences *Credences // that it comes from
}

// Of is what the distribution gives a world; 0 for one that it does not have.
func (h *Held) Of(w World) float64 { return holding{worlds: h.Worlds, masses: h.Masses}.p(w) }

// Before is what each agent with credences held just before a first look, as the thread gave it then (SCIENCE 7).
func (a *Account) Before(look Look) []Held {
	place := 0
	for _, t := range a.turns {
		if !look.Follows(t.Place, t.At) {
			break
		}
		place = t.Place
	}
	return a.At(place)
}

// At is what each agent with credences held behind the message at a place, as the thread cut there gives it.
func (a *Account) At(place int) []Held {
	var list []Held
	l := a.ledgerAt(place)
	for _, c := range a.latest(place) {
		h := a.carry(c.Agent, c.stated(), c.Place, place, l, everything)
		list = append(list, Held{c.Agent, h.worlds, h.masses, c})
	}
	return list
}

// ledgerAt are the results that counted behind a place.
func (a *Account) ledgerAt(place int) ledger {
	byTest := map[artifact.ItemID][]entry{}
	made := newTables(a.State, a.People.At(place), 0)
	for i, t := range a.Results.Tests.All() {
		if t != nil && t.Latest > 0 {
			id := artifact.NewItemID(artifact.DiscriminativeTests, i+1)
			byTest[id] = a.countedAt(id, place, made.of(id, t.look(place)))
		}
	}
	return newLedger(byTest)
}

// Without is what a statement has become behind the message at a place through additions and kills alone, as if nothing had been found
// (SCIENCE 7, revision).
func (a *Account) Without(c *Credences, place int) Held {
	h := a.carry(c.Agent, c.stated(), c.Place, place, nil, everything)
	return Held{c.Agent, h.worlds, h.masses, c}
}

// Implied is what a statement implies behind the message at a place, by additions, the results that counted then, and kills.
func (a *Account) Implied(c *Credences, place int) Held {
	h := a.carry(c.Agent, c.stated(), c.Place, place, a.ledgerAt(place), everything)
	return Held{c.Agent, h.worlds, h.masses, c}
}

// Stated is a statement as it was completed.
func (c *Credences) Stated() Held {
	h := c.stated()
	return Held{c.Agent, h.worlds, h.masses, c}
}

// Foreseen is how likely an agent with a distribution and its rows holds everything that the test could find, in order: P(o) = Σ_w
// p(w)·L(o|w) for each label, or for each cell of the quantity's range.
func (t *Table) Foreseen(h *Held) []float64 {
	rows := t.matrix(h.Agent, h.Worlds)
	p := make([]float64, len(rows[0]))
	for w, row := range rows {
		for o, l := range row {
			p[o] += h.Masses[w] * l
		}
	}
	return p
}
