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

// TestInformationLaws: no test teaches less than nothing, and none more than one voice's entropy.
func TestInformationLaws(t *testing.T) {
	each(t, func(t *testing.T, _ *rand.Rand, l *lab) {
		account, most := l.account(), 0.0
		for _, v := range account.Voices {
			most = max(most, science.Entropy(v.Masses))
		}
		for _, a := range account.Next(science.ByBits).Tests {
			if a.Bits < 0 || a.QuarrelBits < 0 || a.QuarrelBits > science.Entropy(account.Pooled)+tolerance || a.Range[0] < 0 ||
				a.Range[0] > a.Range[1] {
				t.Errorf("%s: %v bits, %v, in %v", a.Test, a.Bits, a.QuarrelBits, a.Range)
			}
			if l.state.Results.Stands(a.Test) == nil && a.Range[1] > most+tolerance || a.Effort < 1 || a.BitsPerEffort > a.Bits {
				t.Errorf("%s: effort %v, at most %v of %v", a.Test, a.Effort, a.Range[1], most)
			}
		}
	})
}

// TestRanking: each order is kept, and no test is left out.
func TestRanking(t *testing.T) {
	each(t, func(t *testing.T, _ *rand.Rand, l *lab) {
		plain, byBits := l.account().Next(science.ByBitsPerEffort).Tests, l.account().Next(science.ByBits).Tests
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

// TestExpectedGain: what a test is expected to teach, weighed over its outcomes, is its bits: whatif shows what next promised.
func TestExpectedGain(t *testing.T) {
	each(t, func(t *testing.T, _ *rand.Rand, l *lab) {
		account := l.account()
		for _, a := range account.Next(science.ByBits).Tests {
			if len(a.Labels) < 2 {
				continue
			}
			expected := 0.0
			for _, o := range account.Outlooks(a.Test) {
				out, err := account.Suppose([]science.Supposition{{Test: a.Test, Outcome: o.Label}})
				if err != nil {
					t.Fatal(err)
				}
				expected += o.P * out.BitsGained
			}
			if math.Abs(expected-a.Bits) > tolerance {
				t.Errorf("%s: %v bits, but outcomes gain %v on average", a.Test, a.Bits, expected)
			}
		}
	})
}

// TestSupposeEqualsRecord: what whatif shows is what beliefs shows once the outcomes are recorded.
func TestSupposeEqualsRecord(t *testing.T) {
	each(t, func(t *testing.T, rnd *rand.Rand, l *lab) {
		tests := l.account().Next(science.ByBits).Tests
		if len(tests) == 0 || len(tests[0].Labels) == 0 {
			return
		}
		label := tests[0].Labels[rnd.IntN(len(tests[0].Labels))]
		before := l.account()
		out, err := before.Suppose([]science.Supposition{{Test: tests[0].Test, Outcome: label}})
		if err != nil {
			t.Fatal(err)
		}
		l.begin("GreenHill")
		l.record(tests[0].Test.Number(), label, false)
		l.end()
		after := l.account()
		for i, w := range after.Worlds {
			if math.Abs(after.Pooled[i]-out.Posterior[w.ID()]) > tolerance {
				t.Errorf("%s is %v, supposed %v", w.ID(), after.Pooled[i], out.Posterior[w.ID()])
			}
			if before.Pooled[i] != out.Prior[w.ID()] {
				t.Errorf("the account changed")
			}
		}
		if d := cmp.Diff(out.Next.Tests, after.Next(science.ByBitsPerEffort).Tests, cmpopts.EquateApprox(0, tolerance),
			cmpopts.IgnoreFields(science.Advice{}, "Findings")); d != "" {
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
			pools[i] = twin.account().Pooled
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

// TestUselessAndPerfect: a test of which all expect the same teaches nothing; one whose outcome names the world teaches nearly all there
// is to know: a stated zero is not final.
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
	l.foresee(perfect, labTable{labels: []string{"one", "two", "neither"},
		rows: map[string][]float64{"H1": {1, 0, 0}, "H2": {0, 1, 0}, "none": {0, 0, 1}}})
	l.foresee(halves, labTable{labels: []string{"one", "other"}, rows: map[string][]float64{"H1": {1, 0}, "H2": {0, 1}, "none": {0, 1}}})
	l.end()
	most := map[int]float64{useless: 0, perfect: 1.5, halves: 1}
	for _, a := range l.account().Next(science.ByBits).Tests {
		if want := most[a.Test.Number()]; a.Bits > want || a.Bits < 0.9*want-0.05 {
			t.Errorf("%s has %v bits, want nearly %v", a.Test, a.Bits, want)
		}
	}
	if pairs := l.account().Next(science.ByBits).Unseparated; len(pairs) != 0 {
		t.Errorf("unseparated: %v", pairs)
	}
}

// TestNoneIsTheMean: a test that tells no two hypotheses apart moves nothing, and one that contradicts them all raises none.
func TestNoneIsTheMean(t *testing.T) {
	l := newLab()
	l.begin("BlueLake")
	l.addHypothesis()
	l.addHypothesis()
	l.addHypothesis()
	l.addTest(map[int]string{1: "kept", 2: "kept", 3: "lost"}, map[string]float64{"likelihood_ratio": 3, "ambiguity": 3})
	l.addTest(map[int]string{1: "2 ± 0.1", 2: "3 ± 0.1", 3: "4 ± 0.1"}, nil)
	l.measures(2, labMeasure{lo: 1, hi: 20})
	l.end()
	l.begin("BlueLake")
	l.killHypothesis(3)
	l.end()
	before := l.account()
	l.begin("BlueLake")
	l.run(2, labRun{unforeseen: true})
	l.end()
	if after := l.account(); after.Pooled[2] <= before.Pooled[2] || before.Pooled[2] != 0.5 {
		t.Errorf("none was %v and is %v", before.Pooled[2], after.Pooled[2])
	}
	moved := l.account()
	l.begin("BlueLake")
	l.record(1, "kept", false)
	l.end()
	for i, p := range l.account().Pooled {
		if math.Abs(p-moved.Pooled[i]) > 1e-15 {
			t.Errorf("world %d moved from %v to %v", i, moved.Pooled[i], p)
		}
	}
}

// TestNoneAlone: where no hypothesis is left, none finds everything that a test could show equally likely, and all of it sums to 1.
func TestNoneAlone(t *testing.T) {
	l := newLab()
	l.begin("BlueLake")
	l.addHypothesis()
	l.addHypothesis()
	l.addTest(map[int]string{1: "kept", 2: "lost"}, nil)
	l.addTest(map[int]string{1: "2 ± 0.1", 2: "3 ± 0.1"}, nil)
	l.measures(2, labMeasure{lo: 1, hi: 5})
	l.believe(map[string]float64{"H1": 0.5, "none": 0.1})
	l.foresee(1, labTable{labels: []string{"kept", "lost", "turned"}, rows: map[string][]float64{"H1": {0.8, 0.1, 0.1}}})
	l.foresee(2, labTable{cells: map[string]string{"H1": "2 ± 0.2"}})
	l.end()
	l.begin("BlueLake")
	l.killHypothesis(1)
	l.killHypothesis(2)
	l.end()
	l.begin("RedSky")
	l.record(1, "kept", false)
	l.run(2, labRun{value: &labValue{2, 0.1, 0.1}})
	l.end()
	a := l.account()
	for _, table := range a.Report().Tables {
		for _, p := range table.Rows["none"].P {
			if math.Abs(p-1.0/3) > 1e-12 {
				t.Errorf("%s: none has %v", table.Test, table.Rows["none"].P)
			}
		}
	}
	scores := a.Scores()
	if len(scores) != 2 {
		t.Fatalf("scores %+v", scores)
	}
	if got, want := scores[0].Brier(), scores[0].BaselineBrier(); math.Abs(got-want) > 1e-12 {
		t.Errorf("T1 is scored %v, even odds %v", got, want)
	}
	if got := scores[1].LogBits(); math.Abs(got) > 1e-12 {
		t.Errorf("T2 is scored %v bits beside its range", got)
	}
	l.begin("RedSky")
	third := l.addTest(map[int]string{1: "2 ± 0.1"}, nil)
	l.measures(third, labMeasure{lo: 1, hi: 5})
	l.run(third, labRun{value: &labValue{2, 0.1, 0.1}})
	l.end()
	if scores := l.account().Scores(); len(scores) != 2 {
		t.Errorf("a test that came with its result is scored: %+v", scores)
	}
}
