package figure

import (
	"fmt"
	"math"
	"strconv"
)

// Forest is one measurement against what each explanation expected of it. All numbers are on the scale of the quantity: logarithms to the
// base of ten where Log is set.
type Forest struct {
	Label     string
	Low, High float64 // ends of the axis: what anybody holds possible
	Unit      string
	Log       bool
	Blank     bool // nothing was measured yet
	Found     Whisker
	Counted   bool // the result counts; else it is drawn hollow
	Again     []Whisker
	Gone      []Whisker     // replaced or withdrawn
	Bars      []Expectation // in the order of the slate
}

// Whisker is a value with its error.
type Whisker struct {
	X, Low, High float64
	Said         string
}

// Expectation is what an explanation expected.
type Expectation struct {
	ID             string
	Killed         bool
	Said           string
	Low, Mid, High float64
	Centred        bool // Mid is what it expected, not the middle of an interval
	Verdict        Verdict
	Z              *float64
}

// Apart is how far the value lies off, in standard errors; empty where nobody can say.
func (e Expectation) Apart() string {
	if e.Z == nil {
		return ""
	}
	return fmt.Sprintf("%.1f σ", *e.Z)
}

// The measures of a forest plot.
const (
	forestWidth = 288.0
	forestLeft  = 40.0
	forestRight = 222.0
	forestTop   = 28.0
	forestStep  = 17.0
	maxAgain    = 3 // replications, and what was replaced, that are drawn
)

// Draw draws the plot.
func (f Forest) Draw() string {
	c := new(canvas)
	extra := f.above()
	top := forestTop + extra
	bottom := top + forestStep*float64(len(f.Bars)) + 6
	c.add(`<svg class="forest" viewBox="0 0 `, forestWidth, ` `, bottom+24, `" width="`, forestWidth, `" height="`, bottom+24,
		`" role="img" aria-label="`, escape(f.Label), `">`)
	if !f.Blank {
		f.ground(c, top-6, bottom)
	}
	for i, bar := range f.Bars {
		f.bar(c, bar, top+forestStep*float64(i)+7)
	}
	if !f.Blank {
		f.value(c, top-12, bottom)
		f.others(c, top-26)
	}
	f.axis(c, bottom)
	c.add(`</svg>`)
	return c.String()
}

// above is the room for what stands above the value.
func (f Forest) above() float64 {
	return 14 * float64(min(len(f.Again), maxAgain)+min(len(f.Gone), maxAgain))
}

// x places a value; what lies outside the axis is at its end.
func (f Forest) x(v float64) float64 {
	share := (v - f.Low) / math.Max(f.High-f.Low, 1e-300)
	return forestLeft + (forestRight-forestLeft)*math.Min(1, math.Max(0, share))
}

// ground marks one and two errors around the value.
func (f Forest) ground(c *canvas, top, bottom float64) {
	v := f.Found
	for _, wide := range []float64{2, 1} {
		low, high := f.x(v.X-wide*(v.X-v.Low)), f.x(v.X+wide*(v.High-v.X))
		c.add(`<rect class="sigma`, int(wide), `" x="`, low, `" y="`, top, `" width="`, math.Max(1, high-low), `" height="`,
			bottom-top, `"/>`)
	}
}

func (f Forest) value(c *canvas, y, bottom float64) {
	class := "measured"
	if !f.Counted {
		class = "measured hollow"
	}
	c.line(class+" stem", f.x(f.Found.X), y, f.x(f.Found.X), bottom)
	f.whisker(c, class, f.Found, y)
}

func (f Forest) whisker(c *canvas, class string, v Whisker, y float64) {
	low, x, high := f.x(v.Low), f.x(v.X), f.x(v.High)
	c.line(class, low, y, high, y)
	c.line(class, low, y-4, low, y+4)
	c.line(class, high, y-4, high, y+4)
	c.add(`<path class="`, class, ` dot" d="M`, x, ` `, y-5, `L`, x+5, ` `, y, `L`, x, ` `, y+5, `L`, x-5, ` `, y, `Z"/>`)
}

