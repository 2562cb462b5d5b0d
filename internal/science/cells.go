package science

import (
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/message"
)

// Predictions holds every cell of a thread's tests. The zero value is that of an empty thread.
type Predictions struct {
	Tests List[*TestCells] // by number; nil for one that the log has not touched
	Edits List[Edit]       // by the number of the hypothesis
}

// TestCells are the predictions of one test. They never change: a message that changes one makes new
// ones.
type TestCells struct {
	Cells []Cell   // sorted by artifact.CompareKeys
	Names []string // the hypotheses that discriminates names as words, sorted
}

// Cell is one prediction.
type Cell struct {
	Hypothesis string
	Text       *string // the present one; nil if it was removed
	Registered *string // the one just before R; nil if there was none, or without a result
	Place      int     // of W, the message that last changed the text
	MessageID  int64
	By         string
}

// Edit is the last edit of a hypothesis's claim or mechanism; the zero value is none.
type Edit struct {
	Place     int
	MessageID int64
	By        string
}

// Advance takes the next message of the thread, after the results have taken it.
func (r *Predictions) Advance(s Step, results *Results) {
	r.edits(s)
	for _, it := range s.tests() {
		result := results.R(it.ID)
		cells := r.cells(it.ID).Cells
		if result != nil && result.Place == s.Place {
			cells = registerCells(cells)
		}
		r.Tests.put(it.ID.Number(), &TestCells{changeCells(cells, it.Map(artifact.ExpectedOutcomes), s), r.names(it, s)})
	}
}

// edits notes who changed a claim or a mechanism.
func (r *Predictions) edits(s Step) {
	for _, c := range s.Report.Changes {
		edited := c.Old != nil && (c.Field == artifact.Claim || c.Field == artifact.Mechanism)
		_, section, n, ok := artifact.ParseItemID(string(c.Item))
		if !edited || !ok || section != artifact.HypothesisSlate || artifact.Equal(c.Old, s.Artifact.Item(c.Item).Get(c.Field)) {
			continue
		}
		r.Edits.put(n, Edit{s.Place, s.Message.ID, s.Report.From})
	}
}

// register notes the cells just before R. What was removed before it is forgotten.
func registerCells(cells []Cell) []Cell {
	var kept []Cell
	for _, c := range cells {
		if c.Text != nil {
			c.Registered = c.Text
			kept = append(kept, c)
		}
	}
	return kept
}

// change gives cells their new texts; where a text changed, this message is its W.
func changeCells(cells []Cell, now artifact.Map, s Step) []Cell {
	next := make([]Cell, 0, max(len(cells), len(now)))
	for _, c := range cells {
		text, there := now.Get(c.Hypothesis)
		switch {
		case there && (c.Text == nil || *c.Text != text):
			c = c.written(text, s)
		case !there && c.Text != nil:
			c = c.written("", s)
			c.Text = nil
		}
		if c.Text != nil || c.Registered != nil {
			next = append(next, c)
		}
	}
	for _, p := range now {
		if _, known := slices.BinarySearchFunc(cells, p.Key, compareCell); !known {
			next = append(next, Cell{Hypothesis: p.Key}.written(p.Text, s))
		}
	}
	if len(next) == 0 {
		return nil
	}
	slices.SortStableFunc(next, func(a, b Cell) int { return artifact.CompareKeys(a.Hypothesis, b.Hypothesis) })
	return next
}

func compareCell(c Cell, hypothesis string) int {
	return artifact.CompareKeys(c.Hypothesis, hypothesis)
}

func (c Cell) written(text string, s Step) Cell {
	c.Text, c.Place, c.MessageID, c.By = &text, s.Place, s.Message.ID, s.Report.From
	return c
}

// names are the hypotheses that a test names; as before unless the message changed where it does.
func (r *Predictions) names(it *artifact.Item, s Step) []string {
	for i := range s.Report.Changes {
		if c := &s.Report.Changes[i]; c.Field == artifact.Discriminates && c.Item == it.ID {
			return namedHypotheses(it)
		}
	}
	return r.cells(it.ID).Names
}

// hypotheses are those that the test's discriminates names as words.
func namedHypotheses(it *artifact.Item) []string {
	var names []string
	for _, word := range message.ItemWords(it.Text(artifact.Discriminates)) {
		if word[0] == 'H' {
			names = append(names, word)
		}
	}
	slices.SortFunc(names, artifact.CompareKeys)
	return slices.Compact(names)
}

func (r *Predictions) cells(id artifact.ItemID) *TestCells {
	if c := r.Tests.At(id.Number()); c != nil {
		return c
	}
	return &TestCells{}
}

// Snapshot returns the register as it is now. Neither the register nor the snapshot, nor a copy of
// either, changes the others from then on.
func (r *Predictions) Snapshot() *Predictions {
	return &Predictions{r.Tests.snapshot(), r.Edits.snapshot()}
}
