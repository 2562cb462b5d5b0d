package science_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"brenner/internal/science"
)

// duel is a thread on which A proposed H1, B proposed H2, B wrote the test, both stated credences, and C found what H1 did not expect.
func duel(t *testing.T) *thread {
	th := newThread(t)
	th.delta("A", addHypothesis("one"))
	th.delta("B", addHypothesis("two"))
	th.delta("B", addTest(fields{"H1": "up", "H2": "down"},
		fields{"score": fields{"likelihood_ratio": 2, "ambiguity": 3, "cost": 3, "speed": 3}}))
	for _, name := range []string{"A", "B"} {
		th.post(name, "INFO: so", "```belief\n{\"credences\":{\"H1\":0.4,\"H2\":0.4,\"none\":0.2}}\n```\n")
	}
	th.delta("C", editTest("T1", ran("down")))
	return th
}

func (th *thread) states(from, credences string) {
	th.post(from, "INFO: so", "```belief\n{\"credences\":"+credences+"}\n```\n")
}

func (th *thread) signs() science.Signs {
	return th.state.Account(th.state.People(nil, func(science.Agent) string { return "unknown" })).Signs(map[string]int{"A": 2})
}

func signOf(t *testing.T, signs science.Signs, agent string) science.Sign {
	t.Helper()
	at := slices.IndexFunc(signs.Rows, func(s science.Sign) bool { return *s.Agent == agent })
	if at < 0 {
		t.Fatalf("%s has no row", agent)
	}
	return signs.Rows[at]
}

func sign(s science.Sign) string {
	text := func(x *float64) string {
		if x == nil {
			return "null"
		}
		return fmt.Sprintf("%.3f", *x)
	}
	return fmt.Sprintf("%d/%d %s; %d: %s %s; %d/%d", s.Answered, s.Results, text(s.Uptake), s.Statements, text(s.Revision), text(s.Drift),
		s.Revised, s.Refuted)
}

// TestSignsOfADuel: by hand. LR = 10, so that 0.4, 0.4, 0.2 becomes 4/110·…: H1 0.0728, H2 0.7273, none 0.2 (its row is the mean).
func TestSignsOfADuel(t *testing.T) {
	for name, c := range map[string]struct {
		then func(th *thread)
		a, b string
	}{
		"nobody writes after it": {func(*thread) {}, "0/0 null; 0: null null; 0/0", "0/0 null; 0: null null; 0/0"},
		"an idle word": {func(th *thread) {
			th.post("A", "INFO: hm", "Hm.")
		}, "0/1 0.000; 0: null null; 0/1", "0/0 null; 0: null null; 0/0"},
		"as its numbers say": {
			func(th *thread) { th.states("A", `{"H1":0.07272727,"H2":0.72727273,"none":0.2}`) },
			"1/1 1.000; 1: 1.000 0.000; 1/1", "0/0 null; 0: null null; 0/0",
		},
		"stubborn": {func(th *thread) {
			th.states("A", `{"H1":0.4,"H2":0.4,"none":0.2}`)
		}, "1/1 1.000; 1: 0.000 0.327; 0/1", "0/0 null; 0: null null; 0/0"},
		"away": {func(th *thread) {
			th.states("A", `{"H1":0.72727273,"H2":0.07272727,"none":0.2}`)
		}, "1/1 1.000; 1: -1.000 0.655; 0/1", "0/0 null; 0: null null; 0/0"},
		"it kills its hypothesis": {
			func(th *thread) { th.delta("A", block("KILL", "hypothesis_slate", "H1", fields{"reason": "T1"})) },
			"1/1 1.000; 0: null null; 1/1", "0/0 null; 0: null null; 0/0",
		},
		"it kills what another killed": {
			func(th *thread) {
				kill := block("KILL", "hypothesis_slate", "H1", fields{"reason": "T1"})
				th.delta("C", kill)
				th.send("A", kill)
			},
			"0/1 0.000; 0: null null; 0/1", "0/0 null; 0: null null; 0/0",
		},
		"it edits another field": {
			func(th *thread) { th.delta("A", block("EDIT", "hypothesis_slate", "H1", fields{"name": "won"})) },
			"1/1 1.000; 0: null null; 0/1", "0/0 null; 0: null null; 0/0",
		},
		"it rewords its claim": {
			func(th *thread) {
				th.delta("A", block("EDIT", "hypothesis_slate", "H1", fields{"claim": "only at night"}))
			},
			"1/1 1.000; 0: null null; 1/1", "0/0 null; 0: null null; 0/0",
		},
		"who wrote the cell answers for it too": {func(th *thread) {
			th.states("B", `{"H1":0.1}`)
		}, "0/0 null; 0: null null; 0/0", "1/1 1.000; 1: 0.535 0.277; 1/1"},
		"the result is withdrawn": {
			func(th *thread) {
				th.states("A", `{"H1":0.1}`)
				th.delta("C", editTest("T1", fields{"last_run": fields{"withdraws": 60, "reason": "spilt"}}))
			},
			"0/0 null; 0: null null; 0/0", "0/0 null; 0: null null; 0/0",
		},
		"an exploratory result asks for nothing": {
			func(th *thread) {
				th.delta("C", addTest(fields{"H1": "left", "H2": "right"}), editTest("T2", explored("right")))
				th.post("B", "INFO: hm", "Hm.")
			},
			"0/0 null; 0: null null; 0/0", "0/1 0.000; 0: null null; 0/1",
		},
	} {
		t.Run(name, func(t *testing.T) {
			th := duel(t)
			c.then(th)
			signs := th.signs()
			if got := sign(signOf(t, signs, "A")); got != c.a {
				t.Errorf("A: %s, want %s", got, c.a)
			}
			if got := sign(signOf(t, signs, "B")); got != c.b {
				t.Errorf("B: %s, want %s", got, c.b)
			}
		})
	}
}

