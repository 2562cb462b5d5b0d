package science

import (
	"slices"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/textnorm"
)

// Results holds the results of a thread's tests. The zero value is that of an empty thread.
type Results struct {
	Tests   List[*TestResults] // by number; nil for one that the log has not touched
	Results List[Result]       // every message that gave a test a result, oldest first
}

// TestResults is what the log says about one test. It never changes: a message that says more makes a
// new one.
type TestResults struct {
	Status  string
	Outcome string  // the latest last_run.outcome; empty if there is none
	Set     int     // place of the message that last changed the outcome's normalised text
	Result  *Result // R; nil without a result
	Stands  *Result // the result whose outcome holds now; nil without a result
	Actual  artifact.Map
}

// Result is one message's result of one test. Everything in it is its own: outcome, recorder and
// sources of other results are theirs.
type Result struct {
	Test        artifact.ItemID
	Place       int
	MessageID   int64
	By          string
	At          time.Time
	Status      string
	Outcome     string
	Exploratory bool
	Evidence    []string
}

// Advance takes the next message of the thread.
func (r *Results) Advance(s Step) {
	tests := s.Touched(artifact.DiscriminativeTests)
	if len(tests) == 0 {
		return
	}
	exploratory := exploratoryRuns(s)
	for _, it := range tests {
		before := r.Test(it.ID)
		after := before.next(it, s.Place)
		if given(before, after) {
			result := resultOf(it, after, s)
			result.Exploratory = exploratory[it.ID]
			r.Results.append(result)
			// R is the first result that is not exploratory, else the first (SCIENCE 2).
			if after.Result == nil || after.Result.Exploratory && !result.Exploratory {
				after.Result = &result
			}
			if result.replaces(after.Stands) {
				after.Stands = &result
			}
		}
		r.Tests.put(it.ID.Number(), after)
	}
}

// Test returns what is known of a test; never nil.
func (r *Results) Test(id artifact.ItemID) *TestResults {
	if t := r.Tests.At(id.Number()); t != nil {
		return t
	}
	return &TestResults{}
}

// GivenAt returns the tests that the message at a place gave a result (SCIENCE 2, a result).
func (r *Results) GivenAt(place int) []artifact.ItemID {
	var tests []artifact.ItemID
	first, _ := slices.BinarySearchFunc(r.Results.All(), place, func(r Result, place int) int { return r.Place - place })
	for _, result := range r.Results.All()[first:] {
		if result.Place != place {
			break
		}
		tests = append(tests, result.Test)
	}
	return tests
}

// Snapshot returns the register as it is now. Neither the register nor the snapshot, nor a copy of
// either, changes the others from then on.
func (r *Results) Snapshot() *Results { return &Results{r.Tests.snapshot(), r.Results.snapshot()} }

// next is what the item says now.
func (t *TestResults) next(it *artifact.Item, place int) *TestResults {
	after := *t
	after.Status = it.Text(artifact.Status)
	after.Outcome = lastRun(it).outcome
	after.Actual = it.Map(artifact.ActualOutcomes)
	if textnorm.Label(after.Outcome) != textnorm.Label(t.Outcome) || (after.Outcome == "") != (t.Outcome == "") {
		after.Set = place
	}
	return &after
}

// given tells whether a message gave the test a result (SCIENCE 2): one of three things is so
// after it that was not so, or said otherwise, before.
func given(before, after *TestResults) bool {
	if said := after.run(); said != "" && said != before.run() {
		return true
	}
	if said := after.verdict(); said != "" && said != before.verdict() {
		return true
	}
	return len(after.Actual) > 0 && !slices.Equal(after.Actual, before.Actual)
}

// run is the outcome of a run that was neither blocked nor broken.
func (t *TestResults) run() string {
	if t.Status == "blocked" || t.Status == "error" {
		return ""
	}
	return t.Outcome
}

// verdict is a status that stands for a result.
func (t *TestResults) verdict() string {
	if t.Status == "passed" || t.Status == "failed" {
		return t.Status
	}
	return ""
}

// replaces tells whether a result takes the place of the one that stands: one that says an outcome gives
// way only to another outcome, and one that was not exploratory never to an exploratory one.
func (r *Result) replaces(standing *Result) bool {
	switch {
	case standing == nil:
		return true
	case r.Exploratory && !standing.Exploratory:
		return false
	}
	return r.Outcome != "" || standing.Outcome == ""
}

func resultOf(it *artifact.Item, after *TestResults, s Step) Result {
	r := Result{Test: it.ID, Place: s.Place, MessageID: s.Message.ID, By: s.Report.From, At: s.Message.CreatedAt, Status: after.Status}
	if block := written(s, it.ID); block != nil {
		r.Outcome, r.Evidence = ownOutcome(block), ownEvidence(block)
	}
	return r
}
