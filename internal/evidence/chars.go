package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"brenner/internal/textnorm"
)

// char is a character of the normal form, with its place in the text.
type char struct {
	r          rune
	raised     bool // a superscript digit or sign
	start, end int
}

// chars reads a text in normal form, character by character (SCIENCE 1, the same text): NFKC, without invisible
// characters and emphasis, one quotation mark, one dash, subscripts folded, superscripts marked.
type chars struct {
	raw      string
	pos      int    // what was read
	ahead    []char // read, and not taken
	first    int    // of ahead
	sup      int    // where <sup> ends; 0: not in one
	emphasis emphasis
}

// peek returns the n-th character that follows; false at the end.
func (c *chars) peek(n int) (char, bool) {
	for len(c.ahead)-c.first <= n {
		if !c.read() {
			return char{}, false
		}
	}
	return c.ahead[c.first+n], true
}

func (c *chars) take() char {
	ch := c.ahead[c.first]
	c.first++
	if c.first == len(c.ahead) {
		c.ahead, c.first = c.ahead[:0], 0
	}
	return ch
}

// place is where the next character begins.
func (c *chars) place() int {
	if c.first < len(c.ahead) {
		return c.ahead[c.first].start
	}
	return c.pos
}

// read reads on until there is one more character; false at the end.
func (c *chars) read() bool {
	for n := len(c.ahead); len(c.ahead) == n; {
		if c.pos >= len(c.raw) {
			return false
		}
		c.step()
	}
	return true
}

func (c *chars) step() {
	if c.pos >= c.emphasis.end {
		c.emphasis.enter(c.raw, c.pos)
	}
	b := c.raw[c.pos]
	switch {
	case b == '*' || b == '_' || b == '`':
		c.run(b)
	case b == '<' && c.tag():
	case b < utf8.RuneSelf && !c.combines(c.pos+1):
		c.add(rune(b), c.pos+1)
	default:
		c.segment()
	}
}

// combines tells whether a mark at a place belongs to the character before it.
func (c *chars) combines(at int) bool {
	if at >= len(c.raw) || c.raw[at] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeRuneInString(c.raw[at:])
	return unicode.IsMark(r) && !invisible(r)
}

// add adds a character that ends at a place. Quotation marks become one, dashes too.
func (c *chars) add(r rune, end int) {
	raised := c.sup > c.pos && (r >= '0' && r <= '9' || r == '+' || dash(r))
	switch {
	case r == '\u2032': // a prime, or an apostrophe: the atom decides
	case quotationMark(r):
		r = '\''
	case dash(r):
		r = '-'
	case r == '\u223c':
		r = '~'
	}
	c.ahead = append(c.ahead, char{r, raised, c.pos, end})
	c.pos = end
}

// run reads a run of emphasis: it is dropped where it opens or closes something.
func (c *chars) run(b byte) {
	end := c.pos
	for end < len(c.raw) && c.raw[end] == b {
		end++
	}
	if c.emphasis.drops(c.raw, c.pos, end) {
		c.pos = end
		return
	}
	r := rune(b)
	if b == '`' { // LaTeX opens a quotation with it
		r = '\''
	}
	for c.pos < end {
		c.ahead = append(c.ahead, char{r, false, c.pos, c.pos + 1})
		c.pos++
	}
}

// maxRaised bounds what stands between <sup> and </sup>.
const maxRaised = 64

// tag drops <sup>, <sub> and their ends.
func (c *chars) tag() bool {
	rest := c.raw[c.pos:]
	for _, tag := range []string{"<sup>", "<sub>", "</sup>", "</sub>"} {
		if len(rest) < len(tag) || !strings.EqualFold(rest[:len(tag)], tag) {
			continue
		}
		if tag == "<sup>" {
			inside := rest[len(tag):min(len(rest), maxRaised)]
			i := strings.Index(strings.ToLower(inside), "</sup>")
			if i < 0 {
				return false
			}
			c.sup = c.pos + len(tag) + i
		}
		c.pos += len(tag)
		return true
	}
	return false
}

// segment reads a character that is not plain, with the marks that combine with it.
func (c *chars) segment() {
	r, size := utf8.DecodeRuneInString(c.raw[c.pos:])
	switch {
	case invisible(r):
		c.pos += size
		return
	case raises(r):
		plain, _ := superscript(r)
		c.ahead = append(c.ahead, char{plain, true, c.pos, c.pos + size})
		c.pos += size
		return
	case quotationMark(r) || dash(r): // before NFKC takes a spacing accent apart
		c.add(r, c.pos+size)
		return
	}
	if stable(r) && !c.combines(c.pos+size) {
		c.add(r, c.pos+size)
		return
	}
	text, n := textnorm.Segment(c.raw[c.pos:])
	start, end := c.pos, c.pos+n
	for _, r := range text {
		if invisible(r) {
			continue
		}
		c.pos = start
		c.add(r, end)
	}
	c.pos = end
}

// stable tells whether a letter of a common script is its own normal form. It leaves out what it does not know.
func stable(r rune) bool {
	switch {
	case r < 0x3041:
		return r >= 0xc0 && r <= 0x131 || r >= 0x391 && r <= 0x3a9 || r >= 0x3b1 && r <= 0x3c9 || r >= 0x410 && r <= 0x44f || r >= 0x5d0 &&
			r <= 0x5ea
	case r <= 0x30fa:
		return r <= 0x3096 || r >= 0x30a1
	}
	return r >= 0x4e00 && r <= 0x9fff
}

func raises(r rune) bool {
	_, ok := superscript(r)
	return ok
}

// superscript returns the digit or sign that a character raises.
func superscript(r rune) (rune, bool) {
	switch r {
	case '²', '³':
		return r - '²' + '2', true
	case '¹':
		return '1', true
	case '⁺':
		return '+', true
	case '⁻':
		return '-', true
	}
	if r == '⁰' || r >= '⁴' && r <= '⁹' {
		return r - '⁰' + '0', true
	}
	return 0, false
}
