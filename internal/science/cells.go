package science

import (
	"slices"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Predictions holds every cell of a thread's tests, with everything that was ever written into it (SCIENCE 3). The zero
// value is that of an empty thread.
type Predictions struct {
	Tests      List[*TestCells]  // by number; nil for one that the log has not touched
	Edits      List[Edit]        // by the number of the hypothesis
	Conditions List[[]Condition] // by the number of the hypothesis: what would kill it
}

// TestCells are the predictions of one test. They never change: a message that changes one makes new
// ones.
type TestCells struct {
	Cells []Cell   // sorted by artifact.CompareKeys
	Names []string // the hypotheses that discriminates names as words, sorted
}

// Cell is what a hypothesis expects of a test.
type Cell struct {
	Hypothesis string
	Writes     History[Write] // of its text; the latest is W
}

// Write is a message that changed the text of a cell.
type Write struct {
	Text      *string // nil: it was removed
	Place     int
	MessageID int64
	At        time.Time
	By        string
	Imported  bool `json:",omitzero"` // the message has lenient intake
}

// Edit is the last edit of a hypothesis's claim or mechanism; the zero value is none.
type Edit struct {
	Place     int
	MessageID int64
	By        string
}

// Advance takes the next message of the thread.
func (r *Predictions) Advance(s Step) {
	r.edits(s)
	r.conditions(s)
	for _, it := range s.predictedTests() {
		before := r.cells(it.ID)
		next := &TestCells{changeCells(before.Cells, expectedOutcomes(it, s.Artifact), s), r.names(it, s)}
		r.Tests.put(it.ID.Number(), next)
	}
}

// predictedTests returns the tests whose cells the message may have changed: those it touched, and all if it touched
// rows of the predictions table that may name tests.
func (s *Step) predictedTests() []*artifact.Item {
	names := func(row *artifact.Item) bool { return len(row.Extra()) > 0 } // what one named before is not known: all are looked at
	if slices.ContainsFunc(s.Touched(artifact.PredictionsTable), names) || slices.ContainsFunc(s.Report.Changes, renames) {
		return s.Artifact.Items(artifact.DiscriminativeTests)
	}
	return s.Touched(artifact.DiscriminativeTests)
}

// renames reports whether a row of the predictions table names another test than before, or none any more.
func renames(c merge.Change) bool {
	_, section, _, ok := artifact.ParseItemID(string(c.Item))
	return ok && section == artifact.PredictionsTable && c.Field == artifact.Test
}

// expectedOutcomes are the cells of a test: its own, and for hypotheses without one those of the rows of the predictions
// table that name it, the lowest-numbered row first (SCIENCE 3).
func expectedOutcomes(it *artifact.Item, a *artifact.Artifact) artifact.Map {
	cells := it.Map(artifact.ExpectedOutcomes)
	var more []artifact.Pair
	for _, row := range a.Items(artifact.PredictionsTable) {
		if test, ok := row.Get(artifact.Test).(artifact.Text); !ok || string(test) != string(it.ID) {
			continue
		}
		for _, p := range row.Map(artifact.Predictions) {
			_, own := cells.Get(p.Key)
			known := slices.ContainsFunc(more, func(q artifact.Pair) bool { return q.Key == p.Key })
			if !own && !known && Expects(p.Text) {
				more = append(more, p)
			}
		}
	}
	if len(more) == 0 {
		return cells
	}
	return artifact.NewMap(append(slices.Clone([]artifact.Pair(cells)), more...)...)
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

// changeCells gives cells their new texts; where a text changed, this message is its W.
func changeCells(cells []Cell, now artifact.Map, s Step) []Cell {
	next := make([]Cell, 0, max(len(cells), len(now)))
	for _, c := range cells {
		text, there := now.Get(c.Hypothesis)
		switch last := c.last().Text; {
		case there && (last == nil || *last != text):
			c = c.written(&text, s)
		case !there && last != nil:
			c = c.written(nil, s)
		}
		next = append(next, c)
	}
	for _, p := range now {
		if _, known := slices.BinarySearchFunc(cells, p.Key, compareCell); !known {
			next = append(next, Cell{Hypothesis: p.Key}.written(&p.Text, s))
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

func (c Cell) written(text *string, s Step) Cell {
	c.Writes = c.Writes.with(Write{
		text, s.Place, s.Message.ID, s.Message.CreatedAt, s.Report.From, s.Message.Intake == protocol.Lenient,
	})
	return c
}

// last is W, the message that last changed the text.
func (c *Cell) last() *Write { return c.Writes.latest() }

// beforeLook is what the cell said before the first look; nil for nothing.
func (c *Cell) beforeLook(look Look) *string {
	return c.text(func(w *Write) bool { return look.Follows(w.Place, w.At) })
}

// before is what the cell said just before a place; nil for nothing.
func (c *Cell) before(place int) *string {
	return c.text(func(w *Write) bool { return w.Place < place })
}

func (c *Cell) text(counts func(*Write) bool) *string {
	for w := range c.Writes.backward() {
		if counts(w) {
			return w.Text
		}
	}
	return nil
}

// counted reports whether the cell is in the register (SCIENCE 3): it is there now, or it stood before the first look or
// just before R and was removed later.
func (c *Cell) counted(look Look, r *Result) bool {
	return c.last().Text != nil || look.Place > 0 && c.beforeLook(look) != nil || r != nil && c.before(r.Place) != nil
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

// namedHypotheses are those that the test's discriminates names as words.
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
	return &Predictions{r.Tests.snapshot(), r.Edits.snapshot(), r.Conditions.snapshot()}
}
