package science

import (
	"math"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/textnorm"
)

// The floor under stated rows: nobody's zero is final.
const (
	trusted = 0.98
	doubted = 0.02
)

// tableMaker makes tables as of a moment of the thread.
type tableMaker struct {
	*State
	family func(agent string) string
	bolder float64 // is added to every score of a likelihood ratio
}

// table is the table of a test as it stood before a look; the zero look is now.
func (m *tableMaker) table(id artifact.ItemID, look Look) *Table {
	test := m.Beliefs.test(id.Number())
	plan := test.plan(look)
	t := &Table{
		Test: id, Worlds: m.Beliefs.worldsBefore(look), Quantity: plan.Quantity,
		Frozen: look.Place > 0, newborn: look.Place > 0 && plan.Place == 0,
		expected: map[World]bool{}, common: map[World]*Row{}, own: map[string][]Row{}, stated: map[World][]string{},
	}
	statements := test.statements(look)
	if t.Quantity == nil {
		m.labelled(t, plan.Score, m.expectations(t, look), statements)
	} else {
		m.numeric(t, plan.Score, m.expectations(t, look), statements)
	}
	return t
}

// expectation is what a hypothesis expects of a test.
type expectation struct {
	hypothesis World
	text       string
	key        string // normalised
}

// expectations are those of the hypotheses of a table, by number.
func (m *tableMaker) expectations(t *Table, look Look) []expectation {
	var list []expectation
	for _, c := range m.Predictions.cells(t.Test).Cells {
		text, w := c.beforeLook(look), World(hypothesisNumber(c.Hypothesis))
		if text == nil || w == None || !slices.Contains(t.Worlds, w) {
			continue
		}
		if key := textnorm.Label(*text); !slices.Contains(nothing, key) {
			list = append(list, expectation{w, *text, key})
		}
	}
	return list
}

// labelled fills the table of a test whose outcomes are labels: the derived ones, then those that stated tables have beyond them.
func (m *tableMaker) labelled(t *Table, score artifact.Score, cells []expectation, statements []Statement) {
	for _, c := range cells {
		t.expected[c.hypothesis] = true
		t.addLabel(c.text, c.key)
	}
	t.derived = len(t.Keys)
	var used []Statement
	for _, s := range statements {
		if s.Labels == nil {
			t.otherKind = append(t.otherKind, s.Agent)
			continue
		}
		used = append(used, s)
		for i, label := range s.Labels {
			t.addLabel(label, s.Keys[i])
		}
	}
	for _, s := range used {
		if t.derived > 0 && !t.sameLabels(&s) {
			t.differ = append(t.differ, s.Agent)
		}
		for _, row := range t.rowsOf(&s) {
			t.state(s.Agent, Row{World: row.World, P: t.spreadOut(s.Keys, row.P)})
		}
	}
	m.others(t)
	m.derive(t, score, cells)
}

func (t *Table) addLabel(label, key string) {
	if !slices.Contains(t.Keys, key) {
		t.Labels, t.Keys = append(t.Labels, label), append(t.Keys, key)
	}
}

// sameLabels reports whether a statement has the derived labels, in any order.
func (t *Table) sameLabels(s *Statement) bool {
	return len(s.Keys) == t.derived && !slices.ContainsFunc(s.Keys, func(key string) bool {
		return !slices.Contains(t.Keys[:t.derived], key)
	})
}

// rowsOf are the rows of a statement for worlds of the table: one for a hypothesis that was killed before it is as those that the
// hypothesis would have in cells, and not there.
func (t *Table) rowsOf(s *Statement) []StatedRow {
	return slices.DeleteFunc(slices.Clone(s.Rows), func(row StatedRow) bool { return !slices.Contains(t.Worlds, row.World) })
}

// spreadOut gives a row 0 for the labels that it does not have, and the floor.
func (t *Table) spreadOut(keys []string, p []float64) []float64 {
	row := make([]float64, len(t.Keys))
	for i, key := range keys {
		row[slices.Index(t.Keys, key)] = p[i]
	}
	return floored(row)
}

// floored mixes a row with the uniform one.
func floored(row []float64) []float64 {
	for i := range row {
		row[i] = trusted*row[i] + doubted/float64(len(row))
	}
	return row
}

// state keeps a row that an agent stated.
func (t *Table) state(agent string, row Row) {
	key := strings.ToLower(agent)
	t.own[key] = append(t.own[key], row)
	t.stated[row.World] = append(t.stated[row.World], agent)
}

