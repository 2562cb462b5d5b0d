package science

import (
	"math"
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/textnorm"
)

// Parts of a test's score.
const (
	likelihoodRatio = "likelihood_ratio"
	cost            = "cost"
	speed           = "speed"
	ambiguity       = "ambiguity"
)

// assumedPoints is what a missing part of a score counts.
const assumedPoints = 1.5

// points is what a part of a score counts, clipped to 0–3; a missing one is listed as assumed.
func points(score artifact.Score, part string, assumed *[]string) float64 {
	p, ok := score.Points(part)
	if !ok {
		*assumed = append(*assumed, part)
		return assumedPoints
	}
	return p
}

// nothing are the normalised texts that are no expected outcome.
var nothing = []string{"", "-", "?", "n/a", "indeterminate"}

// Expects reports whether a text states an expected outcome.
func Expects(text string) bool { return !slices.Contains(nothing, textnorm.Label(text)) }

// derived is the table of a test without stated likelihoods. Its k labels are the
// distinct expected outcomes of the active hypotheses. A hypothesis with label j has
//
//	p = LR/(LR+k−1) at j, 1/(LR+k−1) elsewhere,  LR = 10^(s/2)
//	row = (1−m)·p + m/k,  m = (3−a)/12
//
// where s is the score's likelihood_ratio and a its ambiguity. The others are uniform.
func derived(t *Test, worlds []World) Table {
	var table Table
	s := points(t.Score, likelihoodRatio, &table.Assumed)
	a := points(t.Score, ambiguity, &table.Assumed)
	labels := map[World]int{}
	for _, cell := range t.Cells {
		if !slices.Contains(worlds, cell.Hypothesis) || slices.Contains(nothing, cell.Key) {
			continue
		}
		j := slices.Index(table.Keys, cell.Key)
		if j < 0 {
			j = len(table.Keys)
			table.Labels, table.Keys = append(table.Labels, cell.Text), append(table.Keys, cell.Key)
		}
		labels[cell.Hypothesis] = j
	}
	k, ratio, mixed := float64(len(table.Keys)), math.Pow(10, s/2), (3-a)/12
	for _, w := range worlds {
		j, ok := labels[w]
		if !ok {
			continue
		}
		row := make([]float64, len(table.Keys))
		for i := range row {
			p := 1 / (ratio + k - 1)
			if i == j {
				p = ratio / (ratio + k - 1)
			}
			row[i] = (1-mixed)*p + mixed/k
		}
		table.Rows = append(table.Rows, Row{w, row})
	}
	return table
}