// TestSignsOfASession: pairs of agent and result are summed, sums of both sides make one ratio, and a cell that two answer for is
// refuted once.
func TestSignsOfASession(t *testing.T) {
	th := duel(t)
	th.states("A", `{"H1":0.07272727,"H2":0.72727273,"none":0.2}`)
	th.states("B", `{"H1":0.4,"H2":0.4,"none":0.2}`)
	th.delta("B", editTest("T1", fields{"expected_outcomes": fields{"H2": "sideways"}}))
	signs := th.signs()
	if got := sign(signs.Session); got != "2/2 1.000; 2: 0.500 0.164; 1/1" {
		t.Errorf("the session: %s", got)
	}
	if signs.Session.Agent != nil || signs.Session.FalseQuotes != 2 || signOf(t, signs, "A").FalseQuotes != 2 {
		t.Errorf("false quotes: %+v", signs.Session)
	}
	if n := signOf(t, signs, "B").Rewritten; n != 1 || signs.Session.Rewritten != 1 {
		t.Errorf("B rewrote %d cells", n)
	}
	if words := strings.Join(signs.Lines(), "\n"); !strings.Contains(words,
		"B: answered 1 of 1 result; took up 0 of 1 refuted prediction; hardly moves (revision 0.00") {
		t.Errorf("in words: %s", words)
	}
}

// TestUnanswered: an agent is told what contradicts it and what it has said nothing to, whether or not it wrote since.
func TestUnanswered(t *testing.T) {
	th := duel(t)
	for agent, want := range map[string]string{
		"A": "T1 contradicts your H1; you have not restated.", "B": "T1 contradicts your H1; you have not restated.",
		"C": "You have not answered what was found in T1.",
	} {
		if got := th.state.Unanswered(agent); len(got) != 1 || got[0] != want {
			t.Errorf("%s is told %q", agent, got)
		}
	}
	th.states("A", `{"H1":0.1}`)
	if got := th.state.Unanswered("A"); len(got) != 0 {
		t.Errorf("A, who restated, is told %q", got)
	}
}

// TestAnswersInTheSameMessage: who records what refutes its own hypothesis, and draws the consequence in the same message, has taken it up
// and is asked for nothing more.
func TestAnswersInTheSameMessage(t *testing.T) {
	restated := "```belief\n{\"credences\":{\"H1\":0.1,\"H2\":0.7,\"none\":0.2}}\n```\n"
	killed := block("KILL", "hypothesis_slate", "H1", fields{"reason": "T1"})
	for name, consequence := range map[string]string{"it states less": restated, "it kills": killed} {
		t.Run(name, func(t *testing.T) {
			th := newThread(t)
			th.delta("A", addHypothesis("one"), addHypothesis("two"), addTest(fields{"H1": "up", "H2": "down"}))
			th.states("A", `{"H1":0.4,"H2":0.4,"none":0.2}`)
			th.send("A", editTest("T1", ran("down")), consequence)
			th.post("A", "INFO: hm", "Hm.")
			if got := signOf(t, th.signs(), "A"); got.Refuted != 1 || got.Revised != 1 {
				t.Errorf("%d of %d refutations are revised", got.Revised, got.Refuted)
			}
			if got := th.state.Unanswered("A"); len(got) != 0 {
				t.Errorf("A is told %q", got)
			}
		})
	}
}

// TestQuantitiesAreScored: by the density at the value times the range, and by whether nine tenths of the predictive hold it.
func TestQuantitiesAreScored(t *testing.T) {
	th := newThread(t)
	th.delta("A", addHypothesis("one"))
	th.delta("A", addTest(fields{"H1": "70 ± 3"}, fields{"quantity": fields{"range": []float64{50, 100}}, "score": fields{"ambiguity": 3}}))
	th.states("A", `{"H1":1}`)
	th.states("B", `{"H1":0,"none":1}`)
	th.post("B", "INFO: rows", "```belief\n{\"likelihoods\":{\"T1\":{\"H1\":\"70 ± 3\"}}}\n```\n")
	th.delta("C", editTest("T1", fields{"status": "passed", "last_run": fields{"value": fields{"x": 74, "sd": 4}}}))
	scores := th.state.Account(th.state.People(nil, func(science.Agent) string { return "unknown" })).Scores()
	if len(scores) != 1 || scores[0].Agent != "B" {
		t.Fatalf("only who stated rows is scored where somebody did: %+v", scores)
	}
	normal := math.Exp(-16.0/50) / (5 * math.Sqrt(2*math.Pi))
	if want := (0.98*normal + 0.02/50) * 50; math.Abs(scores[0].Density-want) > 1e-12 {
		t.Errorf("the density is %v of the range's, want %v", scores[0].Density, want)
	}
	if below := scores[0].Below; math.Abs(below-0.78) > 0.02 {
		t.Errorf("%v lies below the value, want about Φ(0.8)", below)
	}
}
