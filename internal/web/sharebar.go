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

// barSize is how high a bar is, and how wide it at least is on a screen that is not a phone, in pixels.
type barSize struct {
	height, width int
	named         bool // its parts have the names of explanations where they are wide enough
}

// The bars of the pages.
var (
	inHead    = barSize{36, 540, true}
	inRow     = barSize{22, 320, false}
	inMargin  = barSize{18, 250, false}
	inEntry   = barSize{20, 236, false}
	inOutlook = barSize{26, 215, false}
	inLedger  = barSize{9, 150, false} // too low for words: whoever shows it names the shares
)

// How wide letters are in a bar, with what stands around them, and the least height that has words inside.
const (
	wideLetter = 7.4 // of ids
	wideWord   = 6.9 // of names and numbers
	aroundText = 13
	leastWords = 14
)

// fits tells whether so many letters fit in a share of a bar.
func (size barSize) fits(p float64, letters int) bool {
	return size.height >= leastWords && p*float64(size.width) >= wideLetter*float64(letters)+aroundText
}

// words are what a part says beside its id: how much is believed, with the name of the explanation where both fit.
func (size barSize) words(one share, percent string) string {
	named := one.Name + "\u00a0" + percent + "\u00a0%"
	id := wideLetter*float64(len([]rune(one.ID))+1) + aroundText
	switch {
	case size.named && one.Name != "" && one.P*float64(size.width) >= id+wideWord*float64(len([]rune(named))):
		return named
	case size.fits(one.P, len([]rune(one.ID+" "+percent))):
		return percent
	}
	return ""
}

// noneMark stands for none of these in bars and lists.
const noneMark = "∅"

func shareOf(id, name string, p float64) share {
	if id == science.None.ID() {
		id, name = noneMark, "none of these"
	}
	return share{id, name, p}
}

// barOf draws shares in their order.
func barOf(size barSize, shares []share) shareBar {
	height := size.height
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
			name = s.Name
		}
		label = append(label, name+" "+percents[i]+" %")
		words := size.words(s, percents[i])
		if words == "" {
			rest = append(rest, s.ID+" "+percents[i])
		}
		fmt.Fprintf(&parts, `<svg x="%.3f%%" width="%.3f%%" height="%d">`, 100*x, 100*s.P, height)
		writePart(&parts, s, height)
		if size.fits(s.P, len([]rune(s.ID))) {
			size.writeLabel(&parts, s, words)
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

// onPhone is how wide a bar is there. The highest has room for letters alone.
const onPhone = 358

// writeLabel says which world a part is of and what else there is to say of it.
func (size barSize) writeLabel(b *strings.Builder, s share, words string) {
	of, y, at := shadeOf(s.ID), size.height/2+4, 7+wideLetter*float64(len([]rune(s.ID))+1)
	letter, wide := "", ""
	if size.named {
		wide = " wide"
		if s.P*onPhone < wideLetter*float64(len([]rune(s.ID)))+aroundText {
			letter = wide
		}
	}
	if s.ID == noneMark { // on a plain ground, which hatching is not
		fmt.Fprintf(b, `<rect class="shade0%s" x="4" y="2" width="%.0f" height="%d" rx="3"/>`, letter, at-3, size.height-4)
	}
	if s.ID == noneMark && words != "" {
		long := at + wideWord*float64(len([]rune(words)))
		fmt.Fprintf(b, `<rect class="shade0%s" x="4" y="2" width="%.0f" height="%d" rx="3"/>`, wide, long, size.height-4)
	}
	fmt.Fprintf(b, `<text class="on-%s%s" x="7" y="%d">%s</text>`, of, letter, y, template.HTMLEscapeString(s.ID))
	if words != "" {
		fmt.Fprintf(b, `<text class="on-%s name%s" x="%.1f" y="%d">%s</text>`, of, wide, at, y, template.HTMLEscapeString(words))
	}
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
