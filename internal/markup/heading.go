package markup

import (
	"strings"

	"brenner/internal/protocol"
)

// Heading is a heading of the document, ATX or setext.
type Heading struct {
	Level      int
	Text       string // raw text without marks and closing #s; lines joined by a space
	Start, End int    // byte offsets of the heading's lines, line endings included
	Line       int    // from 1
}

// Section is a heading with what is under it, up to the next heading of the same or a
// higher level.
type Section struct {
	Heading    Heading
	Text       string // raw content
	Start, End int    // byte offsets of Text
}

// Present tells whether the section has visible content.
func (s Section) Present() bool { return !protocol.Blank(s.Text) }

// foldLabel strips from a heading what PROTOCOL 4 ignores: a trailing (…), a colon, closing
// #s, emphasis around it all, and doubled spaces.
func foldLabel(text string) string {
	for {
		stripped := stripOnce(strings.TrimSpace(text))
		if stripped == text {
			break
		}
		text = stripped
	}
	return strings.Join(strings.Fields(text), " ")
}

func stripOnce(text string) string {
	if text == "" {
		return text
	}
	switch last := text[len(text)-1]; last {
	case ':', '#':
		return text[:len(text)-1]
	case ')':
		return stripParenthesis(text)
	case '*', '_':
		if len(text) > 2 && text[0] == last {
			return text[1 : len(text)-1]
		}
	}
	return text
}

// stripParenthesis removes the balanced (…) at the end of a text, unless it is all there is.
func stripParenthesis(text string) string {
	depth := 0
	for i := len(text) - 1; i > 0; i-- {
		switch text[i] {
		case ')':
			depth++
		case '(':
			depth--
		}
		if depth == 0 {
			return text[:i]
		}
	}
	return text
}
