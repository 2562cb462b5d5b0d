package message

import (
	"strings"

	"brenner/internal/markup"
)

// table is the first table of a range: its header and its rows, cell by cell, raw.
type table struct {
	header []string
	rows   [][]string
}

// tableOf reads the first table of a range: a header, a delimiter row, then rows up to the
// first line that is none.
func tableOf(doc *markup.Document, start, end int) (table, bool) {
	var t table
	var before []string // the cells of the line before, which may be a header
	for l := range prose(doc, start, end) {
		row, ok := cells(l.text)
		switch {
		case t.header != nil && !ok:
			return t, true
		case t.header != nil:
			t.rows = append(t.rows, row)
		case before != nil && delimiter(row):
			t.header = before
		default:
			before = row
		}
	}
	return t, t.header != nil
}

// column finds a column by its heading, ignoring case and emphasis; -1 if there is none.
func (t table) column(name string) int {
	for i, h := range t.header {
		if strings.EqualFold(unadorned(h), name) {
			return i
		}
	}
	return -1
}

// cell returns the text of a row's cell; absent and "-" are both empty.
func cell(row []string, column int) string {
	if column < 0 || column >= len(row) || row[column] == absent {
		return ""
	}
	return unescape(unadorned(row[column]))
}

// absent is written in a cell that has nothing to say (PROTOCOL 12).
const absent = "-"

// cells splits a row at its pipes, but not at those behind a backslash.
func cells(text string) ([]string, bool) {
	text = strings.Trim(text, blanks)
	if len(text) < 2 || text[0] != '|' {
		return nil, false
	}
	var row []string
	from := 1
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '|':
			row = append(row, strings.Trim(text[from:i], blanks))
			from = i + 1
		}
	}
	if from < len(text) {
		row = append(row, strings.Trim(text[from:], blanks))
	}
	return row, true
}

// delimiter tells whether a row separates a header from its table.
func delimiter(row []string) bool {
	for _, c := range row {
		if strings.Trim(c, "-:") != "" || !strings.Contains(c, "-") {
			return false
		}
	}
	return len(row) > 0
}

// writeRow writes a row of texts; what is empty is "-".
func writeRow(b *strings.Builder, texts ...string) {
	b.WriteByte('|')
	for _, text := range texts {
		if text = escape(text); text == "" {
			text = absent
		}
		b.WriteString(" " + text + " |")
	}
	b.WriteByte('\n')
}
