package draw

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// passive says a relation from the other end: what was done to the older item.
var passive = map[string]string{
	"extends":     "extended by",
	"refines":     "refined by",
	"refutes":     "refuted by",
	"informed_by": "informs",
	"supersedes":  "superseded by",
	"replicates":  "replicated by",
}

// Inverse says a relation in words, as the older item sees it: extended by, informs.
func Inverse(relation string) string {
	if word, ok := passive[relation]; ok {
		return word
	}
	return oneLine(relation) + " by"
}

// relationText writes a relation in words: informed_by reads "informed by".
func relationText(relation string) string { return strings.ReplaceAll(oneLine(relation), "_", " ") }

// oneLine makes a name fit for a line of any output: white space becomes single spaces, and
// what could drive a terminal, break XML or turn the direction of writing is left out.
func oneLine(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.Join(strings.Fields(text), " ")
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\uFFFE' || r == '\uFFFF' {
			return -1
		}
		return r
	}, text)
}

// shorten cuts a text to a width in columns, where wide characters count two.
func shorten(text string, columns int) string {
	width, cut := 0, 0
	for i, r := range text {
		width += runeWidth(r)
		if width > columns {
			return strings.TrimRight(text[:cut], " ") + "…"
		}
		if width <= columns-1 {
			cut = i + utf8.RuneLen(r)
		}
	}
	return text
}

func runeWidth(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana), r >= 0x1F300 && r < 0x1FB00:
		return 2
	}
	return 1
}
