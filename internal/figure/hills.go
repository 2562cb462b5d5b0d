package figure

import "math"

// Hills is what agents expect a measurement to give: the shares of the worlds stacked over the range, cut where the answer turns.
type Hills struct {
	Label     string
	Low, High float64
	Unit      string
	Log       bool
	IDs       []string    // of the worlds, the lowest first
	Parts     [][]float64 // by world, then by cell
	Cuts      []float64
}

// Draw draws the hills.
func (h Hills) Draw() string { return h.draw(560) }

// Narrow draws them for a phone.
func (h Hills) Narrow() string { return h.draw(330) }

func (h Hills) draw(width float64) string {
	const height, top, bottom, left = 190.0, 24.0, 160.0, 8.0
	right := width - left
	axis := Forest{Low: h.Low, High: h.High, Unit: h.Unit, Log: h.Log}
	x := func(v float64) float64 { return left + (right-left)*(v-h.Low)/math.Max(h.High-h.Low, 1e-300) }
	cells := len(h.Parts[0])
	at := func(o int) float64 { return left + (right-left)*(float64(o)+0.5)/float64(cells) }
	most, below := 0.0, make([]float64, cells)
	for o := range cells {
		sum := 0.0
		for _, part := range h.Parts {
			sum += part[o]
		}
		most = math.Max(most, sum)
	}
	y := func(v float64) float64 { return bottom - (bottom-top)*v/math.Max(most, 1e-300) }
	c := new(canvas)
	c.add(`<svg class="hills" viewBox="0 0 `, width, ` `, height, `" role="img" aria-label="`, escape(h.Label), `">`)
	for w, part := range h.Parts {
		class, peak := Shade(h.IDs[w]), 0
		c.add(`<path class="`, class, ` hill" d="M`)
		for o := range cells {
			c.add(at(o), ` `, y(below[o]+part[o]), ` L`)
			if part[o] > part[peak] {
				peak = o
			}
		}
		middle := y(below[peak] + part[peak]/2)
		tall := y(below[peak]) - y(below[peak]+part[peak])
		for o := cells - 1; o >= 0; o-- {
			c.add(at(o), ` `, y(below[o]))
			if o > 0 {
				c.add(` L`)
			}
			below[o] += part[o]
		}
		c.add(`Z"/>`)
		if tall > 16 {
			c.text(at(peak), middle+4, 12, "m on-"+class, "middle", name(h.IDs[w]))
		}
	}
	for _, cut := range h.Cuts {
		c.line("resline", x(cut), top-12, x(cut), bottom)
	}
	c.line("tick", left, bottom, right, bottom)
	for _, t := range axis.ticks() {
		c.line("tick", x(t.Value), bottom, x(t.Value), bottom+4)
		c.text(math.Min(math.Max(x(t.Value), left+12), right-12), bottom+18, 12, "d", "middle", t.Label)
	}
	c.add(`</svg>`)
	return c.String()
}

// name is how a world is named in a picture.
func name(id string) string {
	if Shade(id) == "shade0" {
		return "∅"
	}
	return id
}
