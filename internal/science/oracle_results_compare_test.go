package science_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/science"
)

var (
	studies = flag.Int("studies", 0, "how many random studies are read twice; 0: a number that takes some seconds")
	seeded  = flag.Uint64("seed", 0, "seed of the first random study; 0: any")
)

// eachStudy writes random studies until one is read in two ways. Half of the seeds are always the same, half are new.
func eachStudy(t *testing.T, usual int, write func(seed uint64) study, differ func(study) string) {
	t.Helper()
	n := usual
	if *studies > 0 {
		n = *studies
	} else if testing.Short() {
		n = usual / 10
	}
	start := *seeded
	if start == 0 {
		start = rand.Uint64()
	}
	t.Logf("%d studies, the second half from -seed %d", n, start)
	for i := range uint64(n) {
		seed := i
		if *seeded != 0 || i >= uint64(n)/2 {
			seed = start + i
		}
		s := write(seed)
		if d := differ(s); d != "" {
			small := shrunk(s, differ)
			t.Fatalf("-seed %d -studies 1:\n%s\nof\n%s", seed, differ(small), small)
		}
	}
}

// shrunk is the shortest beginning of a study that is still read in two ways, without the acts that do not matter. Only
// acts whose lack leaves all numbers as they are go.
func shrunk(s study, differ func(study) string) study {
	for n := 1; n < len(s.letters); n++ {
		if c := s.cut(n); differ(c) != "" {
			s = c
			break
		}
	}
	for i := len(s.letters) - 1; i >= 0; i-- {
		for k, a := range slices.Backward(s.letters[i].acts) {
			if a.op == "ADD" {
				continue
			}
			c := study{slices.Clone(s.letters)}
			c.letters[i].acts = slices.Delete(slices.Clone(c.letters[i].acts), k, k+1)
			if differ(c) != "" {
				s = c
			}
		}
		if c := s; len(c.letters[i].acts)+len(c.letters[i].beliefs) == 0 && c.letters[i].kickoff == "" {
			c.letters = slices.Delete(slices.Clone(c.letters), i, i+1)
			if differ(c) != "" {
				s = c
			}
		}
	}
	return s
}

// TestResultsReadTwice holds the program's results and predictions against the oracle's (SCIENCE 2 and 3).
func TestResultsReadTwice(t *testing.T) {
	seen := map[string]int{}
	eachStudy(t, 1000, func(seed uint64) study {
		w := newWriter(seed)
		w.numbers = seed%3 == 0
		return w.results(2 + int(seed%14))
	}, func(s study) string {
		state := s.fold(t)
		want := s.resultLines()
		for _, line := range want {
			for word := range strings.FieldsSeq(line) {
				seen[word]++
			}
		}
		days := days{"EV-001": "2026-01-09", "EV-002": "2026-01-11", "EV-004": "2026-01-14"}
		report := state.PredictionReport(func(source string) string { return days[source] })
		return diff(want, foldedResults(state)) + diff(s.predictionLines(days), foldedPredictions(report)) +
			diff(s.told(), foldedFindings(report)) + diff(s.noted(seen), foldedConditions(state))
	})
	for _, what := range []string{
		"main", "replication", "replaced", "withdrawn", "attempt", "counted", "R", "unread", "met", "(after_look)", "(post_hoc)",
	} {
		if seen[what] == 0 && *studies == 0 {
			t.Errorf("the studies never have %q", what)
		}
	}
}

// noted are the lines about conditions, with each word of them counted.
func (s study) noted(seen map[string]int) []string {
	list := s.conditionLines()
	for _, line := range list {
		for word := range strings.FieldsSeq(line) {
			seen[word]++
		}
	}
	return list
}

func diff(want, got []string) string {
	slices.Sort(want)
	slices.Sort(got)
	return cmp.Diff(want, got)
}

func (s study) tests() int {
	n := 0
	for _, l := range s.letters {
		for _, a := range l.acts {
			if a.kind == 'T' {
				n = max(n, a.number)
			}
		}
	}
	return n
}

