package science

import "math"

// moves are how an agent's statements moved after results, beside how its own numbers say that they should have (SCIENCE 7, revision).
type moves struct {
	n               int
	along, expected float64 // ΣΣ(s−a)(i−a) and ΣΣ(i−a)²
	off             float64 // the sum of half Σ|s−i|
}

// leastExpected is how far numbers must be expected to move for a revision.
const leastExpected = 1e-6

// moves compares each of an agent's later statements that has some of the results since the one before.
func (a *Account) moves(agent string, results []*Result) moves {
	var m moves
	var before *Credences
	for _, c := range a.said(agent) {
		if before != nil && !before.Withdrawn && !c.Withdrawn && between(results, before.Place, c.Place) {
			m.take(c.stated(), a.Without(before, c.Place), a.Implied(before, c.Place))
		}
		before = c
	}
	return m
}

func between(results []*Result, from, to int) bool {
	for _, g := range results {
		if g.Place > from && g.Place <= to {
			return true
		}
	}
	return false
}

// take compares a statement with what the one before had become without the results, and with them.
func (m *moves) take(stated holding, without, implied Held) {
	m.n++
	for i, w := range stated.worlds {
		s, a, e := stated.masses[i], without.Of(w), implied.Of(w)
		m.along += (s - a) * (e - a)
		m.expected += (e - a) * (e - a)
		m.off += math.Abs(s-e) / 2
	}
}

func (m *moves) add(other moves) {
	m.n += other.n
	m.along += other.along
	m.expected += other.expected
	m.off += other.off
}

// revision is 1 where statements moved as their own numbers say, 0 where they are stubborn, below 0 where they moved away.
func (m *moves) revision() *float64 {
	if m.expected < leastExpected {
		return nil
	}
	r := m.along / m.expected
	return &r
}

// drift is how far statements lie from what the earlier ones imply, on average.
func (m *moves) drift() *float64 {
	if m.n == 0 {
		return nil
	}
	d := m.off / float64(m.n)
	return &d
}
