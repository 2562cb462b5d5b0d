package science

import (
	"fmt"
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// PredictionState says what became of a prediction.
type PredictionState string

// The states.
const (
	Open    PredictionState = "open"     // no result yet
	Locked  PredictionState = "locked"   // written before the result
	PostHoc PredictionState = "post_hoc" // written with the result or after it
)

// Prediction is one cell with its state.
type Prediction struct {
	Test       artifact.ItemID `json:"test"`
	Hypothesis string          `json:"hypothesis"`
	Expected   *string         `json:"expected"`   // null: it was removed after the result
	Registered *string         `json:"registered"` // what a post-hoc cell said before the result, if that was something else
	By         string          `json:"by"`
	MessageID  int64           `json:"message_id"`
	State      PredictionState `json:"state"`
	Result     *Revealed       `json:"result"`
}

// Revealed is the result that a prediction is held against.
type Revealed struct {
	MessageID   int64   `json:"message_id"`
	Outcome     *string `json:"outcome"`
	Status      *string `json:"status"`
	Exploratory bool    `json:"exploratory"`
}

// PredictionCounts are the numbers of a thread's predictions. Revealed and PostHoc count those whose result
// is not exploratory, Exploratory the others with a result.
type PredictionCounts struct {
	Stated      int `json:"stated"`
	Revealed    int `json:"revealed"`
	PostHoc     int `json:"post_hoc"`
	Exploratory int `json:"exploratory"`
}

// String is the one line that every report prints (SCIENCE 3).
func (c PredictionCounts) String() string {
	return fmt.Sprintf("%d of %d predictions revealed, %d written after the result, %d exploratory",
		c.Revealed, c.Stated, c.PostHoc, c.Exploratory)
}

// PredictionReport is the register as it is read.
type PredictionReport struct {
	Predictions []Prediction       `json:"predictions"`
	Counts      PredictionCounts   `json:"counts"`
	Findings    []protocol.Finding `json:"findings"`
}

// report lists every cell, by test and hypothesis, with what there is to say about it.
func (r *Predictions) report(results *Results) PredictionReport {
	report := PredictionReport{Predictions: []Prediction{}, Findings: []protocol.Finding{}}
	for i, cells := range r.Tests.All() {
		if cells != nil {
			id := artifact.NewItemID(artifact.DiscriminativeTests, i+1)
			report.test(id, cells, results.R(id))
			r.claims(&report, id, cells, results.R(id))
		}
	}
	return report
}

// WindowFindings are what a compile says: everything about predictions, and about results what the messages since the
// latest version gave cause for.
func (s *State) WindowFindings() []protocol.Finding {
	since := 0
	if versions := s.Lifelines.Versions.All(); len(versions) > 0 {
		since = versions[len(versions)-1].Place
	}
	return append(s.Predictions.report(&s.Results).Findings, findingsOf(s.NotesSince(since))...)
}

// PredictionReport lists every prediction with what became of it, and what there is to say about results.
func (s *State) PredictionReport() PredictionReport {
	report := s.Predictions.report(&s.Results)
	report.Findings = append(report.Findings, findingsOf(s.ResultNotes())...)
	return report
}

// Counts counts the cells without listing them.
func (r *Predictions) Counts(results *Results) PredictionCounts {
	var counts PredictionCounts
	for i, cells := range r.Tests.All() {
		if cells == nil {
			continue
		}
		result := results.R(artifact.NewItemID(artifact.DiscriminativeTests, i+1))
		for _, c := range cells.Cells {
			counts.add(c.state(result), result)
		}
	}
	return counts
}

func (c *PredictionCounts) add(state PredictionState, result *Result) {
	c.Stated++
	switch {
	case result == nil:
	case result.Exploratory:
		c.Exploratory++
	default:
		c.Revealed++
		if state == PostHoc {
			c.PostHoc++
		}
	}
}

func (c Cell) state(result *Result) PredictionState {
	switch {
	case result == nil:
		return Open
	case c.Place < result.Place:
		return Locked
	}
	return PostHoc
}

func (r *PredictionReport) test(id artifact.ItemID, cells *TestCells, result *Result) {
	counted := result != nil && !result.Exploratory
	if counted && !slices.ContainsFunc(cells.Cells, func(c Cell) bool { return c.Registered != nil }) {
		r.Findings = append(r.Findings, protocol.NewFinding(protocol.ResultWithoutPrediction,
			"%s got its result in message %d, and had no expected outcome before it.", id, result.MessageID).On(string(id)))
	}
	for _, c := range cells.Cells {
		p := Prediction{
			Test: id, Hypothesis: c.Hypothesis, Expected: c.Text, By: c.By, MessageID: c.MessageID,
			State: c.state(result), Result: revealed(result),
		}
		if p.State == PostHoc && c.Registered != nil && (c.Text == nil || *c.Registered != *c.Text) {
			p.Registered = c.Registered
		}
		r.Predictions = append(r.Predictions, p)
		r.Counts.add(p.State, result)
		if counted && p.State == PostHoc {
			r.Findings = append(r.Findings, p.finding())
		}
	}
}

// revealed is R with its own outcome: what a later message said is not what R said.
func revealed(r *Result) *Revealed {
	if r == nil {
		return nil
	}
	return &Revealed{r.MessageID, protocol.OrNull(r.Outcome), protocol.OrNull(r.Status), r.Exploratory}
}

func (p *Prediction) finding() protocol.Finding {
	verb, was := "was written", ""
	if p.Expected == nil {
		verb = "was removed"
	}
	if p.Registered != nil {
		was = fmt.Sprintf("; before the result it said %s", quoted(*p.Registered))
	}
	return protocol.NewFinding(protocol.PostHocPrediction, "What %s expects of %s %s by %s in message %d, not before its result in message %d%s.",
		p.Hypothesis, p.Test, verb, p.By, p.MessageID, p.Result.MessageID, was).
		On(string(p.Test)).In(artifact.ExpectedOutcomes + "." + p.Hypothesis)
}

// claims reports the hypotheses of a test whose claim or mechanism was edited after its result.
func (r *Predictions) claims(report *PredictionReport, id artifact.ItemID, cells *TestCells, result *Result) {
	if result == nil || result.Exploratory {
		return
	}
	for _, h := range cells.discriminated() {
		if e := r.edit(h); e.Place > result.Place {
			report.Findings = append(report.Findings, protocol.NewFinding(protocol.PostHocClaim,
				"%s was edited by %s in message %d, after %s had its result in message %d.", h, e.By, e.MessageID, id, result.MessageID).On(h))
		}
	}
}

// discriminated are the hypotheses that a test names or has a cell for (SCIENCE 3).
func (c *TestCells) discriminated() []string {
	names := slices.Clone(c.Names)
	for _, cell := range c.Cells {
		names = append(names, cell.Hypothesis)
	}
	slices.SortFunc(names, artifact.CompareKeys)
	return slices.Compact(names)
}

// edit is the last edit of a hypothesis; the zero value for what is none.
func (r *Predictions) edit(hypothesis string) Edit {
	_, section, n, ok := artifact.ParseItemID(hypothesis)
	if !ok || section != artifact.HypothesisSlate {
		return Edit{}
	}
	return r.Edits.At(n)
}

// quoted keeps a text to what fits a message.
func quoted(text string) string {
	return fmt.Sprintf("%q", protocol.Brief(text))
}