// others gives the worlds that somebody stated rows for the mean of these, over families (rule 3).
func (m *tableMaker) others(t *Table) {
	for w, agents := range t.stated {
		mean := &Row{World: w}
		if t.Quantity == nil {
			mean.P = make([]float64, len(t.Keys))
		}
		for i, weight := range m.weights(agents) {
			row := t.rowOf(agents[i], w)
			for j := range mean.P {
				mean.P[j] += weight * row.P[j]
			}
			for _, s := range row.Spreads {
				s.Weight *= weight
				mean.Spreads = append(mean.Spreads, s)
			}
		}
		t.common[w] = mean
	}
}

// weights are those of agents in a mean over their families (SCIENCE 4, pooled).
func (m *tableMaker) weights(agents []string) []float64 { return weights(agents, m.family) }

func weights(agents []string, family func(string) string) []float64 {
	of, count := make([]string, len(agents)), map[string]float64{}
	for i, a := range agents {
		of[i] = family(a)
		count[of[i]]++
	}
	list := make([]float64, len(agents))
	for i := range list {
		list[i] = 1 / (count[of[i]] * float64(len(count)))
	}
	return list
}

// derive gives the hypotheses with an expected outcome their derived row (rule 2), where there are at least two derived labels. One
// with label j has
//
//	p = LR/(LR+k−1) at j, 1/(LR+k−1) elsewhere,  LR = 10^(s/2)
//	row = (1−m)·p + m/k,  m = (3−a)/12
//
// where s is the score's likelihood_ratio and a its ambiguity.
func (m *tableMaker) derive(t *Table, score artifact.Score, cells []expectation) {
	s := points(score, likelihoodRatio, &t.Assumed)
	a := points(score, ambiguity, &t.Assumed)
	t.Zero = s == 0
	if t.derived < 2 {
		if len(t.own) > 0 {
			t.Assumed = nil // nothing rests on them
		}
		return
	}
	k, ratio, mixed := float64(t.derived), math.Pow(10, min(3, max(0, s+m.bolder))/2), (3-a)/12
	for _, c := range cells {
		row, j := make([]float64, len(t.Keys)), slices.Index(t.Keys, c.key)
		for i := range t.derived {
			p := 1 / (ratio + k - 1)
			if i == j {
				p = ratio / (ratio + k - 1)
			}
			row[i] = (1-mixed)*p + mixed/k
		}
		if len(t.Keys) > t.derived {
			row = floored(row)
		}
		t.common[c.hypothesis] = &Row{World: c.hypothesis, P: row}
	}
}

// numeric fills the table of a test that measures a quantity.
func (m *tableMaker) numeric(t *Table, score artifact.Score, cells []expectation, statements []Statement) {
	a := points(score, ambiguity, &t.Assumed)
	t.mixed = max(doubted, (3-a)/12)
	for _, s := range statements {
		if s.Labels != nil {
			t.otherKind = append(t.otherKind, s.Agent)
			continue
		}
		for _, row := range t.rowsOf(&s) {
			if spread, ok := t.read(row.World, row.Cell, s.Agent); ok {
				t.state(s.Agent, spread)
			}
		}
	}
	m.others(t)
	for _, c := range cells {
		if row, ok := t.read(c.hypothesis, c.text, ""); ok {
			t.expected[c.hypothesis], t.common[c.hypothesis] = true, &row
		}
	}
}

// read reads a cell in the terms of the quantity; what it cannot read counts as not there.
func (t *Table) read(w World, text, by string) (Row, bool) {
	s, err := t.Quantity.Spread(text)
	if err != nil {
		t.unread = append(t.unread, unread{w, text, by, err})
		return Row{}, false
	}
	return Row{World: w, Spreads: []WeightedSpread{{s, 1, text}}}, true
}

// outcome is what a result says in the terms of the table; false if the table has no place for it.
func (t *Table) outcome(g *Result) (Outcome, bool) {
	switch {
	case g.Unforeseen != "":
		return Outcome{Unforeseen: true}, true
	case t.Quantity != nil:
		if g.Value == nil || t.Quantity.Check(*g.Value) != nil {
			return Outcome{}, false
		}
		return Outcome{Value: t.Quantity.Measured(*g.Value)}, true
	case g.Outcome != "":
		label := t.label(g.Outcome)
		return Outcome{Label: label}, label >= 0
	}
	return Outcome{}, false
}
