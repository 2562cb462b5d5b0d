package message

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/protocol"
)

func fenced(json string) string { return "# Where I stand\n\n```belief\n" + json + "\n```\n" }

func checkBelief(body string, intake protocol.Intake) Report {
	return Check(Draft{ThreadID: "RS-20260110-cells-turn", From: "BlueLake", Subject: "INFO: Where I stand", Body: body},
		Facts{Intake: intake})
}

// TestInvalidBeliefs: what makes a block invalid, and where (SCIENCE 4).
func TestInvalidBeliefs(t *testing.T) {
	for _, test := range []struct{ name, json, path string }{
		{"no JSON", `{"credences": {"H1": 0.5}`, ""},
		{"no object", `[1]`, ""},
		{"two values", `{"credences": {}} {"credences": {}}`, ""},
		{"duplicate key", `{"credences": {"H1": 0.5, "H1": 0.4}}`, "credences.H1"},
		{"neither key", `{"rationale": "r"}`, ""},
		{"credences are a list", `{"credences": [0.5]}`, "credences"},
		{"a text", `{"credences": {"H1": "0.5"}}`, "credences.H1"},
		{"null", `{"credences": {"H1": null}}`, "credences.H1"},
		{"negative", `{"credences": {"H1": -0.1}}`, "credences.H1"},
		{"above one", `{"credences": {"H1": 1.1}}`, "credences.H1"},
		{"too large for a number", `{"credences": {"H1": 1e999}}`, "credences.H1"},
		{"sum above one", `{"credences": {"H1": 0.6, "H2": 0.400002}}`, "credences"},
		{"likelihoods are null", `{"likelihoods": null}`, "likelihoods"},
		{"a test is null", `{"likelihoods": {"T1": null}}`, "likelihoods.T1"},
		{"no labels", `{"likelihoods": {"T1": {"H1": [0.5, 0.5]}}}`, "likelihoods.T1.labels"},
		{"one label", `{"likelihoods": {"T1": {"labels": ["a"], "H1": [1]}}}`, "likelihoods.T1.labels"},
		{"too many labels", `{"likelihoods": {"T1": {"labels": ["1","2","3","4","5","6","7","8","9","10","11","12","13","14","15","16",` +
			`"17","18","19","20","21"]}}}`, "likelihoods.T1.labels"},
		{"a blank label", `{"likelihoods": {"T1": {"labels": ["a", " "]}}}`, "likelihoods.T1.labels"},
		{"a label twice", `{"likelihoods": {"T1": {"labels": ["Kept.", "kept"]}}}`, "likelihoods.T1.labels"},
		{"a label that is no text", `{"likelihoods": {"T1": {"labels": ["a", 2]}}}`, "likelihoods.T1.labels"},
		{"a short row", `{"likelihoods": {"T1": {"labels": ["a", "b"], "H1": [1]}}}`, "likelihoods.T1.H1"},
		{"a row that sums to less", `{"likelihoods": {"T1": {"labels": ["a", "b"], "H1": [0.5, 0.4]}}}`, "likelihoods.T1.H1"},
		{"a row with a text", `{"likelihoods": {"T1": {"labels": ["a", "b"], "H1": [0.5, "x"]}}}`, "likelihoods.T1.H1"},
		{"a rationale that is no text", `{"credences": {}, "rationale": 7}`, "rationale"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := checkBelief(fenced(test.json), protocol.Strict)
			if len(r.Findings) == 0 || r.Findings[0].Code != protocol.InvalidBelief || !r.Refused() {
				t.Fatalf("findings %v", r.Findings)
			}
			if f := r.Findings[0]; f.Path != test.path || f.Line < 3 || f.Fix == "" || len(r.Beliefs) != 0 {
				t.Errorf("finding %+v, beliefs %v", f, r.Beliefs)
			}
			if r := checkBelief(fenced(test.json), protocol.Lenient); r.Refused() || len(r.Beliefs) != 0 {
				t.Errorf("lenient: refused %t, heard %v", r.Refused(), r.Beliefs)
			}
		})
	}
}

