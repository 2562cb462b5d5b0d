package web

import (
	"strconv"
	"strings"

	"brenner/internal/artifact"
)

// scoreView is a test's score as a bar: its four parts end to end.
type scoreView struct {
	Anchor string
	Total  string // empty: unscored
	Most   int
	Parts  []scorePart
	Note   *noteRef
}

// scorePart is a part of the bar. X and Width are in units of the bar's view box.
type scorePart struct {
	Name, Label string
	Dots        string // more are better
	Number      string // as written
	Points      string // as it counts
	X, Width    string
	Missing     bool
}

// scoreWords say what many points mean: three for cost are cheap.
var scoreWords = map[string]string{
	"likelihood_ratio": "separates strongly", "cost": "cheap", "speed": "fast", "ambiguity": "clear-cut",
}

// dotsOf draws the points of a part of a score: more are better.
func dotsOf(score artifact.Score, part string) string {
	points, known := score.Points(part)
	if !known {
		return "–"
	}
	n := min(max(int(points+0.5), 0), artifact.MaxPoints)
	return strings.Repeat("●", n) + strings.Repeat("○", artifact.MaxPoints-n)
}

// barUnit is how wide a point is drawn.
const barUnit = 10

func (b *binder) score(it *artifact.Item) *scoreView {
	score := it.Score()
	v := &scoreView{
		Anchor: string(it.ID) + "." + artifact.ScoreField, Most: len(artifact.ScoreParts) * artifact.MaxPoints,
		Note: b.apart(it, artifact.ScoreField),
	}
	if total, ok := score.Total(); ok {
		v.Total = artifact.FormatTotal(total)
	}
	x := 0.0
	for _, name := range artifact.ScoreParts {
		points, ok := score.Points(name)
		number, _ := score.Get(name)
		v.Parts = append(v.Parts, scorePart{
			Name: name, Label: scoreWords[name], Dots: dotsOf(score, name), Number: short(12, number), Points: artifact.FormatTotal(points),
			X: units(x), Width: units(points), Missing: !ok,
		})
		x += points
	}
	return v
}

func units(points float64) string { return strconv.FormatFloat(points*barUnit, 'f', -1, 64) }
