package science_test

import (
	"math"
	"testing"

	"brenner/internal/science"
)

// believed compares the pool with numbers that were worked out by hand.
func (th *thread) believed(what string, families map[string]string, want map[string]float64) *science.Account {
	th.t.Helper()
	account := th.state.Account(th.state.People(nil, func(a science.Agent) string { return families[a.Name] }))
	for _, w := range account.Report().Worlds {
		if math.Abs(w.Pooled-want[w.ID]) > tolerance {
			th.t.Errorf("%s: %s has %.12f, by hand %.12f", what, w.ID, w.Pooled, want[w.ID])
		}
	}
	if len(account.Worlds) != len(want) {
		th.t.Errorf("%s: %v are worlds", what, account.Worlds)
	}
	return account
}

func (th *thread) found(test string, run fields) int64 {
	th.t.Helper()
	return th.delta("Operator", editTest(test, fields{"status": "passed", "last_run": run}))
}

// TestStudyOfTheHubbleConstant: two measurements of the expansion rate as they were published, 73.9 ± 3.0 and 67.4 +4.1 −3.2, for
// explanations that expect 73 ± 1 and 67.4 ± 0.5 in 50–100. Nobody stated credences, so that all three worlds begin with 1/3.
//
// The first: under H1 σ² = 1² + 3² = 10, z = 0.9/√10 = 0.2846, density √(2/π)/(2√10)·exp(−0.0405) = 0.121149; under H2 σ² = 0.25 + 9,
// z = 6.5/√9.25 = 2.1372, density 0.0133661. With 0.98·d + 0.02/50 they are 0.1191264 and 0.0134988, none has their mean.
//
// The second lies below H1's 73: σ₋² = 1 + 4.1², σ₊² = 1 + 3.2², z = 5.6/√17.81 = 1.3270, density √(2/π)/(√17.81 + √11.24)·exp(−0.88041)
// = 0.0436846; it is H2's own centre: √(2/π)/(√17.06 + √10.49) = 0.1082729. Floored: 0.0432110 and 0.1065074.
//
// Together 8.824979 · 0.405708 = 3.580369 to 1 for H1: as words, near 73 and near 67, they cancel.
func TestStudyOfTheHubbleConstant(t *testing.T) {
	th := newThread(t)
	sharp := fields{"quantity": fields{"unit": "km/s/Mpc", "range": []float64{50, 100}, "sd": 3}, "score": fields{"ambiguity": 3}}
	expected := fields{"H1": "73 ± 1 km/s/Mpc", "H2": "67.4 ± 0.5"}
	th.delta("BlueLake", addHypothesis("late"), addHypothesis("early"), addTest(expected, sharp), addTest(expected, sharp))
	th.found("T1", fields{"value": "73.9 ± 3.0 km/s/Mpc"})
	th.believed("after the first", nil, map[string]float64{"H1": 0.5988124070802293, "H2": 0.06785425958643741, "none": 1.0 / 3})
	th.found("T2", fields{"value": fields{"x": 67.4, "plus": 4.1, "minus": 3.2}})
	account := th.believed("after both", nil,
		map[string]float64{"H1": 0.4457001831350605, "H2": 0.12448443571280703, "none": 0.4298153811521325})
	if ratio := account.Pooled[0] / account.Pooled[1]; math.Abs(ratio-3.580369) > 1e-6 {
		t.Errorf("H1 against H2 is %v", ratio)
	}
	for i, want := range []float64{0.28460498941515594, 2.137186834969645, 1.3269546090696394, 0} {
		g := th.state.Results.Given.All()[i/2]
		verdict, z := th.state.Judge(g, []string{"73 ± 1 km/s/Mpc", "67.4 ± 0.5"}[i%2])
		if z == nil || math.Abs(*z-want) > tolerance || (verdict == science.Contradicted) != (want > 2) {
			t.Errorf("z of %d is %v, %s, by hand %v", i, z, verdict, want)
		}
	}
	if account.Verdict() != science.Undecided {
		t.Errorf("the verdict is %s", account.Verdict())
	}
}

// TestStudyOfCells: three agents of two families, a stated zero, a label that nobody derived, a replication, a kill and a late
// hypothesis. A states H1 0.7 and H2 0.3, which leaves nothing; B states H1 0.4, and H2, H3 and none share the rest; C states all.
//
// T1 has the derived labels up and down and C's burst; with a likelihood ratio of 10 the row of H1 is 10/11, 1/11, 0, mixed with 0.02/3.
// H3 has C's row, 0, 0, 1, for all. Down is 0.0957576 under H1, 0.8975758 under H2, 0.0066667 under H3, none has the mean 1/3. The
// replication counts with the square roots of these. Killing H2 gives its mass to none; H4 takes half of it. What nobody had foreseen in
// T2 is 0.1 under H1, which expected something, and 0.25 elsewhere.
func TestStudyOfCells(t *testing.T) {
	th := newThread(t)
	families := map[string]string{"A": "openai", "B": "openai", "C": "anthropic"}
	score := fields{"score": fields{"likelihood_ratio": 2, "ambiguity": 3, "cost": 3, "speed": 3}}
	th.delta("A", addHypothesis("one"), addHypothesis("two"), addHypothesis("three"), addTest(fields{"H1": "up", "H2": "down"}, score),
		addTest(fields{"H1": "kept"}, score))
	th.states("A", `{"H1":0.7,"H2":0.3}`)
	th.states("B", `{"H1":0.4}`)
	th.post("C", "INFO: so", "```belief\n"+`{"credences":{"H1":0.2,"H2":0.2,"H3":0.2,"none":0.4},`+
		`"likelihoods":{"T1":{"labels":["down","burst","up"],"H3":[0,1,0]}}}`+"\n```\n")
	th.believed("as stated", families, map[string]float64{"H1": 0.375, "H2": 0.225, "H3": 0.15, "none": 0.25})
	first := th.found("T1", fields{"outcome": "Down.", "evidence": []string{"EV-001"}})
	th.believed("after the first", families,
		map[string]float64{"H1": 0.11205903932636346, "H2": 0.6264625891723643, "H3": 0.003166242578456319, "none": 0.2583121289228159})
	th.found("T1", fields{"outcome": "down", "evidence": []string{"EV-002"}, "replicates": first})
	th.believed("after the replication", families,
		map[string]float64{"H1": 0.04394347826563562, "H2": 0.7600024473392422, "H3": 0.0003384921294388, "none": 0.19571558226568336})
	th.delta("B", block("KILL", "hypothesis_slate", "H2", fields{"reason": "taste"}))
	th.believed("after the kill", families,
		map[string]float64{"H1": 0.04394347826563562, "H3": 0.0003384921294388, "none": 0.9557180296049256})
	th.delta("B", addHypothesis("four"))
	th.believed("with a fourth", families,
		map[string]float64{"H1": 0.04394347826563562, "H3": 0.0003384921294388, "H4": 0.4778590148024628, "none": 0.4778590148024628})
	th.found("T2", fields{"unforeseen": "smoke"})
	th.believed("after the smoke", families,
		map[string]float64{"H1": 0.018178506327359838, "H3": 0.0003456696089375, "H4": 0.49073791203185135, "none": 0.49073791203185135})
}