func TestBeliefs(t *testing.T) {
	for _, test := range []struct {
		name, body string
		want       []Belief
	}{
		{"credences", fenced(`{"credences": {"none": 0.1, "H10": 0.2, "H2": 0.5}, "rationale": "r"}`),
			[]Belief{{Line: 3, Stated: true, Credences: []Credence{{"H2", 0.5}, {"H10", 0.2}, {"none", 0.1}}, Rationale: "r"}}},
		{"withdrawn", fenced(`{"credences": null}`), []Belief{{Line: 3, Stated: true}}},
		{"empty", fenced(`{"credences": {}}`), []Belief{{Line: 3, Stated: true, Credences: []Credence{}}}},
		{"scaled", fenced(`{"credences": {"H1": 0.5000005, "H2": 0.5000005}}`),
			[]Belief{{Line: 3, Stated: true, Whole: true, Credences: []Credence{{"H1", 0.5}, {"H2", 0.5}}}}},
		{"likelihoods", fenced(`{"likelihoods": {"T1": {"labels": ["a", "b"], "H1": [0.25, 0.75], "none": [1, 0]}}}`),
			[]Belief{{Line: 3, Likelihoods: []Likelihoods{{"T1", []string{"a", "b"},
				[]Row{{World: "H1", P: []float64{0.25, 0.75}}, {World: "none", P: []float64{1, 0}}}}}}}},
		{"cells", fenced(`{"likelihoods": {"T1": {"H1": "73 ± 1", "none": "60–70"}}}`),
			[]Belief{{Line: 3, Likelihoods: []Likelihoods{{"T1", nil,
				[]Row{{World: "H1", Cell: "73 ± 1"}, {World: "none", Cell: "60–70"}}}}}}},
		{"tildes, capitals and a second word", "~~~ BELIEF json\n{\"credences\": {}}\n~~~\n",
			[]Belief{{Line: 1, Stated: true, Credences: []Credence{}}}},
		{"another fence", "```json\n{\"credences\": {}}\n```\n", nil},
		{"inside another fence", "````\n```belief\n{\"credences\": {}}\n```\n````\n", nil},
		{"inside a quote", "> ```belief\n> {\"credences\": {}}\n> ```\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := checkBelief(test.body, protocol.Strict)
			if d := cmp.Diff(test.want, r.Beliefs); d != "" {
				t.Error(d)
			}
			heard, findings := Beliefs(&Message{Body: test.body}, nil)
			if d := cmp.Diff(test.want, heard); d != "" || len(findings) != 0 {
				t.Errorf("as a message that exists: %s %v", d, findings)
			}
		})
	}
}

func TestBeliefUnknownKey(t *testing.T) {
	r := checkBelief(fenced(`{"credences": {}, "confidence": 1}`), protocol.Strict)
	if len(r.Findings) != 1 || r.Findings[0].Code != protocol.UnknownField || r.Findings[0].Severity != protocol.SeverityWarning ||
		len(r.Beliefs) != 1 {
		t.Errorf("%v", r.Findings)
	}
}

// TestUnreadableBelief: what is too large or no text is not heard.
func TestUnreadableBelief(t *testing.T) {
	for _, body := range []string{fenced(`{"credences": {}}`) + strings.Repeat("x", 1<<20), fenced(`{"credences": {}}`) + "\xff"} {
		if heard, _ := Beliefs(&Message{Body: body}, nil); heard != nil {
			t.Errorf("heard %v", heard)
		}
	}
}

func FuzzBeliefs(f *testing.F) {
	f.Add(fenced(`{"credences": {"H1": 0.5}, "likelihoods": {"T1": {"labels": ["a", "b"], "H1": [0.5, 0.5]}}}`))
	f.Fuzz(func(t *testing.T, body string) {
		heard, _ := Beliefs(&Message{Body: body}, nil)
		for _, b := range heard {
			sum := 0.0
			for _, c := range b.Credences {
				sum += c.P
			}
			if !(sum <= 1+1e-9) {
				t.Errorf("credences sum to %v", sum)
			}
			for _, l := range b.Likelihoods {
				for _, row := range l.Rows {
					if len(row.P) != len(l.Labels) {
						t.Errorf("%d numbers for %d labels", len(row.P), len(l.Labels))
					}
				}
			}
		}
	})
}

// TestBeliefPlaces: a finding stands where the value is that it speaks of, by line and column of the message.
func TestBeliefPlaces(t *testing.T) {
	for _, test := range []struct {
		name, json   string
		line, column int
	}{
		{"a credence", "{\"credences\": {\n  \"H1\": 0.5,\n  \"H2\": \"ä\", \"H3\": 1.5}}", 6, 9},
		{"behind other kinds", "{\"rationale\": null, \"credences\": {\"é\": 0.1, \"H2\": [[{}], 1]}}", 4, 51},
		{"a credence below zero", "{\"credences\":\n{\"H1\":\n-1}}", 6, 1},
		{"their sum", "{\"rationale\": \"r\",\n \"credences\": {\"H1\": 0.6, \"H2\": 0.6}}", 5, 15},
		{"a row", "{\"likelihoods\": {\"T1\": {\"labels\": [\"a\", \"b\"],\n\t\"H1\": [0.5, 0.4]}}}", 5, 8},
		{"a test", "{\"likelihoods\": {\"T1\":\nfalse}}", 5, 1},
		{"labels that are not there", "{\"likelihoods\":\n{\"T1\": {\"H1\": [0.5, 0.5]}}}", 5, 8},
		{"a key of its own", "{\"credences\": {},\n \"mood\": true}", 5, 10},
		{"the rationale", "{\"credences\": {}, \"r\\u0061tionale\":\n  7}", 5, 3},
		{"the block", "{\"rationale\": \"r\"}", 3, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := checkBelief(fenced(test.json), protocol.Strict)
			if len(r.Findings) == 0 {
				t.Fatal("no finding")
			}
			if f := r.Findings[0]; f.Line != test.line || f.Column != test.column {
				t.Errorf("%s stands at %d:%d, not at %d:%d", f.Path, f.Line, f.Column, test.line, test.column)
			}
		})
	}
}
