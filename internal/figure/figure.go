// Package figure draws the pictures of a session as SVG: life-lines, curves of belief, bars. It is
// pure: numbers and texts come in, markup goes out. Colours are left to the style sheet; the classes
// are a0 … a6 for who (a0: a person), and names of things for what.
//
// One channel has one meaning: width and height are belief, the class of an agent is who, the shape is
// what happened.
package figure

import (
	"html"
	"strconv"
	"strings"
)

// Agent is an author of marks.
type Agent struct {
	Name     string
	Initials string
	Hue      int // 1 … 6; 0 is a person, drawn as a square
}

// Point is a value from a message on.
type Point struct {
	At    int // position of the message in the thread, from 1
	Value float64
}

// Version is a published version.
type Version struct {
	Number int
	At     int    // position of its COMPILED message
	Day    string // as it is printed below the axis
}

// valueAt returns the value that holds at a message, 0 before the first.
func valueAt(points []Point, at int) float64 {
	value := 0.0
	for _, p := range points {
		if p.At > at {
			break
		}
		value = p.Value
	}
	return value
}

// canvas collects markup.
type canvas struct{ strings.Builder }

// add writes markup made of literal pieces and numbers. Text from outside goes through text or escape.
func (c *canvas) add(pieces ...any) {
	for _, piece := range pieces {
		switch p := piece.(type) {
		case string:
			c.WriteString(p)
		case float64:
			c.WriteString(number(p))
		case int:
			c.WriteString(strconv.Itoa(p))
		}
	}
}

// text writes a line of text.
func (c *canvas) text(x, y, size float64, class, anchor, text string) {
	c.add(`<text`)
	if class != "" {
		c.add(` class="`, class, `"`)
	}
	c.add(` x="`, x, `" y="`, y, `" font-size="`, size, `"`)
	if anchor != "" {
		c.add(` text-anchor="`, anchor, `"`)
	}
	c.add(`>`, escape(text), `</text>`)
}

func (c *canvas) line(class string, x1, y1, x2, y2 float64) {
	c.add(`<line class="`, class, `" x1="`, x1, `" y1="`, y1, `" x2="`, x2, `" y2="`, y2, `"/>`)
}

// linked writes marks that lead to a message. Their title is their name: initials alone say too little.
func (c *canvas) linked(href, class, title string, draw func()) {
	c.add(`<a href="`, escape(href), `" class="`, class, `"><title>`, escape(title), `</title>`)
	draw()
	c.add(`</a>`)
}

// disc writes an agent's mark: round for programs, square for people.
func (c *canvas) disc(agent Agent, x, y, r float64, text string) {
	if agent.Hue == 0 {
		c.add(`<rect class="ad" x="`, x-r, `" y="`, y-r, `" width="`, 2*r, `" height="`, 2*r, `" rx="3"/>`)
	} else {
		c.add(`<circle class="ad" cx="`, x, `" cy="`, y, `" r="`, r, `"/>`)
	}
	if text != "" {
		c.text(x, y+r*0.33, r*0.92, "at", "middle", text)
	}
}

func agentClass(a Agent) string { return "a" + strconv.Itoa(a.Hue) }

// escape writes text from outside. Characters that no XML may hold, and those that turn the direction of what
// follows, are shown as missing ones.
func escape(text string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		switch {
		case r < 0x20, r >= 0x7f && r < 0xa0, r >= 0xfffe && r <= 0xffff, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return '\ufffd'
		}
		return r
	}, text))
}

// number prints coordinates with one decimal, which is finer than a screen shows.
func number(f float64) string {
	text := strconv.FormatFloat(f, 'f', 1, 64)
	return strings.TrimSuffix(text, ".0")
}

// Percent prints a credence as people read it.
func Percent(p float64) string {
	switch {
	case p > 0 && p < 0.005:
		return "<1 %"
	case p < 1 && p > 0.995:
		return ">99 %"
	}
	return strconv.FormatFloat(100*p, 'f', 0, 64) + " %"
}
