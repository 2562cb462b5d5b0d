package message

import (
	"fmt"
	"strings"

	"brenner/internal/markup"
)

// maxSectionLevel is the lowest level at which a heading opens a section (PROTOCOL 4).
const maxSectionLevel = 3

// Contain makes foreign text safe inside a section of a body: headings that
// would open a section of their own move below level three, and a text that would swallow
// what follows it (an open fence, an open HTML comment) is put into a fence.
func Contain(text string) string {
	text = strings.Trim(text, blanks)
	if text == "" {
		return ""
	}
	const probe = "\n\n# after\n"
	headings := markup.Parse(text + probe).Headings()
	last := len(headings) - 1
	if last < 0 || headings[last].Start < len(text) {
		fence := strings.Repeat("~", max(3, longestRun(text)+1))
		return fence + "text\n" + text + "\n" + fence
	}
	var b strings.Builder
	at := 0
	for _, h := range headings[:last] {
		if h.Level > maxSectionLevel {
			continue
		}
		b.WriteString(text[at:h.Start])
		fmt.Fprintf(&b, "%s %s\n", strings.Repeat("#", maxSectionLevel+1), oneLine(h.Text))
		at = min(h.End, len(text))
	}
	b.WriteString(text[at:])
	return strings.Trim(b.String(), blanks)
}
