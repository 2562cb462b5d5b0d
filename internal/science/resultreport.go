package science

import (
	"fmt"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
	"brenner/internal/quantity"
)

// ResultRow is a result or attempt as it is listed. Messages have the numbers of the store.
type ResultRow struct {
	Test        artifact.ItemID `json:"test"`
	Name        string          `json:"name"`
	Status      *string         `json:"status"`
	Outcome     *string         `json:"outcome"`
	Value       *quantity.Value `json:"value"`
	Unforeseen  *string         `json:"unforeseen"`
	By          string          `json:"by"`
	MessageID   int64           `json:"message_id"`
	At          string          `json:"at"`
	Performed   *string         `json:"performed"`
	Exploratory bool            `json:"exploratory"`
	Potency     *string         `json:"potency"`
	Evidence    []string        `json:"evidence"`
	Note        *string         `json:"note"`
	Replicates  *int64          `json:"replicates"`
	Standing    Standing        `json:"standing"`
	ReplacedBy  *int64          `json:"replaced_by"`
	Counted     bool            `json:"counted"`
	Uncounted   string          `json:"-"` // why one that stands does not count
}

// Said is what the result says; empty for an attempt.
func (r *ResultRow) Said() string {
	switch {
	case r.Outcome != nil:
		return *r.Outcome
	case r.Value != nil:
		return r.Value.Text()
	case r.Unforeseen != nil:
		return "unforeseen: " + *r.Unforeseen
	}
	return ""
}

// ResultRows lists every result and attempt, oldest first, with what became of it.
func (s *State) ResultRows() []ResultRow {
	rows, cites := make([]ResultRow, 0, s.Results.Given.Len()), s.citations()
	for _, g := range s.Results.Given.All() {
		rows = append(rows, s.row(g, cites))
	}
	return rows
}

func (s *State) row(g *Result, cites citations) ResultRow {
	row := ResultRow{
		Test: g.Test, Name: s.Beliefs.test(g.Test.Number()).Name, Status: protocol.OrNull(g.Status), Outcome: protocol.OrNull(g.Outcome),
		Value: s.value(g), Unforeseen: protocol.OrNull(g.Unforeseen), By: g.By, MessageID: g.MessageID, At: artifact.FormatTime(g.At),
		Performed: protocol.OrNull(g.Performed), Exploratory: g.Exploratory, Potency: protocol.OrNull(g.Potency),
		Evidence: append([]string{}, g.Evidence...), Note: protocol.OrNull(g.Note), Standing: g.Standing, Uncounted: s.uncounted(g, cites),
	}
	row.Counted = g.stands() && row.Uncounted == ""
	if g.Replication {
		id := s.Results.messageOf(g)
		row.Replicates = &id
	}
	if by := s.Results.Given.At(g.ReplacedBy); by != nil {
		row.ReplacedBy = &by.MessageID
	}
	return row
}

// value is what was measured, in the quantity's unit where none was written.
func (s *State) value(g *Result) *quantity.Value {
	q := s.Results.Test(g.Test).Quantity
	if g.Value == nil || g.Value.Unit != nil || q == nil || q.Unit == "" {
		return g.Value
	}
	v := *g.Value
	v.Unit = &q.Unit
	return &v
}

// messageOf is the store's number of the message whose result a replication repeats: results name each other by
// origin ids, readers by these. What the test does not have keeps the id that was written.
func (r *Results) messageOf(g *Result) int64 {
	if g.Unknown {
		return g.Replicates
	}
	if other := r.Given.At(r.byOrigin(g.Test, r.Test(g.Test), g.Replicates)); other != nil {
		return other.MessageID
	}
	return g.Replicates
}

// Fate says in a few words what became of the result that a message gave a test; empty for a main result, and for none.
func (r *Results) Fate(test artifact.ItemID, messageID int64) string {
	g := r.Named(test, messageID)
	if g == nil || g.Standing == Main {
		return ""
	}
	if by := r.Given.At(g.ReplacedBy); by != nil && g.Standing == Replaced {
		return fmt.Sprintf("replaced by #%d", by.MessageID)
	}
	return string(g.Standing)
}

// Others says in a few words what the other results of a test were: replaced "down" of #6 · replicated once. It is
// empty for a test with one result.
func (r *Results) Others(test artifact.ItemID) string {
	var parts []string
	again, gone, tried := 0, 0, 0
	for _, g := range r.Of(test) {
		switch g.Standing {
		case Replaced:
			parts = append(parts, fmt.Sprintf("replaced %q of #%d", protocol.Brief(g.Text()), g.MessageID))
		case Replication:
			again++
		case Withdrawn:
			gone++
		case Attempt:
			tried++
		}
	}
	if hidden := len(parts) - maxReplaced; hidden > 0 {
		parts = append([]string{fmt.Sprintf("%d earlier", hidden)}, parts[hidden:]...)
	}
	if again > 0 {
		parts = append(parts, "replicated "+times(again))
	}
	if gone > 0 {
		parts = append(parts, protocol.Plural(gone, "result")+" withdrawn")
	}
	if tried > 0 {
		parts = append(parts, protocol.Plural(tried, "further attempt"))
	}
	return strings.Join(parts, " · ")
}

// maxReplaced is how many replaced results are named.
const maxReplaced = 3

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// AloneStands reports whether a result stands, and no other of its test does.
func (r *Results) AloneStands(g *Result) bool {
	t := r.Test(g.Test)
	main := r.Given.At(t.Main)
	if g.Replication {
		return g.stands() && main == nil && t.Replications == 1
	}
	return main == g && t.Replications == 0
}

// Named finds the result of a test by the store's number of its message, nil if the test has none there.
func (r *Results) Named(test artifact.ItemID, messageID int64) *Result {
	for n := r.Test(test).Latest; n > 0; n = r.Given.At(n).Before {
		if g := r.Given.At(n); g.MessageID == messageID && !g.NoResult {
			return g
		}
	}
	return nil
}
