package study_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/artifact/merge"
	"brenner/internal/figure"
	"brenner/internal/science"
	"brenner/internal/study"
	"brenner/internal/study/studytest"
)

func TestOrderAndFates(t *testing.T) {
	s, _ := studytest.Sample()
	var order []string
	for _, h := range s.Hypotheses {
		order = append(order, h.ID)
	}
	if diff := cmp.Diff([]string{"H2", "H1", "H3"}, order); diff != "" {
		t.Error(diff)
	}
	k := s.Hypotheses[2].Killed
	if k == nil || k.By.Initials != "BL" || k.Version != 2 || k.MessageID != 90 || k.Was <= 0 {
		t.Errorf("killed %+v", k)
	}
	if len(s.Alive()) != 2 || s.Hypotheses[0].Low > s.Hypotheses[0].Pooled || s.Hypotheses[0].High < s.Hypotheses[0].Pooled {
		t.Errorf("the agents' spread does not hold the pool: %+v", s.Hypotheses[0].World)
	}
}

func TestMatrixHoldsCellsAgainstResults(t *testing.T) {
	s, _ := studytest.Sample()
	first := s.Matrix.Tests[slices.IndexFunc(s.Matrix.Tests, func(r study.Row) bool { return r.ID == "T1" })]
	verdicts := map[string]figure.Verdict{}
	letters := map[string]string{}
	for i, c := range s.Matrix.Columns {
		verdicts[c.ID], letters[c.ID] = first.Cells[i].Verdict, first.Cells[i].Letter
	}
	if diff := cmp.Diff(map[string]figure.Verdict{"H1": figure.Contradicted, "H2": figure.AsExpected, "H3": figure.AsExpected},
		verdicts); diff != "" {
		t.Error(diff)
	}
	if letters["H2"] != letters["H3"] || letters["H1"] == letters["H2"] {
		t.Errorf("letters are of what was registered, one for each outcome: %v", letters)
	}
	h1 := first.Cells[slices.IndexFunc(s.Matrix.Columns, func(c study.Column) bool { return c.ID == "H1" })]
	if h1.Registered != "kept" || h1.Text != "lost" || !h1.Rewritten() {
		t.Errorf("what was registered is gone: %+v", h1)
	}
	column := s.Matrix.Columns[slices.IndexFunc(s.Matrix.Columns, func(c study.Column) bool { return c.ID == "H1" })]
	if column.Right != 0 || column.Wrong != 1 || column.Late != 0 {
		t.Errorf("a rewritten cell makes the denominator smaller: %+v", column)
	}
	if first.Found == nil || first.Found.Outcome != "Lost" || first.Found.By.Name != "Operator" {
		t.Errorf("found %+v", first.Found)
	}
	pair, ok := s.Matrix.Pair("H2-H1")
	if !ok || pair.Rows != 2 || pair.OpenTests != 1 {
		t.Errorf("pairs %+v", s.Matrix.Pairs)
	}
	if s.Counts.Stated != 8 || s.Counts.PostHoc != 1 {
		t.Errorf("counts %+v", s.Counts)
	}
}

// TestOutcomeIsSignedByWhoFoundIt: a changed outcome has the message, recorder and sources of the change.
func TestOutcomeIsSignedByWhoFoundIt(t *testing.T) {
	s := studytest.Replaced()
	found := s.Matrix.Tests[slices.IndexFunc(s.Matrix.Tests, func(r study.Row) bool { return r.ID == "T1" })].Found
	if found.Outcome != "Kept" || found.By.Name != "RedSky" || found.MessageID != 110 || !slices.Equal(found.Evidence, []string{"EV-002"}) {
		t.Errorf("found %+v", found)
	}
	lives := s.Lifelines.Results // a replaced result stays where it was
	if r := lives[0]; r.Outcome != "Lost" || r.Href != "#m70" || r.At != 7 {
		t.Errorf("life-lines show %+v first", r)
	}
	if r := lives[len(lives)-1]; r.Outcome != "Kept" || r.Href != "#m110" || r.At != 11 || r.Note != "replaces" {
		t.Errorf("life-lines show %+v last", r)
	}
}

