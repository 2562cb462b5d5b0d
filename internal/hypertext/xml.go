package hypertext

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"brenner/internal/literature"
)

// XML returns the text of an article in JATS, or of other XML: a line for each block. It works on tokens, so that no nesting is
// too deep. Empty: it cannot be read to its end.
func XML(data []byte) string {
	data, err := literature.Decode(data)
	if err != nil {
		return ""
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict, d.Entity = false, xml.HTMLEntity
	d.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil } // Decode has read it
	var w htmlWriter
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return strings.TrimSpace(w.String()) + "\n"
		}
		if err != nil {
			return ""
		}
		switch t := token.(type) {
		case xml.CharData:
			w.text(t)
		case xml.StartElement:
			if formula(t.Name) {
				w.startFormula(t.Name.Local)
			} else {
				w.startXML(t.Name.Local)
			}
		case xml.EndElement:
			if formula(t.Name) {
				w.endFormula()
			} else {
				w.endXML(t.Name.Local)
			}
		}
	}
}

func (w *htmlWriter) startXML(name string) {
	switch {
	case hiddenElement(name):
		w.hidden++
	case name == "sup":
		w.sup++
	case name == "preformat" || name == "code":
		w.pre++
	}
	w.elementBoundary(name)
}

func (w *htmlWriter) endXML(name string) {
	switch {
	case hiddenElement(name):
		w.hidden = max(w.hidden-1, 0)
	case name == "sup":
		w.sup = max(w.sup-1, 0)
	case name == "preformat" || name == "code":
		w.pre = max(w.pre-1, 0)
	}
	w.elementBoundary(name)
}

// elementBoundary parts what stands before an element from what stands in it: with a space where elements are joined in one
// line, with a line break elsewhere; emphasis and the like part nothing.
func (w *htmlWriter) elementBoundary(name string) {
	switch name {
	case "italic", "bold", "sup", "sub", "sc", "underline", "overline", "roman", "sans-serif", "monospace", "styled-content",
		"named-content",
		"xref", "ext-link", "uri", "email", "inline-formula", "abbrev", "strike", "target", "i", "b", "em", "strong", "span", "a":
	case "td", "th", "surname", "given-names", "year", "month", "day", "volume", "issue", "fpage", "lpage", "source", "name",
		"person-group",
		"label", "collab", "etal", "pub-id", "mixed-citation", "element-citation":
		w.space = true
	default:
		w.line = true
	}
}

// formula tells whether an element is MathML, whose parts make one word.
func formula(name xml.Name) bool { return name.Space == "mml" || name.Local == "math" }

// maxOpen is how deep the parts of a formula are followed.
const maxOpen = 100

// power is an open element of a formula.
type power struct {
	is    bool // a power: its second part is raised
	parts int
}

// startFormula writes the sign between the two parts of a power: 10^5, never 105.
func (w *htmlWriter) startFormula(name string) {
	if n := len(w.powers); n > 0 && w.powers[n-1].is {
		if w.powers[n-1].parts++; w.powers[n-1].parts == 2 {
			w.text([]byte("^"))
		}
	}
	if w.beyond > 0 || len(w.powers) == maxOpen {
		w.beyond++
		return
	}
	w.powers = append(w.powers, power{is: name == "msup"})
}

func (w *htmlWriter) endFormula() {
	if w.beyond > 0 {
		w.beyond--
		return
	}
	w.powers = w.powers[:max(len(w.powers)-1, 0)]
}

// hiddenElement tells whether an element is no text of the article: its journal's names, its numbers, formulas as programs.
func hiddenElement(name string) bool {
	switch name {
	case "journal-meta", "article-id", "tex-math", "processing-meta", "custom-meta-group", "object-id", "issue-id", "script", "style":
		return true
	}
	return false
}
