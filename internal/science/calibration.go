package science

import (
	"math"

	"brenner/internal/artifact"
)

// Score is how well an agent foresaw one outcome, beside a forecaster that finds all labels equally
// likely (SCIENCE 6). Less is better.
type Score struct {
	Test            artifact.ItemID
	Agent           string
	Brier           float64 // Σ_o (P(o) − [o happened])²
	LogBits         float64 // −log₂ P(outcome)
	BaselineBrier   float64
	BaselineLogBits float64
}

// leastP is the least that P counts in log_bits.
const leastP = 1e-6

// Scores lists the scores of every labelled outcome whose result is not exploratory.
func (r *Beliefs) Scores(results *Results) []Score {
	var list []Score
	for _, o := range r.Outcomes.All() {
		id := artifact.NewItemID(artifact.DiscriminativeTests, o.Test)
		frozen := r.test(o.Test).Frozen
		if results.Stands(id).Exploratory || !frozen.Table.informative() {
			continue
		}
		even := equal(len(frozen.Table.Labels))
		for _, f := range frozen.Forecasts {
			list = append(list, Score{
				id, f.Agent, brier(f.P, o.Label), logBits(f.P, o.Label), brier(even, o.Label), logBits(even, o.Label),
			})
		}
	}
	return list
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

func logBits(p []float64, happened int) float64 { return -math.Log2(max(p[happened], leastP)) }
