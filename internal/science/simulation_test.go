package science_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"brenner/internal/artifact"
	"brenner/internal/science"
)

// Simulated sessions have a known truth: four hypotheses, forty tests with random expectations, scores and efforts, and findings drawn
// by the test's own table. doc/beliefs.md has what comes out.
const worlds, hypotheses, designs = 1000, 4, 40

// surely is the belief at which a question counts as answered.
const surely = 0.95

// kind is what the tests of a session ask for.
type kind struct {
	name   string
	design func(*rand.Rand, *lab)
	find   func(rnd *rand.Rand, l *lab, test, truth int) labRun // truth 0: a rival that nobody has thought of
}

var kinds = []kind{{"labels", designLabels, findLabel}, {"numbers", designNumbers, findNumber}}

// order says which test is done next; empty: none.
type order struct {
	name   string
	choose func(*rand.Rand, *lab) artifact.ItemID
}

var orders = []order{
	{"next", func(_ *rand.Rand, l *lab) artifact.ItemID { return best(l.account().Next(science.ByBitsPerEffort)) }},
	{"next-by-bits", func(_ *rand.Rand, l *lab) artifact.ItemID { return best(l.account().Next(science.ByBits)) }},
	{"score", byScore},
	{"random", anyOf},
}

// BenchmarkSimulation counts the tests, and their effort, until the pool is sure of the truth, in four orders.
func BenchmarkSimulation(b *testing.B) {
	for _, k := range kinds {
		for _, o := range orders {
			b.Run(k.name+"/"+o.name, func(b *testing.B) {
				for b.Loop() {
					var all outcomes
					for seed := range uint64(worlds) {
						rnd := rand.New(rand.NewPCG(seed, 7))
						all.add(begun(rnd, k).until(rnd, o, nil))
					}
					all.report(b)
				}
			})
		}
	}
}

// BenchmarkNoneIsTrue does twenty tests in a world that none of the hypotheses describes.
func BenchmarkNoneIsTrue(b *testing.B) {
	for _, k := range kinds {
		b.Run(k.name, func(b *testing.B) {
			for b.Loop() {
				var none []float64
				leads, deceived := 0.0, 0.0
				for seed := range uint64(worlds) {
					rnd := rand.New(rand.NewPCG(seed, 8))
					g := begun(rnd, k)
					g.truth = 0
					for range 20 {
						g.do(rnd, anyOf(rnd, g.lab))
					}
					pooled := g.account().Pooled
					none = append(none, pooled[hypotheses])
					leads += share(g.account().Leader() == science.None)
					deceived += share(slices.Max(pooled[:hypotheses]) >= surely)
				}
				b.ReportMetric(100*median(none), "none-%")
				b.ReportMetric(leads, "%-none-leads")
				b.ReportMetric(deceived, "%-deceived")
			}
		})
	}
}

// BenchmarkClones lets one agent that is near the truth talk with one that is sure of something else, with eight names of that one's
// model, and with eight that are counted as if they were independent.
func BenchmarkClones(b *testing.B) {
	for _, team := range []struct {
		name   string
		clones int
		family func(string) string
	}{
		{"one-and-one", 1, func(name string) string { return name[:5] }},
		{"eight-of-a-family", 8, func(name string) string { return name[:5] }},
		{"eight-votes", 8, func(name string) string { return name }},
	} {
		b.Run(team.name, func(b *testing.B) {
			for b.Loop() {
				var all outcomes
				var before []float64
				for seed := range uint64(worlds) {
					rnd := rand.New(rand.NewPCG(seed, 9))
					g := begun(rnd, kinds[0])
					g.family = team.family
					g.say("GreyOwl", g.truth, 0.4)
					for i := range team.clones {
						g.say(fmt.Sprintf("Clone%d", i), 1+g.truth%hypotheses, 0.9)
					}
					before = append(before, g.account().Pooled[g.truth-1])
					all.add(g.until(rnd, orders[0], nil))
				}
				b.ReportMetric(100*median(before), "truth-before-%")
				all.report(b)
			}
		})
	}
}