// others draws replications, and what was replaced, above the value.
func (f Forest) others(c *canvas, y float64) {
	for _, v := range f.Again[:min(len(f.Again), maxAgain)] {
		f.whisker(c, "measured hollow", v, y)
		c.text(math.Min(f.x(v.High)+6, forestRight-20), y+4, 11.5, "d", "", "again")
		y -= 14
	}
	for _, v := range f.Gone[:min(len(f.Gone), maxAgain)] {
		x := f.x(v.X)
		c.line("measured gone", f.x(v.Low), y, f.x(v.High), y)
		c.add(`<path class="measured gone" d="M`, x-4, ` `, y-4, `L`, x+4, ` `, y+4, `M`, x-4, ` `, y+4, `L`, x+4, ` `, y-4, `"/>`)
		y -= 14
	}
}

func (f Forest) bar(c *canvas, e Expectation, y float64) {
	id, shade := "m", Shade(e.ID)
	if e.Killed {
		id, shade = "m struck", shade+" ended"
	}
	c.text(0, y+4, 12, id, "", e.ID)
	c.add(`<rect class="`, shade, ` expects" x="24" y="`, y-4.5, `" width="9" height="9" rx="2"/>`)
	c.line("grid", forestLeft-6, y, forestRight, y)
	low, high := f.x(e.Low), f.x(e.High)
	if high-low < 3 {
		low, high = (low+high)/2-1.5, (low+high)/2+1.5
	}
	c.add(`<rect class="`, shade, ` expects" x="`, low, `" y="`, y-4, `" width="`, high-low, `" height="8" rx="1.5"/>`)
	if e.Centred {
		c.line("centre", f.x(e.Mid), y-4, f.x(e.Mid), y+4)
	}
	if text := e.Apart(); text != "" {
		class := "d"
		switch e.Verdict {
		case AsExpected:
			c.text(forestRight+10, y+4, 12, "vt ok", "", AsExpected.Glyph())
		case Contradicted:
			class = "badt"
			c.text(forestRight+10, y+4, 12, "vt no", "", Contradicted.Glyph())
		}
		c.text(forestWidth-2, y+4, 12, class, "end", text)
	}
}

// axis draws three to six ticks.
func (f Forest) axis(c *canvas, y float64) {
	c.line("tick", forestLeft, y, forestRight, y)
	for _, t := range f.ticks() {
		x := f.x(t.Value)
		c.line("tick", x, y, x, y+4)
		c.text(x, y+17, 11.5, "d", "middle", t.Label)
	}
}

func (f Forest) ticks() []Tick {
	if f.Log {
		return f.decades()
	}
	step := roundStep((f.High - f.Low) / 4)
	var list []Tick
	for n := math.Ceil(f.Low/step - 1e-9); n*step <= f.High+step*1e-9; n++ {
		list = append(list, Tick{n * step, plain(n * step)})
	}
	return list
}

// roundStep is the least of 1, 2 and 5 times a power of ten that is not less.
func roundStep(least float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, factor := range []float64{1, 2, 5} {
		if factor*power >= least*(1-1e-9) {
			return factor * power
		}
	}
	return 10 * power
}

// decades are powers of ten in words that a person knows, so many that they do not touch.
func (f Forest) decades() []Tick {
	first, last := math.Ceil(f.Low-1e-9), math.Floor(f.High+1e-9)
	step := math.Max(1, math.Ceil((last-first)/3))
	var list []Tick
	for n := first; n <= last; n += step {
		list = append(list, Tick{n, f.told(math.Pow(10, n))})
	}
	return list
}

// told writes a value; seconds become what a person says for so many.
func (f Forest) told(x float64) string {
	if f.Unit != "s" || x < 100 {
		return plain(x)
	}
	for _, u := range []struct {
		seconds float64
		name    string
	}{{365.25 * 86400, "y"}, {86400, "d"}, {3600, "h"}, {60, "min"}} {
		if x >= u.seconds {
			return strconv.FormatFloat(x/u.seconds, 'g', 2, 64) + " " + u.name
		}
	}
	return plain(x)
}

// plain writes a number without noise behind it, with a minus that is one.
func plain(x float64) string {
	if math.Abs(x) < 1e-12 {
		return "0"
	}
	text := strconv.FormatFloat(math.Abs(x), 'g', 6, 64)
	if x < 0 {
		return "−" + text
	}
	return text
}

// shades is how many there are; the next explanation begins again.
const shades = 6

// Shade is the class of an explanation's shade: by its number, for life. None of these has shade0.
func Shade(id string) string {
	n := 0
	if len(id) > 1 {
		n, _ = strconv.Atoi(id[1:]) // none of these has no number
	}
	if n < 1 {
		return "shade0"
	}
	return "shade" + strconv.Itoa((n-1)%shades+1)
}
