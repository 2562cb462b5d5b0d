package hypertext

import (
	"bytes"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// HTML returns the text of a page: a line for each block, without scripts and styles. It works on
// tokens, so that no nesting is too deep.
func HTML(page []byte) string {
	var w htmlWriter
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return strings.TrimSpace(w.String()) + "\n"
		case html.TextToken:
			w.text(z.Text())
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			w.start(atom.Lookup(name))
		case html.EndTagToken:
			name, _ := z.TagName()
			w.end(atom.Lookup(name))
		}
	}
}

// htmlWriter collects the text of a page.
type htmlWriter struct {
	strings.Builder
	hidden int  // inside elements that show nothing
	pre    int  // inside preformatted text
	sup    int  // inside raised text
	space  bool // pending
	line   bool // a line break is pending

	powers []power // open elements of a formula
	beyond int     // open ones that are not followed
}

func (w *htmlWriter) start(tag atom.Atom) {
	switch {
	case hiddenTag(tag):
		w.hidden++
	case tag == atom.Pre:
		w.pre++
	case tag == atom.Sup:
		w.sup++
	}
	w.boundary(tag)
}

func (w *htmlWriter) end(tag atom.Atom) {
	switch {
	case hiddenTag(tag):
		w.hidden = max(w.hidden-1, 0)
	case tag == atom.Pre:
		w.pre = max(w.pre-1, 0)
	case tag == atom.Sup:
		w.sup = max(w.sup-1, 0)
	}
	w.boundary(tag)
}

func (w *htmlWriter) boundary(tag atom.Atom) {
	switch tag {
	case atom.Td, atom.Th:
		w.space = true
	default:
		w.line = w.line || blockTag(tag)
	}
}

func (w *htmlWriter) text(text []byte) {
	if w.hidden > 0 {
		return
	}
	if w.sup > 0 {
		text = []byte(raised(string(text)))
	}
	if w.pre > 0 {
		w.flush()
		w.Write(text)
		return
	}
	for _, b := range text {
		switch b {
		case ' ', '\t', '\n', '\r', '\f':
			w.space = true
		default:
			w.flush()
			w.WriteByte(b)
		}
	}
}

var raisedSigns = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹",
	"+", "⁺", "-", "⁻", "−", "⁻", "–", "⁻")

// raised writes raised digits and signs as the characters for them: 10<sup>5</sup> is 10⁵, never 105 (SCIENCE 1, the same text).
// Raised words stay as they are.
func raised(text string) string {
	if strings.ContainsFunc(text, unicode.IsLetter) {
		return text
	}
	return raisedSigns.Replace(text)
}

// flush writes the pending break.
func (w *htmlWriter) flush() {
	switch {
	case w.Len() == 0:
	case w.line:
		w.WriteByte('\n')
	case w.space:
		w.WriteByte(' ')
	}
	w.line, w.space = false, false
}

func hiddenTag(tag atom.Atom) bool {
	switch tag {
	case atom.Script, atom.Style, atom.Template, atom.Title, atom.Textarea, atom.Select:
		return true
	}
	return false
}

func blockTag(tag atom.Atom) bool {
	switch tag {
	case atom.P, atom.Div, atom.Br, atom.Hr, atom.Li, atom.Ul, atom.Ol, atom.Dl, atom.Dt, atom.Dd, atom.Tr, atom.Table, atom.Caption,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Section, atom.Article, atom.Header, atom.Footer, atom.Main, atom.Nav,
		atom.Aside, atom.Blockquote, atom.Pre, atom.Figure, atom.Figcaption, atom.Form, atom.Fieldset, atom.Address, atom.Body, atom.Head,
		atom.Html, atom.Details, atom.Summary, atom.Option:
		return true
	}
	return false
}