// BenchmarkKills kills a rival of the truth without a reason after every second test, or the truth itself after the second.
func BenchmarkKills(b *testing.B) {
	for _, deed := range []struct {
		name string
		kill func(rnd *rand.Rand, g *game, done int)
	}{
		{"nobody", nil}, {"rivals", killRival},
		{"the-truth", func(_ *rand.Rand, g *game, done int) {
			if done == 2 {
				g.kill(g.truth)
			}
		}},
	} {
		b.Run(deed.name, func(b *testing.B) {
			for b.Loop() {
				var all outcomes
				deceived, rise := 0.0, 0.0
				for seed := range uint64(worlds) {
					rnd := rand.New(rand.NewPCG(seed, 10))
					g := begun(rnd, kinds[0])
					all.add(g.until(rnd, orders[0], deed.kill))
					deceived += share(g.deceived())
					rise = max(rise, g.rise)
				}
				all.report(b)
				b.ReportMetric(deceived, "%-deceived")
				b.ReportMetric(100*rise, "rise-by-kills-%")
			}
		})
	}
}

// share is what one of the worlds adds to a percentage.
func share(yes bool) float64 {
	if yes {
		return 100.0 / worlds
	}
	return 0
}

// outcomes are how sessions went.
type outcomes struct {
	tests, effort []float64
	reached       float64
}

func (o *outcomes) add(tests, effort float64, reached bool) {
	o.tests, o.effort = append(o.tests, tests), append(o.effort, effort)
	o.reached += share(reached)
}

