package figure

import (
	"math"
	"strings"
)

// Bar is a credence with a dot for what each agent says: the row of a slate.
func Bar(label string, pooled float64, agents []Curve) string {
	const width, height, inset = 118.0, 18.0, 6.0
	x := func(p float64) float64 { return inset + (width-2*inset)*p }
	c := new(canvas)
	c.add(`<svg class="bar-of" viewBox="0 0 `, width, ` `, height, `" width="`, width, `" height="`, height, `" role="img" aria-label="`,
		escape(label), `">`)
	c.add(`<rect class="track" x="`, inset, `" y="4" width="`, width-2*inset, `" height="10" rx="4"/>`)
	c.add(`<rect class="pooled" x="`, inset, `" y="4" width="`, math.Max(1, (width-2*inset)*pooled), `" height="10" rx="3"/>`)
	for _, a := range agents {
		if n := len(a.Points); n > 0 {
			c.add(`<g class="`, agentClass(a.By), `">`)
			c.disc(a.By, x(a.Points[n-1].Value), height/2, 4.6, "")
			c.add(`</g>`)
		}
	}
	c.add(`</svg>`)
	return c.String()
}

// Spark is the curve of a credence without axes; top is the value at its upper edge, the same for all that
// are compared. It is decoration: the numbers are beside it.
func Spark(pool []Point, messages int, versions []Version, top float64, end int) string {
	const width, height = 112.0, 40.0
	f := frame{Panel: Panel{Messages: messages, Max: top, Pool: pool, End: end}, left: 3, right: width - 6, top: 3, bottom: height - 6}
	c := new(canvas)
	c.add(`<svg class="spark" viewBox="0 0 `, width, ` `, height, `" width="`, width, `" height="`, height, `" aria-hidden="true">`)
	c.line("grid", f.left, f.bottom, f.right, f.bottom)
	for _, v := range versions {
		c.line("tick", f.x(v.At), f.bottom, f.x(v.At), f.bottom+3)
	}
	f.curves(c)
	c.add(`</svg>`)
	return c.String()
}

// Share is a part of a stacked bar.
type Share struct {
	Label string
	Value float64
	Class string
}

// Stack is a bar of shares, in the shades of their worlds, that sums to the whole; percents are what is written of each. What is too narrow
// for its words is named right below.
func Stack(label string, width float64, shares []Share, percents []string) string {
	const height, low = 21.0, 36.0
	total := 0.0
	for _, s := range shares {
		total += s.Value
	}
	bars, rest, x := new(canvas), []string{}, 0.0
	for i, s := range shares {
		w, shade := width*s.Value/math.Max(total, 1e-9), Shade(s.Label)
		bars.add(`<rect class="`, shade, `" x="`, x, `" y="0" width="`, math.Max(0, w-2), `" height="`, height, `" rx="2"/>`)
		text := name(s.Label) + " " + percents[i]
		fits := float64(cells(text))*7.8+14 < w
		if shade == "shade0" {
			bars.add(`<rect x="`, x, `" y="0" width="`, math.Max(0, w-2), `" height="`, height, `" rx="2" fill="url(#hatched)"/>`)
			if fits {
				bars.add(`<rect class="shade0" x="`, x+3, `" y="3" width="`, float64(cells(text))*7.8+6, `" height="15" rx="2"/>`)
			}
		}
		if fits {
			bars.text(x+6, 15, 12, "m on-"+shade, "", text)
		} else {
			rest = append(rest, text)
		}
		x += w
	}
	c, tall := new(canvas), height
	if len(rest) > 0 {
		tall = low
	}
	c.add(`<svg class="stack" viewBox="0 0 `, width, ` `, tall, `" role="img" aria-label="`, escape(label), `">`, bars.String())
	if len(rest) > 0 {
		c.text(width-2, 33, 11.5, "d", "end", strings.Join(rest, " · "))
	}
	c.add(`</svg>`)
	return c.String()
}

