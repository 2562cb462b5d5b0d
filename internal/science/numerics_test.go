package science_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"brenner/internal/science"
)

// sumTolerance is how far a distribution may lie from 1.
const sumTolerance = 1e-12

// TestExtremeNumbers measures with errors from 1e-300 to 1e300, on ranges as wide and as narrow. Every number of every answer is one:
// JSON has no other.
func TestExtremeNumbers(t *testing.T) {
	for seed := range uint64(400) {
		rnd := rand.New(rand.NewPCG(seed, 26))
		l := newLab()
		l.begin("BlueLake")
		for range 3 {
			l.addHypothesis()
		}
		for range 3 {
			extremeTest(rnd, l)
		}
		l.end()
		for _, name := range agentNames {
			l.begin(name)
			l.believe(map[string]float64{"H1": extremeCredence(rnd), "H2": extremeCredence(rnd)})
			if n := 1 + rnd.IntN(3); rnd.IntN(2) == 0 {
				l.foresee(n, labTable{cells: map[string]string{"H1": extremeCell(rnd, l.open.tests[n].measure), "none": "7 ± 1e-300"}})
			}
			l.end()
		}
		for n := 1; n <= 2; n++ {
			l.begin("RedSky")
			x := within(rnd, l.open.tests[n].measure)
			l.run(n, labRun{value: &labValue{x, extreme(rnd), extreme(rnd)}, evidence: []string{fmt.Sprintf("EV-%03d", n)}})
			l.end()
		}
		sound(t, seed, l.account(), within(rnd, l.log[len(l.log)-1].tests[3].measure))
	}
}

// sound asks for everything that there is to know.
func sound(t *testing.T, seed uint64, a *science.Account, x float64) {
	t.Helper()
	supposed, err := a.Suppose([]science.Supposition{{Test: "T3", Outcome: fmt.Sprintf("%g ± 1e-300", x)}})
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	var scored []science.Scored
	for _, s := range a.Scores() {
		scored = append(scored, science.Scored{By: s.Agent, Thread: "T", Score: s})
	}
	rows := science.Calibrate(scored)
	for what, answer := range map[string]any{
		"beliefs": a.Report(), "next": a.Next(science.ByBits), "what if": supposed, "reasons": a.Reasons(), "signs": a.Signs(nil),
		"calibration": rows, "forecast": a.Forecast("T3"),
	} {
		if _, err := json.Marshal(answer); err != nil {
			t.Errorf("seed %d: %s: %v", seed, what, err)
		}
	}
	for _, m := range a.History {
		whole(t, seed, "the pool", m.Pooled)
	}
	for _, v := range a.Voices {
		whole(t, seed, v.Agent, v.Masses)
	}
	var posterior []float64
	for _, p := range supposed.Posterior {
		posterior = append(posterior, p)
	}
	whole(t, seed, "what if", posterior)
}

// whole tells of a distribution that does not sum to 1.
func whole(t *testing.T, seed uint64, what string, masses []float64) {
	t.Helper()
	sum := 0.0
	for _, p := range masses {
		if math.IsNaN(p) || p < 0 || p > 1 {
			t.Fatalf("seed %d: %s has %v", seed, what, masses)
		}
		sum += p
	}
	if math.Abs(sum-1) > sumTolerance {
		t.Fatalf("seed %d: %s sums to %.17g", seed, what, sum)
	}
}

// extremeTest adds a test on a range of any width and place.
func extremeTest(rnd *rand.Rand, l *lab) {
	m := labMeasure{lo: extreme(rnd), hi: extreme(rnd), log: rnd.IntN(2) == 0}
	if m.lo == m.hi {
		m.hi *= 2
	}
	m.lo, m.hi = min(m.lo, m.hi), max(m.lo, m.hi)
	if !m.log && rnd.IntN(3) == 0 {
		m.lo = -m.lo
	}
	if rnd.IntN(2) == 0 {
		m.sd = extreme(rnd)
	}
	cells := map[int]string{}
	for h := 1; h <= 3; h++ {
		if rnd.IntN(4) > 0 {
			cells[h] = extremeCell(rnd, &m)
		}
	}
	l.measures(l.addTest(cells, randomScore(rnd)), m)
}

