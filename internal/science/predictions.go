package science

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
	"brenner/internal/quantity"
)

// PredictionState says what became of a prediction.
type PredictionState string

// The states (SCIENCE 3).
const (
	Open      PredictionState = "open"       // no R yet
	Locked    PredictionState = "locked"     // written before the first look
	AfterLook PredictionState = "after_look" // written after a first look, and before R
	PostHoc   PredictionState = "post_hoc"   // written with R or after it
)

// Prediction is one cell with its state.
type Prediction struct {
	Test       artifact.ItemID `json:"test"`
	Hypothesis string          `json:"hypothesis"`
	Expected   *string         `json:"expected"`   // null: it was removed
	Registered *string         `json:"registered"` // what a cell written after the first look said before it
	By         string          `json:"by"`
	MessageID  int64           `json:"message_id"`
	State      PredictionState `json:"state"`
	SameHand   bool            `json:"same_hand"` // one sender wrote it and R
	Imported   bool            `json:"imported"`  // both messages were imported: their order is the importer's word
	Older      bool            `json:"older"`     // the data of R are older than it
	Result     *Revealed       `json:"result"`
}

// Revealed is R, with its own outcome.
type Revealed struct {
	MessageID   int64           `json:"message_id"`
	Outcome     *string         `json:"outcome"`
	Value       *quantity.Value `json:"value"`
	Unforeseen  *string         `json:"unforeseen"`
	Status      *string         `json:"status"`
	Exploratory bool            `json:"exploratory"`
	Standing    Standing        `json:"standing"`
}

// Said is what R says; empty if it says no more than that there is one.
func (r *Revealed) Said() string {
	row := ResultRow{Outcome: r.Outcome, Value: r.Value, Unforeseen: r.Unforeseen}
	return row.Said()
}

// PredictionCounts are the numbers of a thread's predictions and results. Revealed counts those whose R is not
// exploratory, of them Locked, AfterLook and PostHoc; Exploratory the others with an R.
type PredictionCounts struct {
	Stated      int `json:"stated"`
	Revealed    int `json:"revealed"`
	Locked      int `json:"locked"`
	AfterLook   int `json:"after_look"`
	PostHoc     int `json:"post_hoc"`
	Exploratory int `json:"exploratory"`
	Replaced    int `json:"replaced"`
	Withdrawn   int `json:"withdrawn"`
}

// String is the one line that every report prints (SCIENCE 3). Parts that are 0 are left out, but for the first.
func (c PredictionCounts) String() string {
	line := fmt.Sprintf("%d of %d predictions revealed", c.Revealed, c.Stated)
	line += joined(": ", part(c.Locked, "%d locked"), part(c.AfterLook, "%d after a look"), part(c.PostHoc, "%d after the result"))
	line += joined("; ", part(c.Exploratory, "%d exploratory"))
	replaced := part(c.Replaced, "%d results replaced")
	if c.Replaced == 1 {
		replaced = "1 result replaced"
	}
	return line + joined("; ", replaced, part(c.Withdrawn, "%d withdrawn"))
}

func part(n int, format string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(format, n)
}

// joined puts the parts that are not empty behind a mark.
func joined(mark string, parts ...string) string {
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	if len(parts) == 0 {
		return ""
	}
	return mark + strings.Join(parts, ", ")
}

// PredictionReport is the register as it is read.
type PredictionReport struct {
	Predictions []Prediction       `json:"predictions"`
	Counts      PredictionCounts   `json:"counts"`
	Findings    []protocol.Finding `json:"findings"`
}

// Added says on which day a source was added to the evidence pack, empty if nobody knows.
type Added func(source string) string

// PredictionReport lists every prediction with what became of it, and what there is to say about results. Nil: nobody
// knows when sources were added.
func (s *State) PredictionReport(added Added) PredictionReport {
	report := s.predictions(added)
	report.Findings = append(report.Findings, findingsOf(s.ResultNotes())...)
	return report
}

