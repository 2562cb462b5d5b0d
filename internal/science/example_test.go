package science_test

import (
	"math"
	"testing"

	"brenner/internal/science"
)

// TestWorkedExample holds the numbers of doc/beliefs.md.
func TestWorkedExample(t *testing.T) {
	l := newLab()
	l.begin("BlueLake")
	l.addHypothesis()
	l.addHypothesis()
	l.addTest(map[int]string{1: "kept", 2: "lost"}, map[string]float64{"likelihood_ratio": 2, "cost": 2, "speed": 2, "ambiguity": 3})
	l.believe(map[string]float64{"H1": 0.5, "H2": 0.3})
	l.end()
	l.begin("RedSky")
	l.believe(map[string]float64{"H1": 0.2, "H2": 0.6, "none": 0.2})
	l.end()
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 0.005 {
			t.Errorf("%s is %v, the page says %v", what, got, want)
		}
	}
	test := l.account().Next(science.ByBits).Tests[0]
	near("bits", test.Bits, 0.39)
	near("quarrel bits", test.QuarrelBits, 0.44)
	near("effort", test.Effort, 4.64)
	near("bits per effort", test.BitsPerEffort, 0.085)
	near("entropy", l.account().Report().EntropyBits, 1.51)
	l.begin("GreenHill")
	l.record(1, "kept", false)
	l.end()
	for i, want := range []float64{0.66, 0.10, 0.23} {
		near(l.account().Worlds[i].ID(), l.account().Pooled[i], want)
	}
}
