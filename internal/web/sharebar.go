package web

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"brenner/internal/science"
	"brenner/internal/study"
)

// share is what is believed of one world, as a bar shows it.
type share struct {
	ID, Name string // the ID of none of these is ∅
	P        float64
}

// shareBar is a bar that sums to 100, in which every share has its name: in its part, or, where that is too narrow, right below.
type shareBar struct {
	Picture template.HTML
	Rest    string // the shares that are named below
}

// What a part of a bar must at least be wide, as a share of it, to hold its id and its number, or its id alone.
const (
	widthOfBoth = 0.145
	widthOfID   = 0.085
)

// noneMark stands for none of these in bars and lists.
const noneMark = "∅"

func shareOf(id, name string, p float64) share {
	if id == science.None.ID() {
		id = noneMark
	}
	return share{id, name, p}
}

// barOf draws shares in their order. height is that of the bar in pixels; below 14 it has no words inside, and all shares are named below.
func barOf(height int, shares []share) shareBar {
	values := make([]float64, len(shares))
	for i, s := range shares {
		values[i] = s.P
	}
	percents := study.Percents(values)
	var b strings.Builder
	var label, rest []string
	var parts, gaps strings.Builder
	x := 0.0
	for i, s := range shares {
		name := s.ID
		if name == noneMark {
			name = "none of these"
		}
		label = append(label, name+" "+percents[i]+" %")
		inside := height >= 14 && s.P >= widthOfBoth
		if !inside {
			rest = append(rest, s.ID+" "+percents[i])
		}
		fmt.Fprintf(&parts, `<svg x="%.3f%%" width="%.3f%%" height="%d">`, 100*x, 100*s.P, height)
		writePart(&parts, s, height)
		if height >= 14 && s.P >= widthOfID {
			text, width := s.ID, 10*len([]rune(s.ID))+6
			if inside {
				text = s.ID + " " + percents[i]
				width = 8*len([]rune(text)) + 8
			}
			writeLabel(&parts, s.ID, text, width, height)
		}
		parts.WriteString(`</svg>`)
		if x += s.P; i < len(shares)-1 {
			fmt.Fprintf(&gaps, `<rect class="gap" x="%.3f%%" width="2" height="%d"/>`, 100*x, height)
		}
	}
	fmt.Fprintf(&b, `<svg class="sharebar" width="100%%" height="%d" role="img" aria-label="%s">%s%s</svg>`,
		height, template.HTMLEscapeString(strings.Join(label, ", ")), parts.String(), gaps.String())
	return shareBar{template.HTML(b.String()), strings.Join(rest, " · ")} //nolint:gosec // numbers, ids and escaped text
}

// writePart fills the part of a world: its shade goes by its number, for life; none of these is hatched, and a seventh begins again
// with dots.
func writePart(b *strings.Builder, s share, height int) {
	fmt.Fprintf(b, `<rect class="%s" width="100%%" height="%d"/>`, shadeOf(s.ID), height)
	switch {
	case s.ID == noneMark:
		fmt.Fprintf(b, `<rect width="100%%" height="%d" fill="url(#hatched)"/>`, height)
	case numberOf(s.ID) > shades:
		fmt.Fprintf(b, `<rect width="100%%" height="%d" fill="url(#dotted)"/>`, height)
	}
}

func writeLabel(b *strings.Builder, id, text string, width, height int) {
	if id == noneMark {
		fmt.Fprintf(b, `<rect class="shade0" x="4" y="2" width="%d" height="%d" rx="3"/>`, width, height-4)
	}
	fmt.Fprintf(b, `<text class="on-%s" x="7" y="%d">%s</text>`, shadeOf(id), height/2+4, template.HTMLEscapeString(text))
}

// shades is how many there are; the next explanation begins again.
const shades = 6

func numberOf(id string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(id, "H")) // none of these has no number
	return n
}

// shadeOf is the class of a world's shade.
func shadeOf(id string) string {
	n := numberOf(id)
	if n < 1 {
		return "shade0"
	}
	return "shade" + strconv.Itoa((n-1)%shades+1)
}