// OfWindow is what a compile says: the counts of cells and results, everything about predictions, and about results what the messages
// since the latest version gave cause for.
func (s *State) OfWindow() (PredictionCounts, []protocol.Finding) {
	since := 0
	if versions := s.Lifelines.Versions.All(); len(versions) > 0 {
		since = versions[len(versions)-1].Place
	}
	report := s.predictions(nil)
	return report.Counts, append(report.Findings, findingsOf(s.NotesSince(since))...)
}

// PredictionCounts counts the cells and results.
func (s *State) PredictionCounts() PredictionCounts {
	var counts PredictionCounts
	for c := range s.registered() {
		counts.add(c.state(c.look, c.r), c.r)
	}
	for _, g := range s.Results.Given.All() {
		switch {
		case g.Standing == Replaced && !g.Exploratory:
			counts.Replaced++
		case g.Standing == Withdrawn:
			counts.Withdrawn++
		}
	}
	return counts
}

// registeredCell is a cell of the register, with the first look at its test and R.
type registeredCell struct {
	*Cell
	test artifact.ItemID
	look Look
	r    *Result
}

// registered runs over every cell of the register, by test and hypothesis.
func (s *State) registered() iter.Seq[registeredCell] {
	return func(yield func(registeredCell) bool) {
		for i, cells := range s.Predictions.Tests.All() {
			if cells == nil {
				continue
			}
			id := artifact.NewItemID(artifact.DiscriminativeTests, i+1)
			look, r := s.Results.FirstLook(id), s.Results.R(id)
			for j := range cells.Cells {
				if c := &cells.Cells[j]; c.counted(look, r) && !yield(registeredCell{c, id, look, r}) {
					return
				}
			}
		}
	}
}

// predictions lists every cell, by test and hypothesis.
func (s *State) predictions(added Added) PredictionReport {
	report := PredictionReport{Predictions: []Prediction{}, Counts: s.PredictionCounts(), Findings: []protocol.Finding{}}
	for i, cells := range s.Predictions.Tests.All() {
		if cells != nil {
			id := artifact.NewItemID(artifact.DiscriminativeTests, i+1)
			s.test(&report, id, cells, added)
			s.afterwards(&report, id, cells)
		}
	}
	return report
}

// counted by R (SCIENCE 3): states and counts are of R, whatever stands.
func (c *PredictionCounts) add(state PredictionState, r *Result) {
	c.Stated++
	switch {
	case r == nil:
		return
	case r.Exploratory:
		c.Exploratory++
		return
	}
	c.Revealed++
	switch state {
	case Locked:
		c.Locked++
	case AfterLook:
		c.AfterLook++
	case PostHoc:
		c.PostHoc++
	}
}

// state is that of a cell, by W, the first look and R (SCIENCE 3).
func (c *Cell) state(look Look, r *Result) PredictionState {
	w := c.last()
	switch {
	case r == nil:
		return Open
	case look.Follows(w.Place, w.At):
		return Locked
	case w.Place < r.Place:
		return AfterLook
	}
	return PostHoc
}

func (s *State) test(report *PredictionReport, id artifact.ItemID, cells *TestCells, added Added) {
	look, r := s.Results.FirstLook(id), s.Results.R(id)
	told := r != nil && !r.Exploratory
	stood := func(c Cell) bool { return r != nil && c.before(r.Place) != nil }
	if told && !slices.ContainsFunc(cells.Cells, stood) {
		report.Findings = append(report.Findings, protocol.NewFinding(protocol.ResultWithoutPrediction,
			"%s got its result in message %d, and had no expected outcome before it.", id, r.MessageID).On(string(id)))
	}
	for _, c := range cells.Cells {
		if !c.counted(look, r) {
			continue
		}
		p := s.prediction(registeredCell{&c, id, look, r}, added)
		report.Predictions = append(report.Predictions, p)
		if f, ok := p.finding(); ok && told {
			report.Findings = append(report.Findings, f)
		}
	}
}

func (s *State) prediction(c registeredCell, added Added) Prediction {
	r, w := c.r, c.last()
	p := Prediction{
		Test: c.test, Hypothesis: c.Hypothesis, Expected: w.Text, By: w.By, MessageID: w.MessageID, State: c.state(c.look, r),
		Result: s.revealed(r),
	}
	if p.State == AfterLook || p.State == PostHoc {
		p.Registered = c.beforeLook(c.look)
	}
	if r != nil {
		p.SameHand = protocol.SameAgent(w.By, r.By)
		p.Imported = w.Imported && r.Imported
		p.Older = r.older(w.At.UTC().Format("2006-01-02"), added)
	}
	return p
}

