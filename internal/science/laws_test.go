package science_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"brenner/internal/science"
)

const threads = 300

// each plays random threads.
func each(t *testing.T, check func(t *testing.T, rnd *rand.Rand, l *lab)) {
	t.Helper()
	for seed := range uint64(threads) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		check(t, rnd, randomLab(rnd, 8))
		if t.Failed() {
			t.Fatalf("with seed %d", seed)
		}
	}
}

// TestInformationLaws: 0 ≤ bits ≤ entropy, for the pool and for each agent.
func TestInformationLaws(t *testing.T) {
	each(t, func(t *testing.T, _ *rand.Rand, l *lab) {
		entropy := l.state.BeliefReport().EntropyBits
		for _, a := range l.state.Beliefs.Next(science.ByBits).Tests {
			if a.Bits < 0 || a.Bits > entropy+tolerance || a.Range[0] < 0 || a.Range[0] > a.Range[1] {
				t.Errorf("%s: %v bits in %v of %v", a.Test, a.Bits, a.Range, entropy)
			}
			if a.Effort < 1 || a.BitsPerEffort > a.Bits {
				t.Errorf("%s: effort %v", a.Test, a.Effort)
			}
		}
	})
}

// TestRanking: each order is kept, and no test is left out.
func TestRanking(t *testing.T) {
	each(t, func(t *testing.T, _ *rand.Rand, l *lab) {
		plain, byBits := l.state.Beliefs.Next(science.ByBitsPerEffort).Tests, l.state.Beliefs.Next(science.ByBits).Tests
		if len(plain) != len(byBits) {
			t.Fatalf("%d tests, %d by bits", len(plain), len(byBits))
		}
		for i := 1; i < len(plain); i++ {
			if plain[i].BitsPerEffort > plain[i-1].BitsPerEffort || byBits[i].Bits > byBits[i-1].Bits {
				t.Errorf("out of order: %v, %v", plain, byBits)
			}
		}
	})
}

// TestExpectedGain: what a test is expected to teach, weighed over its outcomes, is its bits.
func TestExpectedGain(t *testing.T) {
	each(t, func(t *testing.T, _ *rand.Rand, l *lab) {
		if len(l.state.BeliefReport().Worlds[0].Agents) > 1 {
			return // a mean of updates is not an update of the mean
		}
		ref := reference{l.log}
		pooled := ref.pooled()
		for _, a := range l.state.Beliefs.Next(science.ByBits).Tests {
			table, expected, possible := ref.table(a.Test.Number()), 0.0, true
			for o, label := range table.labels {
				p := 0.0
				for w := range pooled {
					p += pooled[w] * table.at(w, o)
				}
				out, err := l.state.Beliefs.Suppose([]science.Supposition{{Test: a.Test, Outcome: label}})
				if err != nil {
					t.Fatal(err)
				}
				possible = possible && len(out.Findings) == 0
				expected += p * out.BitsGained
			}
			if possible && math.Abs(expected-a.Bits) > tolerance {
				t.Errorf("%s: %v bits, but outcomes gain %v on average", a.Test, a.Bits, expected)
			}
		}
	})
}

// TestSupposeEqualsRecord: what whatif shows is what beliefs shows once the outcomes are recorded.
func TestSupposeEqualsRecord(t *testing.T) {
	each(t, func(t *testing.T, rnd *rand.Rand, l *lab) {
		tests := l.state.Beliefs.Next(science.ByBits).Tests
		if len(tests) == 0 || len(tests[0].Labels) == 0 {
			return
		}
		label := tests[0].Labels[rnd.IntN(len(tests[0].Labels))]
		before := l.state.Beliefs.Snapshot()
		out, err := l.state.Beliefs.Suppose([]science.Supposition{{Test: tests[0].Test, Outcome: label}})
		if err != nil {
			t.Fatal(err)
		}
		l.begin("GreenHill")
		l.record(tests[0].Test.Number(), label, false)
		l.end()
		for i, w := range l.state.Beliefs.Worlds {
			if math.Abs(l.state.Beliefs.Pooled[i]-out.Posterior[w.ID()]) > tolerance {
				t.Errorf("%s is %v, supposed %v", w.ID(), l.state.Beliefs.Pooled[i], out.Posterior[w.ID()])
			}
			if before.Pooled[i] != out.Prior[w.ID()] {
				t.Errorf("the snapshot changed")
			}
		}
		if d := cmp.Diff(out.Next.Tests, l.state.Beliefs.Next(science.ByBitsPerEffort).Tests, cmpopts.EquateApprox(0, tolerance), cmpopts.IgnoreFields(science.Advice{}, "Findings")); d != "" {
			t.Error(d)
		}
	})
}

// TestOrderOfAgents: statements of different agents, one after the other, may change places.
func TestOrderOfAgents(t *testing.T) {
	each(t, func(t *testing.T, rnd *rand.Rand, l *lab) {
		first, second := randomCredencesOpen(rnd, l), randomCredencesOpen(rnd, l)
		data := encoded(t, &l.state.Beliefs)
		var pools [2][]float64
		for i, order := range [2][2]string{{"BlueLake", "RedSky"}, {"RedSky", "BlueLake"}} {
			twin := *l
			twin.state = *l.state.Snapshot()
			twin.state.Beliefs = science.Beliefs{}
			if err := json.Unmarshal(data, &twin.state.Beliefs); err != nil {
				t.Fatal(err)
			}
			for _, name := range order {
				twin.begin(name)
				if name == "BlueLake" {
					twin.believe(first)
				} else {
					twin.believe(second)
				}
				twin.end()
			}
			pools[i] = twin.state.Beliefs.Pooled
		}
		if d := cmp.Diff(pools[0], pools[1], cmpopts.EquateApprox(0, tolerance)); d != "" {
			t.Error(d)
		}
	})
}