func TestBestTestAndWhatIf(t *testing.T) {
	s, _ := studytest.Sample()
	if s.Best == nil || s.Best.Test != "T2" || len(s.Best.Apart) != 1 {
		t.Fatalf("best %+v", s.Best)
	}
	total := 0.0
	for _, o := range s.Best.Outlooks {
		total += o.P
		sum := 0.0
		for _, share := range o.Shares {
			sum += share.Value
		}
		if sum < 1-1e-9 || sum > 1+1e-9 {
			t.Errorf("after %s the pool sums to %g", o.Label, sum)
		}
	}
	if total < 1-1e-9 || total > 1+1e-9 || len(s.Best.Outlooks) != 2 {
		t.Errorf("outcomes %+v", s.Best.Outlooks)
	}
}

func TestLifelinesTellTheStory(t *testing.T) {
	s, _ := studytest.Sample()
	if len(s.Moves) == 0 || s.Moves[0].Bits < s.Moves[len(s.Moves)-1].Bits {
		t.Errorf("moves %+v", s.Moves)
	}
	wide := s.Lifelines.Wide("l")
	for _, want := range []string{"BlueLake adds H2 in #20", "T1 on H2: as expected", "given up by BlueLake: It says nothing.",
		"None of these",
		"50 %", "RedSky attacks: too easy (Critical, #70); open", "T1 found: Lost", ">v2<"} {
		if !strings.Contains(wide, want) {
			t.Errorf("the picture does not say %q", want)
		}
	}
	if len(s.Panels) != 4 || s.Panels[3].ID != "none" || s.Panels[2].Figure.End != 9 || len(s.Panels[0].Figure.Agents) != 2 {
		t.Errorf("panels %+v", s.Panels)
	}
}

func TestCastIsUnambiguous(t *testing.T) {
	c := study.NewCast([]string{"BlueLake", "BoldLion", "bob", "BlueLake", "Operator", "x"}, func(name string) bool {
		return name == "Operator"
	})
	seen := map[string]bool{}
	for _, a := range c.Members() {
		if seen[a.Initials] || (a.Hue == 0) != (a.Name == "Operator") {
			t.Errorf("%+v", a)
		}
		seen[a.Initials] = true
	}
	if len(c.Members()) != 5 || c.Of("BLUELAKE").Hue != 1 {
		t.Errorf("%+v", c.Members())
	}
}

// TestEmptySession: right after start there is nothing, and nothing fails.
func TestEmptySession(t *testing.T) {
	fold := merge.New("RS-20260110-cells-turn")
	state := &science.State{}
	account := state.Account(state.People(nil, func(science.Agent) string { return "" }))
	s := study.New(study.Source{Artifact: fold.Artifact(), Science: state, Account: account, Links: studytest.Links{}})
	if len(s.Hypotheses) != 0 || s.Best != nil || !strings.Contains(s.Lifelines.Wide("l"), "<svg") {
		t.Errorf("%+v", s)
	}
}

// "Told apart" means the same on every page: a test that leaves the rows of two hypotheses equal parts nobody, whatever
// words its cells have.
func TestToldApartMeansTheSame(t *testing.T) {
	s, _ := studytest.Blunt()
	if diff := cmp.Diff([][2]string{{"H1", "H2"}}, s.Apart); diff != "" {
		t.Errorf("next: %s", diff)
	}
	for _, row := range s.Matrix.Tests {
		if len(row.Apart) > 0 {
			t.Errorf("the matrix says that %s tells %v apart", row.ID, row.Apart)
		}
	}
	for _, h := range s.Hypotheses {
		if len(h.Tests) > 0 {
			t.Errorf("the slate says that %v tell %s apart", h.Tests, h.ID)
		}
	}
}

// TestResultsOfOneTestAreToldApart: what is left out is named by its message where its test has another result that stands.
func TestResultsOfOneTestAreToldApart(t *testing.T) {
	left := func(why study.Why, known study.Known) (ifs, hangs []int64) {
		for _, i := range why.Ifs {
			if i.Test != "" {
				ifs = append(ifs, i.Also)
			}
		}
		for _, h := range known.Hangs {
			if h.Test != "" {
				hangs = append(hangs, h.Also)
			}
		}
		return ifs, hangs
	}
	ifs, hangs := left(studytest.Reasons())
	if !slices.Equal(ifs, []int64{0}) || slices.ContainsFunc(hangs, func(n int64) bool { return n != 0 }) {
		t.Errorf("one result: %v, it hangs on %v", ifs, hangs)
	}
	ifs, hangs = left(studytest.RepeatedReasons())
	if !slices.Equal(ifs, []int64{70, 110}) || slices.Contains(hangs, 0) {
		t.Errorf("two results: %v, it hangs on %v", ifs, hangs)
	}
}