// older reports whether the data of a result are older than a day: it was performed, or a source of it was added, before.
func (g *Result) older(day string, added Added) bool {
	if g.Performed != "" && g.Performed < day {
		return true
	}
	return added != nil && slices.ContainsFunc(g.Sources(), func(source string) bool {
		on := added(source)
		return on != "" && on < day
	})
}

// revealed is R with its own outcome: what a later message said is not what R said.
func (s *State) revealed(r *Result) *Revealed {
	if r == nil {
		return nil
	}
	return &Revealed{
		r.MessageID, protocol.OrNull(r.Outcome), s.value(r), protocol.OrNull(r.Unforeseen), protocol.OrNull(r.Status), r.Exploratory,
		r.Standing,
	}
}

// Remarks are what a reader of the cell should know beside its state.
func (p *Prediction) Remarks() []string {
	var list []string
	if p.SameHand {
		list = append(list, "same hand")
	}
	if p.Imported {
		list = append(list, "order imported")
	}
	if p.Older {
		list = append(list, "data older than the prediction")
	}
	return list
}

// finding tells of a cell that was written too late.
func (p *Prediction) finding() (protocol.Finding, bool) {
	verb, was := "was written", ""
	if p.Expected == nil {
		verb = "was removed"
	}
	if p.Registered != nil {
		was = fmt.Sprintf("; before the first look it said %s", quoted(*p.Registered))
	}
	code, when := protocol.PostHocPrediction, "not before"
	switch {
	case p.State == AfterLook && p.Registered != nil:
		code, when = protocol.AfterLookPrediction, "after a first look and before"
	case p.State != PostHoc:
		return protocol.Finding{}, false
	}
	return protocol.NewFinding(code, "What %s expects of %s %s by %s in message %d, %s its result in message %d%s.",
		p.Hypothesis, p.Test, verb, p.By, p.MessageID, when, p.Result.MessageID, was).
		On(string(p.Test)).In(artifact.ExpectedOutcomes + "." + p.Hypothesis), true
}

// afterwards reports the hypotheses of a test that were added, or whose claim or mechanism was edited, with its result or
// after it.
func (s *State) afterwards(report *PredictionReport, id artifact.ItemID, cells *TestCells) {
	r := s.Results.R(id)
	if r == nil || r.Exploratory {
		return
	}
	for _, h := range cells.discriminated(s.Results.FirstLook(id), r) {
		n := hypothesisNumber(h)
		if e := s.Predictions.Edits.At(n); e.Place >= r.Place {
			report.Findings = append(report.Findings, protocol.NewFinding(protocol.PostHocClaim,
				"%s was edited by %s in message %d, not before %s had its result in message %d.", h, e.By, e.MessageID, id, r.MessageID).
				On(h))
		}
		if s.Beliefs.Hypotheses.At(n).Added.Place >= r.Place {
			report.Findings = append(report.Findings, protocol.NewFinding(protocol.PostHocHypothesis,
				"%s was added when %s had its result in message %d.", h, id, r.MessageID).On(h))
		}
	}
}

// discriminated are the hypotheses that a test names or has a cell for (SCIENCE 3). A cell that was removed too late stays.
func (c *TestCells) discriminated(look Look, r *Result) []string {
	names := slices.Clone(c.Names)
	for _, cell := range c.Cells {
		if cell.counted(look, r) {
			names = append(names, cell.Hypothesis)
		}
	}
	slices.SortFunc(names, artifact.CompareKeys)
	return slices.Compact(names)
}

// hypothesisNumber is the number of a hypothesis; 0 for what is none.
func hypothesisNumber(name string) int {
	_, section, n, ok := artifact.ParseItemID(name)
	if !ok || section != artifact.HypothesisSlate {
		return 0
	}
	return n
}

// quoted keeps a text to what fits a message.
func quoted(text string) string {
	return fmt.Sprintf("%q", protocol.Brief(text))
}
