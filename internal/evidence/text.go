package evidence

import "strings"

// Text is a text in which quotes are looked up. It keeps no copy in normal form: a source may have 64 MiB, and its
// normal form many times that. What is looked up is compared while the text is read (see scanner). It is immutable.
type Text struct {
	raw    string
	origin Origin
}

// Origin says how a text came to be. It decides what may have been lost on the way.
type Origin uint8

// The origins.
const (
	Written   Origin = iota // as its author wrote it
	Extracted               // from a PDF: hyphens and raised figures may be gone, and a form feed ends a page
)

// NewText returns a text that can be searched.
func NewText(text string, origin Origin) *Text { return &Text{text, origin} }

// Page returns the page, from 1, of a place in the text; 0 if the text has no pages.
func (t *Text) Page(offset int) int {
	if t == nil || t.origin != Extracted {
		return 0
	}
	return 1 + strings.Count(t.raw[:min(offset, len(t.raw))], "\f")
}

// Pages returns how many pages the text has; 0 if it has none.
func (t *Text) Pages() int {
	if t == nil || t.origin != Extracted {
		return 0
	}
	return 1 + strings.Count(strings.TrimRight(t.raw, "\f\n "), "\f")
}

// Same tells whether two texts have the same words.
func Same(a, b string) bool {
	x, y := atomsOf(a, quoted), atomsOf(b, quoted)
	if len(x) == 0 || len(y) == 0 {
		return len(x) == len(y)
	}
	w := &window{atoms: y}
	end, ok := w.fit(0, x, Written)
	return ok && end == len(y)
}