func (o *outcomes) report(b *testing.B) {
	b.ReportMetric(median(o.tests), "tests")
	b.ReportMetric(median(o.effort), "effort")
	b.ReportMetric(o.reached, "%-reached")
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// game is a session with a truth.
type game struct {
	*lab
	kind
	truth int
	rise  float64 // the most that kills have made the truth more likely
}

func begun(rnd *rand.Rand, k kind) *game {
	g := &game{newLab(), k, 0, 0}
	g.begin("BlueLake")
	for range hypotheses {
		g.addHypothesis()
	}
	for range designs {
		k.design(rnd, g.lab)
	}
	g.end()
	g.truth = 1 + rnd.IntN(hypotheses)
	return g
}

// until does tests until the pool is sure of the truth, or none is left.
func (g *game) until(rnd *rand.Rand, o order, after func(*rand.Rand, *game, int)) (tests, effort float64, reached bool) {
	for {
		if g.believed(g.truth) >= surely {
			return tests, effort, true
		}
		id := o.choose(rnd, g.lab)
		if id == "" {
			return tests, effort, false
		}
		g.do(rnd, id)
		tests, effort = tests+1, effort+g.effort(id)
		if after != nil {
			after(rnd, g, int(tests))
		}
	}
}

// effort is what a test takes, by its cost and speed.
func (g *game) effort(id artifact.ItemID) float64 {
	score := g.log[len(g.log)-1].tests[id.Number()].score
	return math.Pow(10, (6-score["cost"]-score["speed"])/3)
}

func (g *game) do(rnd *rand.Rand, id artifact.ItemID) {
	g.begin("BlueLake")
	g.run(id.Number(), g.find(rnd, g.lab, id.Number(), g.truth))
	g.end()
}

// say states how likely a hypothesis is; the other worlds share what is left.
func (g *game) say(agent string, hypothesis int, p float64) {
	g.begin(agent)
	g.believe(map[string]float64{worldName(hypothesis): p})
	g.end()
}

func (g *game) kill(hypothesis int) {
	before := g.believed(g.truth)
	g.begin("BlueLake")
	g.killHypothesis(hypothesis)
	g.end()
	g.rise = max(g.rise, g.believed(g.truth)-before)
}

// believed is how likely the pool holds a hypothesis; 0 if it is killed.
func (g *game) believed(hypothesis int) float64 {
	a := g.account()
	if i := slices.Index(a.Worlds, science.World(hypothesis)); i >= 0 {
		return a.Pooled[i]
	}
	return 0
}

// deceived tells whether the pool is sure of what is not true.
func (g *game) deceived() bool {
	for h := 1; h <= hypotheses; h++ {
		if h != g.truth && g.believed(h) >= surely {
			return true
		}
	}
	return false
}

// killRival kills one of those that are not true, after every second test.
func killRival(rnd *rand.Rand, g *game, done int) {
	rivals := slices.DeleteFunc(living(g.lab), func(h int) bool { return h == g.truth })
	if done%2 == 0 && len(rivals) > 0 {
		g.kill(rivals[rnd.IntN(len(rivals))])
	}
}

func living(l *lab) []int {
	var list []int
	for _, w := range l.account().Worlds {
		if w != science.None {
			list = append(list, int(w))
		}
	}
	return list
}

// best is the test that a ranking puts first; empty: it has none.
func best(r science.Ranking) artifact.ItemID {
	if len(r.Tests) == 0 {
		return ""
	}
	return r.Tests[0].Test
}

// byScore is the first test without a result in the order of the artifact.
func byScore(_ *rand.Rand, l *lab) artifact.ItemID {
	if list := undone(l); len(list) > 0 {
		return list[0]
	}
	return ""
}

// undone are the tests without a result, in the order of the artifact.
func undone(l *lab) []artifact.ItemID {
	var list []artifact.ItemID
	for _, it := range l.artifact.Ranked() {
		if l.state.Results.R(it.ID) == nil {
			list = append(list, it.ID)
		}
	}
	return list
}

func anyOf(rnd *rand.Rand, l *lab) artifact.ItemID {
	list := undone(l)
	if len(list) == 0 {
		return ""
	}
	return list[rnd.IntN(len(list))]
}

func scores(rnd *rand.Rand) map[string]float64 {
	score := map[string]float64{}
	for _, part := range artifact.ScoreParts {
		score[part] = float64(rnd.IntN(4))
	}
	return score
}

func designLabels(rnd *rand.Rand, l *lab) {
	cells := map[int]string{}
	for h := 1; h <= hypotheses; h++ {
		cells[h] = fmt.Sprintf("outcome %d", rnd.IntN(3))
	}
	l.addTest(cells, scores(rnd))
}

// findLabel draws an outcome by the row of a world. A rival that nobody has thought of finds any of the labels.
func findLabel(rnd *rand.Rand, l *lab, test, truth int) labRun {
	t := reference{log: l.log}.live(test)
	if len(t.labels) == 0 {
		return labRun{outcome: "nothing"}
	}
	if truth == 0 {
		return labRun{outcome: t.labels[rnd.IntN(len(t.labels))]}
	}
	x := rnd.Float64()
	for _, label := range t.labels {
		p, _ := t.likelihood("", truth, labRun{outcome: label})
		if x -= p; x < 0 {
			return labRun{outcome: label}
		}
	}
	return labRun{outcome: t.labels[len(t.labels)-1]}
}

// designNumbers asks for a number from 0 to 100: hypotheses expect it around places of their own, and the measurement has an error.
func designNumbers(rnd *rand.Rand, l *lab) {
	cells := map[int]string{}
	for h := 1; h <= hypotheses; h++ {
		cells[h] = fmt.Sprintf("%.1f ± %.1f", 20+60*rnd.Float64(), 2+8*rnd.Float64())
	}
	l.measures(l.addTest(cells, scores(rnd)), labMeasure{lo: 0, hi: 100, sd: 2 + 18*rnd.Float64()})
}

// findNumber measures what a world has, with the planned error: by the density of its row, which a share of the whole range is mixed
// into. A rival that nobody has thought of has anything.
func findNumber(rnd *rand.Rand, l *lab, test, truth int) labRun {
	t := l.log[len(l.log)-1].tests[test]
	sd, x := t.measure.sd, 100*rnd.Float64()
	mixed := max(0.02, (3-t.score["ambiguity"])/12)
	if truth > 0 && rnd.Float64() >= mixed {
		var centre, spread float64
		if _, err := fmt.Sscanf(t.cells[truth], "%g ± %g", &centre, &spread); err != nil {
			panic(err)
		}
		x = centre + rnd.NormFloat64()*math.Hypot(spread, sd)
	}
	return labRun{value: &labValue{x, sd, sd}}
}