func extremeCell(rnd *rand.Rand, m *labMeasure) string {
	x, y := within(rnd, m), within(rnd, m)
	switch rnd.IntN(5) {
	case 0:
		return fmt.Sprintf("%g", x)
	case 1:
		return fmt.Sprintf("%g ± %g", x, extreme(rnd))
	case 2:
		return fmt.Sprintf("%g +%g -%g", x, extreme(rnd), extreme(rnd))
	case 3:
		return fmt.Sprintf("%g..%g", min(x, y), max(x, y))
	}
	return fmt.Sprintf("< %g", x)
}

// extreme is a number from 1e-300 to 1e300, of which most are at the ends.
func extreme(rnd *rand.Rand) float64 {
	switch rnd.IntN(3) {
	case 0:
		return 1e-300
	case 1:
		return 1e300
	}
	return math.Pow(10, float64(rnd.IntN(600)-300)+rnd.Float64())
}

// within is a number of a range.
func within(rnd *rand.Rand, m *labMeasure) float64 {
	if rnd.IntN(3) == 0 {
		return m.hi // now and then several are the same
	}
	if m.log {
		return math.Pow(10, math.Log10(m.lo)+rnd.Float64()*(math.Log10(m.hi)-math.Log10(m.lo)))
	}
	return m.lo + rnd.Float64()*(m.hi-m.lo)
}

// extremeCredence is a share that is nothing, next to nothing, or some.
func extremeCredence(rnd *rand.Rand) float64 {
	return []float64{0, 5e-324, 1e-300, 1e-17, 0.1, 0.5}[rnd.IntN(6)]
}

// TestManyUpdates finds ten thousand results: belief sums to 1 all the way.
func TestManyUpdates(t *testing.T) {
	const tests, each = 500, 20
	l := newLab()
	l.begin("BlueLake")
	for range 3 {
		l.addHypothesis()
	}
	for range tests {
		l.addTest(map[int]string{1: "up", 2: "down", 3: "down"}, map[string]float64{"likelihood_ratio": 0.1, "ambiguity": 3})
	}
	l.believe(map[string]float64{"H1": 0.7, "H2": 0.1})
	l.end()
	rnd := rand.New(rand.NewPCG(1, 26))
	for i := range tests * each {
		l.begin("RedSky")
		l.run(1+i%tests, labRun{outcome: []string{"up", "down"}[rnd.IntN(2)], replicates: i >= tests,
			evidence: []string{fmt.Sprintf("EV-%03d", i)}})
		l.end()
	}
	a := l.account()
	for _, m := range a.History {
		whole(t, 0, "the pool", m.Pooled)
	}
	if len(a.History) < tests*each {
		t.Errorf("%d results moved belief %d times", tests*each, len(a.History))
	}
}

// TestNothingIsFinal finds eight hundred results for one hypothesis, which leave its rival less than any number holds, and as many for
// the rival: belief is where it began.
func TestNothingIsFinal(t *testing.T) {
	const each = 800
	l := newLab()
	l.begin("BlueLake")
	l.addHypothesis()
	l.addHypothesis()
	for range 2 * each {
		l.addTest(map[int]string{1: "up", 2: "down"}, map[string]float64{"likelihood_ratio": 3, "ambiguity": 3})
	}
	l.believe(map[string]float64{"H1": 0.7, "H2": 0.3})
	l.end()
	for n := 1; n <= 2*each; n++ {
		l.begin("RedSky")
		l.record(n, []string{"up", "down"}[(n-1)/each], false)
		l.end()
	}
	if p := l.account().Pooled; math.Abs(p[0]-0.7) > 1e-9 || math.Abs(p[1]-0.3) > 1e-9 || p[2] != 0 {
		t.Errorf("after as many results for either the pool is %v", p)
	}
	l.begin("BlueLake")
	l.killHypothesis(2)
	l.addHypothesis()
	l.end()
	whole(t, 0, "the pool", l.account().Pooled)
}
