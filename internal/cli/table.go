package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"brenner/internal/termtext"
)

// column is one of a table's. Where the terminal is too narrow, free text shrinks, then columns that one can do
// without go; names by which a thing is called up again are never cut.
type column struct {
	title string
	kind  columnKind
}

type columnKind int

const (
	whole columnKind = iota // names and numbers
	prose                   // free text
	extra                   // whole, and left out first; the last of them before the others
)

// columns makes the columns of a table from their titles: "Title" is whole, "Title…" prose, "Title?" extra.
func columns(titles ...string) []column {
	list := make([]column, len(titles))
	for i, title := range titles {
		if text, ok := strings.CutSuffix(title, "…"); ok {
			list[i] = column{text, prose}
		} else if text, ok := strings.CutSuffix(title, "?"); ok {
			list[i] = column{text, extra}
		} else {
			list[i] = column{title, whole}
		}
	}
	return list
}

// table prints rows under a header, in columns as wide as they need to be. On a terminal that is too narrow for any
// header each row becomes a paragraph.
func (p *printer) table(cols []column, rows [][]string) {
	titles := make([]string, len(cols))
	for i, c := range cols {
		titles[i] = c.title
	}
	rows = append([][]string{titles}, rows...)
	widths := make([]int, len(cols))
	for _, row := range rows {
		for i, cell := range row {
			row[i] = visible(cell)
			widths[i] = max(widths[i], termtext.Cells(row[i]))
		}
	}
	if p.terminal && !fitColumns(cols, widths, p.width) {
		p.paragraphs(cols, rows[1:])
		return
	}
	for i, row := range rows {
		line := tableRow(row, widths)
		if i == 0 {
			line = p.style(styleBold, line)
		}
		p.print("%s\n", line)
	}
}

const (
	columnGap    = 2
	easyColumn   = 24 // prose shrinks to this before columns go
	narrowColumn = 12 // and to this afterwards
	gone         = -columnGap
)

// fitColumns makes columns narrower, or leaves them out (gone), until they fit.
func fitColumns(cols []column, widths []int, available int) bool {
	natural := slices.Clone(widths)
	left := make([]bool, len(cols)) // out
	fits := func(least int) bool {
		for i := range widths {
			if widths[i] = natural[i]; left[i] {
				widths[i] = gone
			}
		}
		return shrinkProse(cols, widths, available, least)
	}
	for i, c := range slices.Backward(cols) {
		if fits(easyColumn) {
			break
		}
		left[i] = c.kind == extra
	}
	if !fits(easyColumn) {
		return fits(narrowColumn)
	}
	for i := range left { // what was left out before a wider one may fit again
		if left[i] {
			left[i] = false
			left[i] = !fits(easyColumn)
		}
	}
	return fits(easyColumn)
}

// shrinkProse takes what is too much from the widest prose, down to a least width.
func shrinkProse(cols []column, widths []int, available, least int) bool {
	for {
		total, widest := -columnGap, -1
		for i, w := range widths {
			total += w + columnGap
			if cols[i].kind == prose && w > least && (widest < 0 || w > widths[widest]) {
				widest = i
			}
		}
		if total <= available {
			return true
		}
		if widest < 0 {
			return false
		}
		widths[widest] = max(least, widths[widest]-(total-available))
	}
}

func tableRow(row []string, widths []int) string {
	var b strings.Builder
	for i, cell := range row {
		if widths[i] == gone {
			continue
		}
		cell = termtext.Fit(cell, widths[i])
		b.WriteString(cell)
		b.WriteString(strings.Repeat(" ", widths[i]-termtext.Cells(cell)+columnGap))
	}
	return strings.TrimRight(b.String(), " ")
}

// paragraphs prints each row as lines of title and value.
func (p *printer) paragraphs(cols []column, rows [][]string) {
	for i, row := range rows {
		if i > 0 {
			p.print("\n")
		}
		for j, cell := range row {
			if cell = strings.TrimSpace(cell); cell == "" {
				continue
			}
			label := strings.TrimSpace(cols[j].title)
			if label != "" {
				label += ": "
			}
			lines := []string{cell}
			if cols[j].kind == prose || label == "" {
				lines = termtext.Wrap(label+cell, p.width)
				label = ""
			}
			if termtext.Cells(label+lines[0]) > p.width { // a name stays in one piece
				p.print("%s\n", p.style(styleBold, strings.TrimSpace(label)))
				label = ""
			}
			p.print("%s%s\n", p.style(styleBold, label), strings.Join(lines, "\n"))
		}
	}
}

// duration writes a length of time as people do: "40 s", "30 min", "1 h 30 min", "3 days".
func duration(d time.Duration) string {
	d = d.Round(time.Second)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return joinUnits(int(d.Minutes()), "min", int(d.Seconds())%60, "s")
	case d < 48*time.Hour:
		return joinUnits(int(d.Hours()), "h", int(d.Minutes())%60, "min")
	default:
		return count(int(d.Hours()/24), "day")
	}
}

func joinUnits(n int, unit string, rest int, smaller string) string {
	text := fmt.Sprintf("%d %s", n, unit)
	if rest > 0 {
		text += fmt.Sprintf(" %d %s", rest, smaller)
	}
	return text
}

func formatInt(n int64) string { return strconv.FormatInt(n, 10) }

// age says how long ago something was. A text that is no time stays as it is.
func (p *printer) age(moment string) string { return age(moment, p.now) }

func age(moment string, now time.Time) string {
	t, err := time.Parse(time.RFC3339Nano, moment)
	if err != nil {
		return moment
	}
	return termtext.Age(now.Sub(t))
}
