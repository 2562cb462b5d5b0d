package web

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/study"
)

// Columns of the matrix beyond the active hypotheses, which are few.
const (
	maxKilledColumns = 12
	maxOddColumns    = 6
)

// matrixView is the predictions as a table: a row for each, a column for each hypothesis.
type matrixView struct {
	Columns []columnView
	Hidden  int // killed hypotheses without a column
	Rows    []matrixRow
	Pairs   []pairView
}

type columnView struct {
	ID, Name string
	Href     string
	Killed   bool
	Odd      bool // no hypothesis of the slate
	Third    bool
}

type matrixRow struct {
	itemView
	Condition textView
	Cells     []cellView
	Distinct  int // different outcomes among active hypotheses
	Dull      bool
}

// cellView is what a prediction says of one hypothesis.
type cellView struct {
	Anchor string // P1.H2
	Text   *textView
	Group  string // A, B, … : the same letter for the same outcome; empty: it tells nothing apart
	Killed bool
	Odd    bool
	Note   *noteRef
}

// pairView says how many predictions expect different outcomes of two hypotheses.
type pairView struct {
	study.Pair
	Href string // the rows, on the page of the session
}

func (b *binder) matrix(rows []*artifact.Item) *matrixView {
	m := &matrixView{}
	active := itemIDs(b.art.Active(artifact.HypothesisSlate))
	for _, id := range active {
		m.Columns = append(m.Columns, b.column(b.art.Item(id)))
	}
	dead := 0
	for _, it := range b.art.Items(artifact.HypothesisSlate) {
		if it.Killed == nil || !slices.ContainsFunc(rows, func(row *artifact.Item) bool {
			_, ok := row.Map(artifact.Predictions).Get(string(it.ID))
			return ok
		}) {
			continue
		}
		if dead++; dead > maxKilledColumns {
			m.Hidden++
			continue
		}
		m.Columns = append(m.Columns, b.column(it))
	}
	for _, key := range b.oddKeys(rows) {
		m.Columns = append(m.Columns, columnView{ID: key, Odd: true})
	}
	for _, row := range rows {
		m.Rows = append(m.Rows, b.matrixRow(row, m.Columns, active))
	}
	m.Pairs = b.pairs(active)
	return m
}

func (b *binder) column(h *artifact.Item) columnView {
	return columnView{
		ID: string(h.ID), Name: short(60, h.Title()), Href: b.href(h.ID), Killed: h.Killed != nil, Third: h.IsThirdAlternative(),
	}
}

// oddKeys are columns without a hypothesis (WP-101).
func (b *binder) oddKeys(rows []*artifact.Item) []string {
	var keys []string
	for _, row := range rows {
		for _, p := range row.Map(artifact.Predictions) {
			id, s, _, ok := artifact.ParseItemID(p.Key)
			known := ok && s == artifact.HypothesisSlate && b.art.Item(id) != nil
			if !known && len(keys) < maxOddColumns && !slices.Contains(keys, p.Key) {
				keys = append(keys, p.Key)
			}
		}
	}
	return keys
}

func (b *binder) matrixRow(row *artifact.Item, columns []columnView, active []artifact.ItemID) matrixRow {
	letters, distinct := study.Letters(row, active)
	v := matrixRow{
		itemView: b.item(row), Condition: b.text(row.ID, row.Text(artifact.Condition)),
		Distinct: distinct,
		Dull:     distinct < 2 && row.Killed == nil,
	}
	predictions := row.Map(artifact.Predictions)
	for i, c := range columns {
		cell := cellView{Anchor: anchorOf(row.ID, c.ID), Killed: c.Killed, Odd: c.Odd}
		if text, ok := predictions.Get(c.ID); ok && strings.TrimSpace(text) != "" {
			t := b.text(row.ID, text)
			cell.Text, cell.Note = &t, b.apart(row, artifact.Predictions+"."+c.ID)
		}
		if i < len(active) && distinct > 1 && row.Killed == nil {
			cell.Group = letters[i]
		}
		v.Cells = append(v.Cells, cell)
	}
	return v
}

// pairs counts for every two active hypotheses the predictions that expect different outcomes of them, over all pages.
func (b *binder) pairs(active []artifact.ItemID) []pairView {
	rows := b.art.Active(artifact.PredictionsTable)
	if len(active) > artifact.MaxActiveHypotheses || len(rows) == 0 {
		return nil
	}
	var pairs []pairView
	for _, p := range study.Differing(rows, active) {
		pairs = append(pairs, pairView{p, threadURL(b.thread) + "?pair=" + p.Key() + "#matrix"})
	}
	return pairs
}

func itemIDs(items []*artifact.Item) []artifact.ItemID {
	ids := make([]artifact.ItemID, len(items))
	for i, it := range items {
		ids[i] = it.ID
	}
	return ids
}
