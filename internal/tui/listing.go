package tui

import (
	"strings"
)

// row is one line of a listing, and what opening it shows.
type row struct {
	cells []cell
	open  screen // nil: nothing to open
	key   string // the same thing keeps its key when the listing is loaded again; empty: its text
	of    target // what hands are put to
}

// cell is a piece of a row. Its text is visible already.
type cell struct {
	text  string
	ink   ink
	width int // columns; 0: as many as are left (last cell only)
}

// text is what a filter looks at.
func (r row) text() string {
	var b strings.Builder
	for _, c := range r.cells {
		b.WriteString(c.text)
		b.WriteByte(' ')
	}
	return b.String()
}

func (r row) identity() string {
	if r.key != "" {
		return r.key
	}
	return r.text()
}

// listing is rows with a cursor, a window and a filter.
type listing struct {
	all    []row
	rows   []row // those that pass the filter
	filter string
	at     int // index of the row under the cursor
	top    int // index of the first row that is shown
}

// set replaces the rows and keeps the cursor on the thing it was on.
func (l *listing) set(rows []row) {
	var was string
	if l.at < len(l.rows) {
		was = l.rows[l.at].identity()
	}
	l.all = rows
	l.apply()
	for i := range l.rows {
		if was != "" && l.rows[i].identity() == was {
			l.at = i
			return
		}
	}
	l.move(0)
}

// search keeps the rows that hold every word of a text.
func (l *listing) search(filter string) {
	l.filter = filter
	l.apply()
	l.at, l.top = 0, 0
}

func (l *listing) apply() {
	words := strings.Fields(strings.ToLower(l.filter))
	if len(words) == 0 {
		l.rows = l.all
		return
	}
	l.rows = nil
	for _, r := range l.all {
		if holds(strings.ToLower(r.text()), words) {
			l.rows = append(l.rows, r)
		}
	}
}

func holds(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// move takes the cursor up or down, and stops at the ends.
func (l *listing) move(by int) { l.at = max(0, min(l.at+by, len(l.rows)-1)) }

// window returns the rows that fit, such that the cursor is among them.
func (l *listing) window(height int) []row {
	if height < 1 {
		return nil
	}
	l.top = max(min(l.top, l.at), l.at-height+1, 0)
	l.top = min(l.top, max(0, len(l.rows)-height))
	return l.rows[l.top:min(len(l.rows), l.top+height)]
}

// current is the row under the cursor.
func (l *listing) current() (row, bool) {
	if l.at >= len(l.rows) {
		return row{}, false
	}
	return l.rows[l.at], true
}
