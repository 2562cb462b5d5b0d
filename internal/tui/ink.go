package tui

import (
	"strings"

	"charm.land/lipgloss/v2"

	"brenner/internal/termtext"
)

// ink is how a piece of text looks. Only the sixteen colours of the terminal are used: they fit the
// person's own scheme, and work over any connection.
type ink uint8

const (
	plain ink = iota
	dim
	strong
	good
	warn
	bad
	calm
	heading
	inks // how many there are
)

var styles = [inks]lipgloss.Style{
	plain:   lipgloss.NewStyle(),
	dim:     lipgloss.NewStyle().Faint(true),
	strong:  lipgloss.NewStyle().Bold(true),
	good:    lipgloss.NewStyle().Foreground(lipgloss.Green),
	warn:    lipgloss.NewStyle().Foreground(lipgloss.Yellow),
	bad:     lipgloss.NewStyle().Foreground(lipgloss.Red).Bold(true),
	calm:    lipgloss.NewStyle().Foreground(lipgloss.Cyan),
	heading: lipgloss.NewStyle().Bold(true).Underline(true),
}

var (
	barStyle    = lipgloss.NewStyle().Reverse(true)
	cursorStyle = lipgloss.NewStyle().Reverse(true)
)

// line draws a row in exactly so many columns.
func (r row) line(width int) string {
	return r.draw(width, func(look ink, text string) string { return styles[look].Render(text) })
}

// underCursor draws a row as the one that keys act on: one look over all of it.
func (r row) underCursor(width int) string {
	return cursorStyle.Render(r.draw(width, func(_ ink, text string) string { return text }))
}

func (r row) draw(width int, render func(ink, string) string) string {
	var b strings.Builder
	left := width
	for _, c := range r.cells {
		columns := min(c.width, left)
		if c.width == 0 {
			columns = left
		}
		if columns < 1 {
			continue
		}
		text := termtext.Fit(c.text, columns)
		b.WriteString(render(c.ink, text))
		b.WriteString(strings.Repeat(" ", columns-termtext.Cells(text)))
		left -= columns
	}
	return b.String() + strings.Repeat(" ", left)
}

// say makes a row of one text.
func say(look ink, text string) row {
	return row{cells: []cell{{text: termtext.Visible(text), ink: look}}}
}

// paragraphs makes rows of a text, wrapped; line breaks stay.
func paragraphs(look ink, indent int, text string, width int) []row {
	var rows []row
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		line = strings.TrimRight(line, "\r")
		own := indent + len(line) - len(strings.TrimLeft(line, " "))
		if own >= width/2 {
			own = indent
		}
		for _, part := range termtext.Wrap(termtext.Visible(strings.ReplaceAll(line, "\t", "    ")), max(10, width-own)) {
			rows = append(rows, row{cells: []cell{{width: own}, {text: part, ink: look}}})
		}
	}
	return rows
}