// Proportions is a thin bar of shares without words: they are beside it.
func Proportions(shares []Share) string {
	const width, height = 240.0, 13.0
	total := 0.0
	for _, s := range shares {
		total += s.Value
	}
	c := new(canvas)
	c.add(`<svg class="proportions" viewBox="0 0 `, width, ` `, height, `" width="`, width, `" height="`, height, `" aria-hidden="true">`)
	x := 0.0
	for _, s := range shares {
		w := (width - 2) * s.Value / math.Max(total, 1e-9)
		if w > 0 {
			c.add(`<rect class="`, s.Class, `" x="`, 1+x, `" y="1" width="`, w, `" height="`, height-2, `"/>`)
		}
		x += w
	}
	c.add(`</svg>`)
	return c.String()
}

// alike is how far agents may differ and still be said to be alike: their dots would touch.
const alike = 0.045

// Spread is the belief in one world on an axis from 0 to top, with a dot below it for what each agent says.
func Spread(label, id string, pooled, top float64, agents []Curve) string {
	const width, height, line, inset = 172.0, 34.0, 14.0, 4.0
	x := func(p float64) float64 { return inset + width*math.Min(1, p/top) }
	c := new(canvas)
	c.add(`<svg class="spread" viewBox="0 0 `, width+2*inset, ` `, height, `" width="`, width+2*inset, `" height="`, height,
		`" role="img" aria-label="`, escape(label), `">`)
	c.add(`<rect class="track" x="`, inset, `" y="1" width="`, width, `" height="`, line-2, `"/>`)
	c.add(`<rect class="`, Shade(id), `" x="`, inset, `" y="1" width="`, math.Max(1.5, x(pooled)-inset), `" height="`, line-2, `"/>`)
	if Shade(id) == "shade0" {
		c.add(`<rect x="`, inset, `" y="1" width="`, math.Max(1.5, x(pooled)-inset), `" height="`, line-2, `" fill="url(#hatched)"/>`)
	}
	for third := 1.0; third < 3; third++ {
		c.line("grid", inset+width*third/3, 1, inset+width*third/3, line-1)
	}
	dots(c, agents, x, line)
	c.add(`</svg>`)
	return c.String()
}

func dots(c *canvas, agents []Curve, x func(float64) float64, line float64) {
	low, high := 1.0, 0.0
	for _, a := range agents {
		last := a.Points[len(a.Points)-1].Value
		low, high = math.Min(low, last), math.Max(high, last)
	}
	if len(agents) > 1 && high-low <= alike {
		at := math.Min(x((low+high)/2), 100)
		c.add(`<circle class="alike" cx="`, math.Max(at, 4), `" cy="`, line+9, `" r="4"/>`)
		c.text(math.Max(at, 4)+8, line+13, 11.5, "d", "", "all alike")
		return
	}
	level := map[int]float64{}
	for _, a := range agents {
		at := x(a.Points[len(a.Points)-1].Value)
		slot := int(at / 8)
		c.add(`<g class="`, agentClass(a.By), `">`)
		c.disc(a.By, at, line+6+7*level[slot], 3.8, "")
		c.add(`</g>`)
		level[slot]++
	}
}

// Weight is a bar from the middle: to the right what speaks for, to the left, hatched, what speaks against. It reaches five bits either
// way,
// and is decoration: the number is beside it.
func Weight(bits float64) string {
	const width, height, reach = 88.0, 14.0, 5.0
	c := new(canvas)
	c.add(`<svg class="weight" viewBox="0 0 `, width, ` `, height, `" width="`, width, `" height="`, height, `" aria-hidden="true">`)
	long := math.Max(1, width/2*math.Min(1, math.Abs(bits)/reach))
	if bits >= 0 {
		c.add(`<rect class="for" x="`, width/2, `" y="2" width="`, long, `" height="10"/>`)
	} else {
		c.add(`<rect class="against" x="`, width/2-long, `" y="2" width="`, long, `" height="10"/><rect x="`, width/2-long,
			`" y="2" width="`, long, `" height="10" fill="url(#hatched)"/>`)
	}
	c.line("tick", width/2, 0, width/2, height)
	c.add(`</svg>`)
	return c.String()
}