func randomCredencesOpen(rnd *rand.Rand, l *lab) map[string]float64 {
	l.begin("GreenHill")
	defer func() { l.open = nil }()
	return randomCredences(rnd, l)
}

// TestResume: a register that was saved and loaded goes on to the same numbers, bit for bit, and a
// snapshot stays what it was.
func TestResume(t *testing.T) {
	each(t, func(t *testing.T, rnd *rand.Rand, l *lab) {
		saved := encoded(t, &l.state.Beliefs)
		resumed := *l
		resumed.state = *l.state.Snapshot()
		resumed.state.Beliefs = science.Beliefs{}
		if err := json.Unmarshal(saved, &resumed.state.Beliefs); err != nil {
			t.Fatal(err)
		}
		snapshot := l.state.Beliefs.Snapshot()
		l.begin("BlueLake")
		l.randomAct(rnd)
		l.believe(map[string]float64{"H1": rnd.Float64()})
		l.addHypothesis()
		resumed.open, resumed.body, resumed.deltas = l.open, l.body, l.deltas // the same message
		l.end()
		resumed.end()
		if d := cmp.Diff(string(encoded(t, &l.state.Beliefs)), string(encoded(t, &resumed.state.Beliefs))); d != "" {
			t.Error(d)
		}
		if string(encoded(t, snapshot)) != string(saved) {
			t.Error("the snapshot changed")
		}
	})
}

func encoded(t *testing.T, r *science.Beliefs) []byte {
	t.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestUselessAndPerfect: a test of which all expect the same teaches nothing; one whose
// outcome names the world teaches all there is to know.
func TestUselessAndPerfect(t *testing.T) {
	l := newLab()
	l.begin("BlueLake")
	l.addHypothesis()
	l.addHypothesis()
	useless := l.addTest(map[int]string{1: "kept", 2: "kept."}, nil)
	perfect := l.addTest(nil, nil)
	halves := l.addTest(nil, nil)
	l.end()
	l.begin("BlueLake")
	l.believe(map[string]float64{"H1": 0.5, "H2": 0.25, "none": 0.25})
	l.foresee(perfect, labTable{[]string{"one", "two", "neither"}, map[string][]float64{"H1": {1, 0, 0}, "H2": {0, 1, 0}, "none": {0, 0, 1}}})
	l.foresee(halves, labTable{[]string{"one", "other"}, map[string][]float64{"H1": {1, 0}, "H2": {0, 1}, "none": {0, 1}}})
	l.end()
	want := map[int]float64{useless: 0, perfect: 1.5, halves: 1}
	for _, a := range l.state.Beliefs.Next(science.ByBits).Tests {
		if math.Abs(a.Bits-want[a.Test.Number()]) > tolerance {
			t.Errorf("%s has %v bits, want %v", a.Test, a.Bits, want[a.Test.Number()])
		}
	}
	if pairs := l.state.Beliefs.Next(science.ByBits).Unseparated; len(pairs) != 0 {
		t.Errorf("unseparated: %v", pairs)
	}
}

// TestAdditive: the bits of a test and those of an independent second one, weighed over the first's
// outcomes, are the bits of both together.
func TestAdditive(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 4))
	for range threads {
		l := newLab()
		l.begin("BlueLake")
		l.addHypothesis()
		l.addHypothesis()
		first, second, joint := l.addTest(nil, nil), l.addTest(nil, nil), l.addTest(nil, nil)
		l.end()
		l.begin("BlueLake")
		l.believe(map[string]float64{"H1": 0.5, "H2": 0.3, "none": 0.2})
		a, b, both := map[string][]float64{}, map[string][]float64{}, map[string][]float64{}
		for _, w := range []string{"H1", "H2", "none"} {
			a[w], b[w] = randomRow(rnd, 2), randomRow(rnd, 2)
			both[w] = []float64{a[w][0] * b[w][0], a[w][0] * b[w][1], a[w][1] * b[w][0], a[w][1] * b[w][1]}
		}
		l.foresee(first, labTable{[]string{"x", "y"}, a})
		l.foresee(second, labTable{[]string{"x", "y"}, b})
		l.foresee(joint, labTable{[]string{"xx", "xy", "yx", "yy"}, both})
		l.end()
		bits := map[int]float64{}
		for _, advice := range l.state.Beliefs.Next(science.ByBits).Tests {
			bits[advice.Test.Number()] = advice.Bits
		}
		sum := bits[first]
		for o, label := range []string{"x", "y"} {
			p := 0.5*a["H1"][o] + 0.3*a["H2"][o] + 0.2*a["none"][o]
			if p == 0 {
				continue
			}
			out, err := l.state.Beliefs.Suppose([]science.Supposition{{Test: "T1", Outcome: label}})
			if err != nil {
				t.Fatal(err)
			}
			for _, advice := range out.Next.Tests {
				if advice.Test.Number() == second {
					sum += p * advice.Bits
				}
			}
		}
		if math.Abs(sum-bits[joint]) > tolerance {
			t.Fatalf("%v + … = %v, together %v", bits[first], sum, bits[joint])
		}
	}
}
