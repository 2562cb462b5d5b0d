package figure

import (
	"cmp"
	"math"
	"slices"
)

// Curve is a value over the messages of a thread.
type Curve struct {
	By     Agent
	Points []Point
}

// Panel shows one explanation: the pool, each agent's own credence, and the results on the way.
type Panel struct {
	Label    string // what a reader is told instead of the picture
	Messages int
	Versions []Version
	Results  []Result
	Pool     []Point
	Agents   []Curve
	End      int // the message after which there is nothing; 0: it goes on
	Max      float64
	Ticks    []Tick
}

// Tick is a labelled value of the vertical axis.
type Tick struct {
	Value float64
	Label string
}

// PercentTicks are the axis of a credence.
var PercentTicks = []Tick{{0, "0"}, {0.25, "25"}, {0.5, "50"}, {0.75, "75"}, {1, "100"}}

// frame is the inside of a panel.
type frame struct {
	Panel
	left, right, top, bottom float64
	font                     float64
}

// Large draws the panel with the agents' marks and numbers at its right.
func (p Panel) Large() string {
	f := frame{p, 34, 362, 22, 316, 12}
	c := f.begin(440, 340)
	free := math.Inf(-1)
	for _, r := range p.Results {
		if x := f.x(r.At); x >= free {
			c.text(x, 16, 12, "m", "middle", r.Test)
			free = x + 8*float64(cells(r.Test)) + 6
		}
	}
	f.axis(c, 1)
	f.curves(c)
	f.endMarks(c)
	c.add(`</svg>`)
	return c.String()
}

// Small draws one of several panels that are compared.
func (p Panel) Small() string {
	f := frame{p, 28, 212, 8, 124, 11.5}
	c := f.begin(240, 142)
	f.axis(c, 2)
	f.curves(c)
	c.add(`</svg>`)
	return c.String()
}

func (f frame) x(at int) float64 {
	return f.left + (f.right-f.left)*float64(at-1)/math.Max(1, float64(f.Messages-1))
}

func (f frame) y(value float64) float64 {
	return f.bottom - (f.bottom-f.top)*math.Min(1, value/f.Max)
}

func (f frame) begin(width, height float64) *canvas {
	c := new(canvas)
	c.add(`<svg viewBox="0 0 `, width, ` `, height, `" role="img" aria-label="`, escape(f.Label), `">`)
	return c
}

// axis draws the grid, the versions and the results. Every nth label is left out.
func (f frame) axis(c *canvas, nth int) {
	for i, tick := range f.Ticks {
		if i%nth != 0 {
			continue
		}
		y := f.y(tick.Value)
		c.line("grid", f.left, y, f.right, y)
		c.text(f.left-5, y+3.5, f.font, "d", "end", tick.Label)
	}
	class := "resline"
	if len(f.Results) > maxSpelledOut {
		class = "resline faint"
	}
	for _, r := range f.Results {
		c.line(class, f.x(r.At), f.top, f.x(r.At), f.bottom)
	}
	free := math.Inf(-1)
	for _, v := range f.Versions {
		x := f.x(v.At)
		c.line("vline", x, f.bottom, x, f.bottom+4)
		if x >= free {
			c.text(x, f.bottom+16, f.font, "d m", "middle", "v"+number(float64(v.Number)))
			free = x + 30
		}
	}
}

func (f frame) curves(c *canvas) {
	end, dead := f.right, ""
	if f.End > 0 {
		end, dead = f.x(f.End), " dead"
	}
	if len(f.Pool) == 0 {
		return
	}
	line := f.path(f.Pool, end)
	start := f.x(f.Pool[0].At)
	c.add(`<path class="parea`, dead, `" d="`, line, `L`, end, ` `, f.bottom, `L`, start, ` `, f.bottom, `Z"/>`)
	for i, a := range f.Agents {
		if len(a.Points) > 0 {
			c.add(`<path class="al d`, i%4, ` `, agentClass(a.By), `" d="`, f.path(a.Points, end), `"/>`)
		}
	}
	c.add(`<path class="pool`, dead, `" d="`, line, `"/>`)
	if f.End > 0 {
		y := f.y(valueAt(f.Pool, f.End-1))
		c.add(`<path class="kx" d="M`, end-5, ` `, y-5, `L`, end+5, ` `, y+5, `M`, end+5, ` `, y-5, `L`, end-5, ` `, y+5, `"/>`)
		return
	}
	c.add(`<circle class="now" cx="`, end, `" cy="`, f.y(f.Pool[len(f.Pool)-1].Value), `" r="5"/>`)
}

// roundedFrom is how wide a message is drawn, at least, for the roundness of a step to be seen.
const roundedFrom = 3.0

// path is a line of steps, rounded over half a message at most.
func (f frame) path(points []Point, end float64) string {
	c := new(canvas)
	per := (f.right - f.left) / math.Max(1, float64(f.Messages-1))
	last := f.x(points[0].At)
	c.add(`M`, last, ` `, f.y(points[0].Value))
	for i, p := range points[1:] {
		x, before, after := f.x(p.At), f.y(points[i].Value), f.y(p.Value)
		if x > end {
			break
		}
		if per < roundedFrom {
			c.add(`H`, x, `V`, after)
			last = x
			continue
		}
		round := min(per*0.5, (x-last)/2, end-x)
		c.add(`L`, x-round, ` `, before, `C`, x, ` `, before, ` `, x, ` `, after, ` `, x+round, ` `, after)
		last = x
	}
	c.add(`L`, end, ` `, f.y(points[len(points)-1].Value))
	return c.String()
}

// endMarks puts each agent's mark and number beside the end of its line, none over another.
func (f frame) endMarks(c *canvas) {
	if f.End > 0 {
		return
	}
	type end struct {
		by    Agent
		value float64
		y     float64
	}
	var ends []end
	for _, a := range f.Agents {
		if n := len(a.Points); n > 0 {
			ends = append(ends, end{a.By, a.Points[n-1].Value, f.y(a.Points[n-1].Value)})
		}
	}
	slices.SortStableFunc(ends, func(a, b end) int { return cmp.Compare(a.y, b.y) })
	const apart = 17.0
	y := f.top - apart
	for i, e := range ends {
		room := f.bottom - apart*float64(len(ends)-1-i)
		y = math.Min(math.Max(e.y, y+apart), room)
		c.add(`<g class="`, agentClass(e.by), `">`)
		c.line("al", f.right, e.y, f.right+8, y)
		c.disc(e.by, f.right+16, y, 7.6, e.by.Initials)
		c.add(`</g>`)
		c.text(f.right+28, y+4, 12.5, "", "", Percent(e.value))
	}
}
