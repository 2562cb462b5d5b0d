package science

import (
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
