package figure

import "math"

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

// Stack is a bar of shares, each with its label where it fits.
func Stack(label string, width float64, shares []Share) string {
	const height = 21.0
	total := 0.0
	for _, s := range shares {
		total += s.Value
	}
	c := new(canvas)
	c.add(`<svg class="stack" viewBox="0 0 `, width, ` `, height, `" role="img" aria-label="`, escape(label), `">`)
	x := 0.0
	for _, s := range shares {
		w := width * s.Value / math.Max(total, 1e-9)
		c.add(`<rect class="`, s.Class, `" x="`, x, `" y="0" width="`, math.Max(0, w-1.5), `" height="`, height, `" rx="2"/>`)
		if text := s.Label + " " + Percent(s.Value); float64(cells(text))*7.8+12 < w {
			c.text(x+6, 15, 12, "on-"+s.Class, "", text)
		}
		x += w
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
