package markup

// cursor moves through one line, counting columns as CommonMark does: tabs stop at every
// fourth column, and a container may consume a part of a tab.
type cursor struct {
	text  string
	start int // of the line
	end   int // of the line without its line ending
	after int // of the line with its line ending

	pos int // next byte
	col int // its column, from 0
	cut int // columns left of the tab at pos if a part of it is consumed

	next    int // first byte from pos on that is neither space nor tab; before pos if not looked for
	nextCol int // its column
}

// look finds the next byte that is not a space. Consuming spaces does not move it, so that
// deeply indented lines are walked once and not once for every container.
func (c *cursor) look() {
	if c.next >= c.pos {
		return
	}
	c.next, c.nextCol = c.pos, c.col
	if c.cut > 0 && c.next < c.end {
		c.next, c.nextCol = c.next+1, c.nextCol+c.cut
	}
	for c.next < c.end {
		switch c.text[c.next] {
		case ' ':
			c.nextCol++
		case '\t':
			c.nextCol += 4 - c.nextCol%4
		default:
			return
		}
		c.next++
	}
}

func (c *cursor) indent() int    { return c.nextCol - c.col }
func (c *cursor) indented() bool { return c.indent() >= 4 }
func (c *cursor) blank() bool    { return c.next >= c.end }
func (c *cursor) rest() string   { return c.text[c.next:c.end] }
func (c *cursor) char() byte     { return c.text[c.next] } // only if the line is not blank

// skipIndent consumes all spaces.
func (c *cursor) skipIndent() { c.pos, c.col, c.cut = c.next, c.nextCol, 0 }

// skipBytes consumes bytes that are not tabs.
func (c *cursor) skipBytes(n int) { c.pos, c.col, c.cut = c.pos+n, c.col+n, 0 }

// skipColumns consumes up to n columns of spaces and tabs.
func (c *cursor) skipColumns(n int) {
	for n > 0 && c.pos < c.end {
		switch c.text[c.pos] {
		case ' ':
			c.pos, c.col, n = c.pos+1, c.col+1, n-1
		case '\t':
			left := c.cut
			if left == 0 {
				left = 4 - c.col%4
			}
			took := min(left, n)
			c.col, n, c.cut = c.col+took, n-took, left-took
			if c.cut == 0 {
				c.pos++
			}
		default:
			return
		}
	}
}

// line returns what is left of the line with its line ending; a cut tab becomes spaces.
func (c *cursor) line() contentLine {
	if c.cut > 0 {
		return contentLine{c.cut, c.pos + 1, c.after}
	}
	return contentLine{0, c.pos, c.after}
}
