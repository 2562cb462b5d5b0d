package science_test

import (
	"fmt"
	"math"
	"testing"

	"brenner/internal/artifact"
	"brenner/internal/science"
)

// foresaw is a forecast of a test with two labels, of which the first came true.
func foresaw(by, thread string, test int, p float64) science.Scored {
	id := artifact.NewItemID(artifact.DiscriminativeTests, test)
	return science.Scored{By: by, Thread: thread,
		Score: science.Score{Test: id, Agent: by, Foresight: science.Foresight{P: []float64{p, 1 - p}}}}
}

func measured(by string, test int, density, below float64) science.Scored {
	id := artifact.NewItemID(artifact.DiscriminativeTests, test)
	return science.Scored{By: by, Score: science.Score{Test: id, Agent: by, Foresight: science.Foresight{Density: density, Below: below}}}
}

func near(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil || math.Abs(*got-want) > 1e-12 {
		t.Errorf("%s is %v, want %v", what, show(got), want)
	}
}

func show(x *float64) string {
	if x == nil {
		return "null"
	}
	return fmt.Sprint(*x)
}

// TestCalibrate: two labels, P = 0.9 and 0.6 of what came true. Brier 2·0.1² = 0.02 and 2·0.4² = 0.32, chance 0.5: gains 0.48 and
// 0.18, mean 0.33, deviation 0.3/√2, so that the interval is (0.33 ± 1.645·0.15)/0.5 (SCIENCE 7).
func TestCalibrate(t *testing.T) {
	rows := science.Calibrate([]science.Scored{foresaw("Red", "a", 1, 0.9), foresaw("red", "b", 1, 0.6)})
	if len(rows) != 1 || rows[0].By != "Red" || rows[0].N != 2 || rows[0].Verdict != science.CannotTell {
		t.Fatalf("rows %+v", rows)
	}
	r := rows[0]
	near(t, "brier", r.Brier, 0.17)
	near(t, "baseline_brier", r.BaselineBrier, 0.5)
	near(t, "log_bits", r.LogBits, (-math.Log2(0.9)-math.Log2(0.6))/2)
	near(t, "baseline_log_bits", r.BaselineLogBits, 1)
	near(t, "skill", r.Skill, 0.66)
	if r.Interval == nil {
		t.Fatal("two forecasts have no interval")
	}
	near(t, "interval", &r.Interval[0], (0.33-1.645*0.15)/0.5)
	near(t, "interval", &r.Interval[1], (0.33+1.645*0.15)/0.5)

	one := science.Calibrate([]science.Scored{foresaw("Red", "a", 1, 0.9)})[0]
	if one.Interval != nil || one.Skill == nil {
		t.Errorf("one forecast has skill %s and the interval %v", show(one.Skill), one.Interval)
	}
}

// TestCalibrationVerdict: ten forecasts and an interval beside 0 are needed for a verdict.
func TestCalibrationVerdict(t *testing.T) {
	alike := func(n int, p ...float64) []science.Scored {
		var list []science.Scored
		for i := range n {
			list = append(list, foresaw("Red", "a", i+1, p[i%len(p)]))
		}
		return list
	}
	for _, test := range []struct {
		name   string
		scores []science.Scored
		want   science.Skilled
	}{
		{"nine good ones", alike(9, 0.9), science.CannotTell},
		{"ten good ones", alike(10, 0.9), science.Better},
		{"ten bad ones", alike(10, 0.1), science.Worse},
		{"good and bad", alike(10, 0.9, 0.1), science.CannotTell},
		{"chance", alike(10, 0.5), science.CannotTell},
	} {
		if got := science.Calibrate(test.scores)[0].Verdict; got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestForecastsOfOneResultAreAveraged: two agents of a family that say 0.9 and 0.5 are one forecast of 0.7.
func TestForecastsOfOneResultAreAveraged(t *testing.T) {
	r := science.Calibrate([]science.Scored{foresaw("openai", "a", 1, 0.9), foresaw("openai", "a", 1, 0.5),
		foresaw("openai", "a", 2, 1)})[0]
	if r.N != 2 {
		t.Fatalf("%d forecasts, want 2", r.N)
	}
	near(t, "brier", r.Brier, (2*0.3*0.3+0)/2)
	near(t, "log_bits", r.LogBits, -math.Log2(0.7)/2)
}

// TestSelfIsNotScored: what an agent recorded itself is counted, and in no mean.
func TestSelfIsNotScored(t *testing.T) {
	own := foresaw("Red", "a", 1, 1)
	own.Self = true
	r := science.Calibrate([]science.Scored{own, foresaw("Red", "a", 2, 0.6)})[0]
	if r.Self != 1 || r.N != 1 {
		t.Errorf("%d self, %d scored", r.Self, r.N)
	}
	near(t, "brier", r.Brier, 0.32)
	alone := science.Calibrate([]science.Scored{own})[0]
	if alone.Self != 1 || alone.N != 0 || alone.Brier != nil || alone.LogBits != nil || alone.Skill != nil ||
		alone.Verdict != science.CannotTell {
		t.Errorf("%+v", alone)
	}
}

// TestQuantitiesInCalibration: they count in log_bits and inside_90 and nowhere else; a quantity's chance is 0 bits.
func TestQuantitiesInCalibration(t *testing.T) {
	r := science.Calibrate([]science.Scored{
		measured("Red", 1, 4, 0.05), measured("Red", 2, 0.5, 0.951), measured("Red", 3, 0, 0.5), foresaw("Red", "", 4, 0.5),
	})[0]
	if r.N != 1 || r.Inside90 != (science.Inside{N: 2, Of: 3}) {
		t.Errorf("n %d, inside %+v", r.N, r.Inside90)
	}
	near(t, "log_bits", r.LogBits, (-2+1-math.Log2(1e-6)+1)/4)
	near(t, "baseline_log_bits", r.BaselineLogBits, 0.25)
	near(t, "brier", r.Brier, 0.5)
}