func (s study) resultLines() []string {
	list := []string{}
	for test := 1; test <= s.tests(); test++ {
		all := s.findings(test)
		counted, r := s.counts(all), s.revealing(test)
		for i, f := range all {
			l, run := s.letters[f.place], f.run()
			line := fmt.Sprintf("T%d #%d %s %s %q %s", test, l.id, l.from, l.at.Format(time.DateTime), f.act.status, f.standing)
			if f.attempt {
				list = append(list, line)
				continue
			}
			line += fmt.Sprintf(" %q %q value=%t %v exploratory=%t %q %q %d", run.outcome, run.unforeseen, run.value != "",
				f.sources(), run.exploratory, run.potency, run.performed, run.replicates)
			if f.standing == "replaced" {
				line += fmt.Sprintf(" by #%d", f.replacedBy)
			}
			if look, _ := s.look(test); counted[i] && look.started.IsZero() {
				line += " counted"
			}
			if r != nil && r.place == f.place {
				line += " R"
			}
			list = append(list, line)
		}
	}
	return list
}

func foldedResults(state *science.State) []string {
	list := []string{}
	for i, row := range state.ResultRows() {
		given := state.Results.Given.At(i + 1)
		line := fmt.Sprintf("%s #%d %s %s %q %s", row.Test, row.MessageID, row.By, given.At.Format(time.DateTime), text(row.Status),
			row.Standing)
		if given.NoResult {
			list = append(list, line)
			continue
		}
		line += fmt.Sprintf(" %q %q value=%t %v exploratory=%t %q %q %d", text(row.Outcome), text(row.Unforeseen), row.Value != nil,
			row.Evidence, row.Exploratory, text(row.Potency), text(row.Performed), given.Replicates)
		if row.Standing == science.Replaced {
			line += fmt.Sprintf(" by #%d", *row.ReplacedBy)
		}
		if row.Counted && state.Results.FirstLook(row.Test).Started.IsZero() {
			line += " counted"
		}
		if r := state.Results.R(row.Test); r != nil && r.MessageID == row.MessageID {
			line += " R"
		}
		list = append(list, line)
	}
	return list
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func (s study) predictionLines(added days) []string {
	list := []string{}
	var n science.PredictionCounts
	for test := 1; test <= s.tests(); test++ {
		r := s.revealing(test)
		for h, c := range maps.All(s.forecasts(test, added)) {
			l := s.letters[c.place]
			line := fmt.Sprintf("T%d.%s %s %s by %s #%d %s %t %t %t", test, h, quoted(c.expected), quoted(c.registered), l.from, l.id,
				c.state, c.sameHand, c.imported, c.older)
			n.Stated++
			switch {
			case r == nil:
			case r.run().exploratory:
				n.Exploratory++
			default:
				n.Revealed++
				switch c.state {
				case "locked":
					n.Locked++
				case "after_look":
					n.AfterLook++
				default:
					n.PostHoc++
				}
			}
			if r != nil {
				line += fmt.Sprintf(" R #%d %q", s.letters[r.place].id, r.run().outcome)
			}
			list = append(list, line)
		}
		for _, f := range s.findings(test) {
			switch {
			case f.standing == "replaced" && !f.run().exploratory:
				n.Replaced++
			case f.standing == "withdrawn":
				n.Withdrawn++
			}
		}
	}
	return append(list, fmt.Sprintf("%+v", n))
}

func quoted(s *string) string {
	if s == nil {
		return "null"
	}
	return fmt.Sprintf("%q", *s)
}

func foldedPredictions(report science.PredictionReport) []string {
	list := []string{}
	for _, p := range report.Predictions {
		line := fmt.Sprintf("%s.%s %s %s by %s #%d %s %t %t %t", p.Test, p.Hypothesis, quoted(p.Expected), quoted(p.Registered), p.By,
			p.MessageID, p.State, p.SameHand, p.Imported, p.Older)
		if p.Result != nil {
			line += fmt.Sprintf(" R #%d %q", p.Result.MessageID, text(p.Result.Outcome))
		}
		list = append(list, line)
	}
	return append(list, fmt.Sprintf("%+v", report.Counts))
}
