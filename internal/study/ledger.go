package study

import (
	"cmp"
	"math"
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/figure"
	"brenner/internal/science"
)

// LedgerRow is a result of the session as everybody shows it: what was found, by whom, from which source, who had expected it, and what it
// did to belief.
type LedgerRow struct {
	Result
	TestName   string
	TestHref   string
	Href       string   // to its message
	Expected   []string // explanations of that moment that had said so before the first look
	Unexpected []string
	Late       []LateCell
	Silent     int            // explanations that had said nothing
	Before     []figure.Share // the pool just before its message; nil: it moved nothing
	After      []figure.Share
	Moves      []Change          // the two largest
	Replaces   *Result           // what it replaced
	Again      []int64           // messages of its replications
	Under      bool              // it stands below the result that replaced it
	Message    []artifact.ItemID // all tests that its message gave a result: belief is moved by all of them together
}

// LateCell is a prediction that was written or rewritten when somebody had looked.
type LateCell struct {
	ID        string
	Rewritten bool // it had said something else before
	AfterLook bool // and before the result
}

// Change is how the belief in a world moved.
type Change struct {
	World    string
	From, To float64
}

// Ledger lists every result and attempt, the newest first, what was replaced below what replaced it.
func (s *Study) Ledger() []LedgerRow { return s.ledger }

// OfMessage are the results that a message gave.
func (s *Study) OfMessage(id int64) []LedgerRow {
	var list []LedgerRow
	for _, row := range s.ledger {
		if row.MessageID == id {
			list = append(list, row)
		}
	}
	return list
}

func (b *builder) ledger(s *Study) []LedgerRow {
	given := b.Science.Results.Given.All()
	rows := make([]LedgerRow, len(given))
	again := map[artifact.ItemID]map[int64][]int64{}
	for i, r := range b.all {
		rows[i] = b.ledgerRow(s, r, given[i])
		if r.Replicates != nil {
			if again[r.Test] == nil {
				again[r.Test] = map[int64][]int64{}
			}
			again[r.Test][*r.Replicates] = append(again[r.Test][*r.Replicates], r.MessageID)
		}
	}
	for i, g := range given {
		rows[i].Again = again[g.Test][g.MessageID]
		if g.Replaces > 0 {
			rows[i].Replaces = &b.all[g.Replaces-1]
		}
	}
	return below(rows, given)
}

// below puts the newest first, and what was replaced below what replaced it.
func below(rows []LedgerRow, given []*science.Result) []LedgerRow {
	var list []LedgerRow
	var put func(i int, under bool)
	put = func(i int, under bool) {
		rows[i].Under = under
		list = append(list, rows[i])
		if old := given[i].Replaces; old > 0 && given[old-1].Standing == science.Replaced {
			put(old-1, true)
		}
	}
	for i, g := range slices.Backward(given) {
		if g.Standing != science.Replaced || g.ReplacedBy == 0 {
			put(i, false)
		}
	}
	return list
}

func (b *builder) ledgerRow(s *Study, r Result, g *science.Result) LedgerRow {
	row := LedgerRow{Result: r, TestName: r.Name, Href: b.Links.Message(r.MessageID), TestHref: b.Links.Item(r.Test),
		Message: b.Science.Results.GivenBy(r.MessageID)}
	for _, h := range s.Hypotheses {
		if h.Born > g.Place || h.Killed != nil && h.Killed.Place < g.Place {
			continue
		}
		p := b.cells[cellKey{r.Test, h.ID}]
		if p == nil || p.Held() == "" && !p.Late() {
			row.Silent++
			continue
		}
		if p.Late() {
			row.Late = append(row.Late, LateCell{h.ID, p.Registered != nil, p.State == science.AfterLook})
		}
		switch verdict, _ := b.Science.Judge(g, p.Held()); verdict {
		case science.AsExpected:
			row.Expected = append(row.Expected, h.ID)
		case science.Contradicted:
			row.Unexpected = append(row.Unexpected, h.ID)
		}
	}
	row.Before, row.After = b.moved(r.MessageID)
	row.Moves = largest(row.Before, row.After)
	return row
}

// maxChanges is how many moves a result names.
const maxChanges = 2

// largest are the worlds whose share moved most.
func largest(before, after []figure.Share) []Change {
	was := map[string]float64{}
	for _, s := range before {
		was[s.Label] = s.Value
	}
	var list []Change
	for _, s := range after {
		list = append(list, Change{s.Label, was[s.Label], s.Value})
	}
	slices.SortStableFunc(list, func(x, y Change) int { return cmp.Compare(math.Abs(y.To-y.From), math.Abs(x.To-x.From)) })
	return list[:min(len(list), maxChanges)]
}
