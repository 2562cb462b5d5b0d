package science

import (
	"fmt"
	"math"

	"brenner/internal/artifact"
	"brenner/internal/quantity"
)

// Score is what an agent held likely of a result before anybody had looked, beside what was found (SCIENCE 7).
type Score struct {
	Test  artifact.ItemID
	Agent string
	Self  bool // it recorded the result itself
	Foresight
}

// Foresight is a forecast with what came true of it. Forecasts of one result can be averaged.
type Foresight struct {
	P       []float64 // of each label; nil for a quantity
	Found   int       // the label that came true
	Density float64   // of the value that was found, as a multiple of the density of the whole range
	Below   float64   // what was foreseen below that value
}

// leastP is the least that P counts in log_bits.
const leastP = 1e-6

// Scores lists what was foreseen of every main result that counts, is not exploratory, and has a label or a value (SCIENCE 7): by each
// agent with credences from before the first look, with its own distribution and rows as they stood then. Where somebody stated rows of
// the test, only who stated some is asked; of a test that came with its first look nobody could foresee anything.
func (a *Account) Scores() []Score {
	var list []Score
	for i := range a.ledger {
		e := &a.ledger[i]
		if e.Standing != Main || e.Exploratory || e.outcome.Unforeseen || e.table.newborn || !e.table.informative() {
			continue
		}
		stated := e.table.foreseers()
		for _, v := range a.Before(a.Results.FirstLook(e.Test)) {
			if len(stated) == 0 || hasName(stated, v.Agent) {
				list = append(list, Score{e.Test, v.Agent, sameAgent(v.Agent, e.By), e.table.foresight(&v, e)})
			}
		}
	}
	return list
}

// foreseers are the agents who stated rows for hypotheses that were active at the first look.
func (t *Table) foreseers() []string {
	var names []string
	for _, w := range t.Worlds {
		if w != None {
			names = append(names, t.stated[w]...)
		}
	}
	return names
}

// foresight is what an agent with a distribution and its rows held likely of a result.
func (t *Table) foresight(h *Held, e *entry) Foresight {
	if t.Quantity == nil {
		return Foresight{P: t.Foreseen(h), Found: e.outcome.Label}
	}
	f := Foresight{}
	for w, density := range t.likelihoods(h.Agent, e.outcome, h.Worlds) {
		f.Density += h.Masses[w] * density * t.Quantity.Span()
	}
	f.Density = min(f.Density, math.MaxFloat64) // of an error that is nothing beside the range
	cells, _ := t.Quantity.Planned()
	outcomes := make([]Outcome, len(cells))
	for i, c := range cells {
		outcomes[i].Value = quantity.Measurement{X: c.X, Plus: e.outcome.Value.Plus, Minus: e.outcome.Value.Minus}
	}
	for w, row := range t.over(outcomes).matrix(h.Agent, h.Worlds) {
		for o, p := range row {
			if outcomes[o].Value.X < e.outcome.Value.X {
				f.Below += h.Masses[w] * p
			}
		}
	}
	return f
}

// Words say to the agent what its statement was scored.
func (s *Score) Words() string {
	if !s.numeric() {
		return fmt.Sprintf("%s: you held what was found %.0f %% likely (Brier %.2f, even odds %.2f)",
			s.Test, 100*s.P[s.Found], s.Brier(), s.BaselineBrier())
	}
	how := "better"
	if s.LogBits() > 0 {
		how = "worse"
	}
	where := "inside"
	if !s.inside90() {
		where = "outside"
	}
	return fmt.Sprintf("%s: the value lay %s the middle 90 %% of what you foresaw, %.2f bits %s than knowing the range alone",
		s.Test, where, math.Abs(s.LogBits()), how)
}

// numeric reports whether a quantity was foreseen.
func (f *Foresight) numeric() bool { return f.P == nil }

// Brier is Σ_o (P(o) − [o happened])²; less is better. A quantity has none.
func (f *Foresight) Brier() float64 { return brier(f.P, f.Found) }

// BaselineBrier is that of a forecaster that finds all labels equally likely.
func (f *Foresight) BaselineBrier() float64 { return brier(equal(len(f.P)), f.Found) }

// LogBits is how surprising the result was: −log₂ P(outcome), for a quantity −log₂(density · range), where 0 is no better than
// knowing the range.
func (f *Foresight) LogBits() float64 {
	if f.numeric() {
		return -math.Log2(max(f.Density, leastP))
	}
	return -math.Log2(max(f.P[f.Found], leastP))
}

// BaselineLogBits is that of a forecaster that finds all labels, or all values of the range, equally likely.
func (f *Foresight) BaselineLogBits() float64 {
	if f.numeric() {
		return 0
	}
	return math.Log2(float64(len(f.P)))
}

// inside90 reports whether a value lay in the middle nine tenths of what was foreseen.
func (f *Foresight) inside90() bool { return f.numeric() && f.Below >= 0.05 && f.Below <= 0.95 }

// average is the mean of forecasts of one result.
func average(list []Foresight) Foresight {
	mean, n := Foresight{Found: list[0].Found}, float64(len(list))
	if !list[0].numeric() {
		mean.P = make([]float64, len(list[0].P))
	}
	for _, f := range list {
		mean.Density += f.Density / n
		mean.Below += f.Below / n
		for o := range mean.P {
			mean.P[o] += f.P[o] / n
		}
	}
	return mean
}

func brier(p []float64, happened int) float64 {
	sum := 0.0
	for o, x := range p {
		if o == happened {
			x--
		}
		sum += x * x
	}
	return sum
}
