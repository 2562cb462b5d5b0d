package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"brenner/internal/termtext"
)

// table prints rows under a header, in columns as wide as they need to be; where the terminal
// is too narrow the widest column gives way.
func (p *printer) table(rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			row[i] = visible(cell)
			widths[i] = max(widths[i], termtext.Cells(row[i]))
		}
	}
	if p.terminal {
		shrink(widths, p.width)
	}
	for i, row := range rows {
		line := p.row(row, widths)
		if i == 0 {
			line = p.style(styleBold, line)
		}
		p.print("%s\n", line)
	}
}

const columnGap = 2

// minColumn is as narrow as a column gets.
const minColumn = 12

func shrink(widths []int, available int) {
	for {
		total, widest := -columnGap, 0
		for i, w := range widths {
			total += w + columnGap
			if w > widths[widest] {
				widest = i
			}
		}
		if total <= available || widths[widest] <= minColumn {
			return
		}
		widths[widest] = max(minColumn, widths[widest]-(total-available))
	}
}

func (p *printer) row(row []string, widths []int) string {
	var b strings.Builder
	for i, cell := range row {
		cell = termtext.Fit(cell, widths[i])
		b.WriteString(cell)
		if i < len(row)-1 {
			b.WriteString(strings.Repeat(" ", widths[i]-termtext.Cells(cell)+columnGap))
		}
	}
	return strings.TrimRight(b.String(), " ")
}

func formatInt(n int64) string { return strconv.FormatInt(n, 10) }

// age says how long ago something was, in the largest unit that fits.
func age(created string, now time.Time) string {
	t, err := time.Parse(time.RFC3339Nano, created)
	if err != nil {
		return ""
	}
	switch d := now.Sub(t); {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	default:
		return fmt.Sprintf("%dd", int(d.Hours()/24))
	}
}
