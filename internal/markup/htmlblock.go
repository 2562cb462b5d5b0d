package markup

import (
	"slices"
	"strings"
)

// htmlKind is one of the seven kinds of HTML blocks of CommonMark; they differ in how they
// begin and end.
type htmlKind uint8

const (
	noHTML      htmlKind = iota
	htmlRaw              // <script, <pre, <style, <textarea until the closing tag
	htmlComment          // <!-- until -->
	htmlProcess          // <? until ?>
	htmlDeclare          // <!X until >
	htmlCDATA            // <![CDATA[ until ]]>
	htmlTag              // a block-level tag until a blank line
	htmlAnyTag           // any whole tag alone on its line until a blank line
)

var rawTags = []string{"pre", "script", "style", "textarea"}

var blockTags = []string{
	"address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col",
	"colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure",
	"footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html",
	"iframe", "legend", "li", "link", "main", "menu", "menuitem", "nav", "noframes", "ol", "optgroup",
	"option", "p", "param", "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead",
	"title", "tr", "track", "ul",
}

// maxTag bounds how much of a line is lowered to look a tag up.
const maxTag = len("blockquote")

// endsAtBlank tells whether a blank line ends the block.
func (k htmlKind) endsAtBlank() bool { return k >= htmlTag }

// endsWith tells whether the line is the last one of the block.
func (k htmlKind) endsWith(line string) bool {
	switch k {
	case htmlRaw:
		return closesRawTag(line)
	case htmlComment:
		return strings.Contains(line, "-->")
	case htmlProcess:
		return strings.Contains(line, "?>")
	case htmlDeclare:
		return strings.IndexByte(line, '>') >= 0
	case htmlCDATA:
		return strings.Contains(line, "]]>")
	}
	return false
}

func closesRawTag(line string) bool {
	for {
		i := strings.Index(line, "</")
		if i < 0 {
			return false
		}
		line = line[i+2:]
		if name := tagName(line); isTag(rawTags, name) && strings.HasPrefix(line[len(name):], ">") {
			return true
		}
	}
}

// openHTML opens an HTML block.
func (s *scanner) openHTML() opened {
	kind := htmlStart(s.rest())
	// A tag that is not block-level cannot interrupt a paragraph, not even a lazy one.
	if kind == noHTML || (kind == htmlAnyTag && s.leaf == paragraph) {
		return nothing
	}
	s.open()
	s.leaf, s.htmlEnd = htmlBlock, kind
	s.addHTML()
	return consumed
}

// addHTML adds the line to the open HTML block.
func (s *scanner) addHTML() {
	s.isProse = false
	if s.htmlEnd.endsWith(s.text[s.pos:s.end]) {
		s.leaf = noLeaf
	}
}

// htmlStart returns the kind of HTML block that a line beginning with < opens.
func htmlStart(line string) htmlKind {
	rest := line[1:]
	switch {
	case strings.HasPrefix(rest, "!--"):
		return htmlComment
	case strings.HasPrefix(rest, "?"):
		return htmlProcess
	case strings.HasPrefix(rest, "![CDATA["):
		return htmlCDATA
	case len(rest) > 1 && rest[0] == '!' && isLetter(rest[1]):
		return htmlDeclare
	}
	rest, closing := strings.CutPrefix(rest, "/")
	name := tagName(rest)
	after := rest[len(name):]
	ends := after == "" || isHTMLSpace(after[0]) || after[0] == '>'
	switch {
	case !closing && ends && isTag(rawTags, name):
		return htmlRaw
	case (ends || strings.HasPrefix(after, "/>")) && isTag(blockTags, name):
		return htmlTag
	case name == "":
		return noHTML
	case !closing:
		after = strings.TrimPrefix(strings.TrimLeft(skipAttributes(after), htmlSpace), "/")
	}
	if endsTag(after) {
		return htmlAnyTag
	}
	return noHTML
}

// tagName returns the tag name at the beginning of a text.
func tagName(text string) string {
	if text == "" || !isLetter(text[0]) {
		return ""
	}
	n := 1
	for n < len(text) && (isLetter(text[n]) || isDigit(text[n]) || text[n] == '-') {
		n++
	}
	return text[:n]
}

func isTag(tags []string, name string) bool {
	if name == "" || len(name) > maxTag {
		return false
	}
	_, found := slices.BinarySearch(tags, strings.ToLower(name))
	return found
}

// endsTag tells whether the end of a tag is all that is left of the line.
func endsTag(text string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, htmlSpace), ">")
	return ok && strings.Trim(rest, htmlSpace) == ""
}

// skipAttributes returns what follows the attributes of a tag.
func skipAttributes(text string) string {
	for {
		rest := strings.TrimLeft(text, htmlSpace)
		if len(rest) == len(text) || rest == "" || !startsAttribute(rest[0]) {
			return text
		}
		n := 1
		for n < len(rest) && (startsAttribute(rest[n]) || isDigit(rest[n]) || rest[n] == '.' || rest[n] == '-') {
			n++
		}
		text = rest[n:]
		if value, ok := strings.CutPrefix(strings.TrimLeft(text, htmlSpace), "="); ok {
			after, ok := skipValue(strings.TrimLeft(value, htmlSpace))
			if !ok {
				return text
			}
			text = after
		}
	}
}

// skipValue returns what follows an attribute's value.
func skipValue(text string) (string, bool) {
	if text == "" {
		return "", false
	}
	if q := text[0]; q == '"' || q == '\'' {
		end := strings.IndexByte(text[1:], q)
		if end < 0 {
			return "", false
		}
		return text[end+2:], true
	}
	n := 0
	for n < len(text) && text[n] > ' ' && strings.IndexByte("\"'=<>`", text[n]) < 0 {
		n++
	}
	return text[n:], n > 0
}

const htmlSpace = " \t\v\f\r\n"

func isHTMLSpace(c byte) bool { return strings.IndexByte(htmlSpace, c) >= 0 }
func isLetter(c byte) bool    { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool     { return c >= '0' && c <= '9' }

func startsAttribute(c byte) bool { return isLetter(c) || c == '_' || c == ':' }
