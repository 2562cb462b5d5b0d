package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// layout is where things are in one drawing of life-lines.
type layout struct {
	Lifelines
	id            string
	width         float64
	left, right   float64 // of the messages
	top           float64
	full          float64 // height of a credence of 1
	radius        float64 // of an author's mark
	narrow        bool
	centres       []float64
	bottoms       []float64
	bottom        float64
	first         int
	perMessage    float64
	nameWidth     int
	lettersOfKill float64 // width of a letter of the reason of a kill
}

// Wide draws the life-lines for a screen or a sheet of paper. The id keeps its labels apart from others on the page.
func (f Lifelines) Wide(id string) string {
	l := &layout{Lifelines: f, id: id, width: 1216, left: 227, right: 1110, top: 52, full: 104, radius: 9.5, nameWidth: 20,
		lettersOfKill: 6.6}
	return l.draw()
}

// Narrow draws them for a phone: names above the lanes, one initial, short reasons.
func (f Lifelines) Narrow(id string) string {
	l := &layout{Lifelines: f, id: id, width: 334, left: 14, right: 318, top: 40, full: 64, radius: 6.5, nameWidth: 36, lettersOfKill: 6.2,
		narrow: true}
	return l.draw()
}

func (l *layout) draw() string {
	l.place()
	c := new(canvas)
	c.add(`<svg viewBox="0 0 `, l.width, ` `, l.bottom+40, `" role="group" aria-labelledby="`, l.id, `-t" aria-describedby="`, l.id, `-d">`)
	c.add(`<title id="`, l.id, `-t">`, escape(l.title()), `</title><desc id="`, l.id, `-d">`, escape(l.describe()), `</desc>`)
	l.drawVersions(c)
	l.drawResultLines(c)
	for i, lane := range l.Lanes {
		l.drawLane(c, i, lane)
	}
	for _, m := range l.marks() {
		m.draw(c)
	}
	c.add(`</svg>`)
	return c.String()
}

// place gives every lane the height of its widest ribbon, with room for pins above and, on a phone, the name.
func (l *layout) place() {
	l.first = l.begin()
	l.perMessage = (l.right - l.left) / math.Max(1, float64(l.Messages-l.first))
	y := l.top
	for i, lane := range l.Lanes {
		widest := 0.0
		for _, p := range lane.Pool {
			widest = math.Max(widest, l.half(p.Value))
		}
		above, below := 16.0, 16.0
		if len(lane.Attacks) > 0 {
			above = 12 + 20*float64(1+l.pinLevels(i))
		}
		if l.narrow {
			above += 20
		}
		if lane.Killed != nil && !l.killBeside(lane) {
			below += 18
		}
		minimum := 30.0
		l.centres = append(l.centres, y+above+math.Max(widest, minimum/2))
		y += above + 2*math.Max(widest, minimum/2) + below
		l.bottoms = append(l.bottoms, y)
	}
	l.bottom = y
}

// begin is the message at the left edge: the first that a lane knows of. Kickoffs before it leave no mark.
func (l *layout) begin() int {
	first := l.Messages
	for _, lane := range l.Lanes {
		if len(lane.Pool) > 0 {
			first = min(first, lane.Pool[0].At)
		}
	}
	return max(1, first)
}

func (l *layout) x(at int) float64 { return l.left + float64(max(at, l.first)-l.first)*l.perMessage }

// half is half the height of a ribbon; nothing alive is thinner than three pixels.
func (l *layout) half(p float64) float64 { return math.Max(1.5, p*l.full/2) }

func (l *layout) drawVersions(c *canvas) {
	start := math.Max(l.left-l.perMessage/2, l.left-20)
	labels, day := l.labels(), "" // a day is said once
	for i, v := range l.Versions {
		x := l.x(v.At)
		if i%2 == 0 {
			c.add(`<rect class="band" x="`, start, `" y="`, l.top, `" width="`, math.Max(0, x-start), `" height="`, l.bottom-l.top, `"/>`)
		}
		c.line("vline", x, l.top, x, l.bottom)
		if labels[i] {
			c.text(x, l.bottom+18, 12.5, "m d", "middle", fmt.Sprint("v", v.Number))
			if !l.narrow && v.Day != day {
				c.text(x, l.bottom+33, 11.5, "d", "middle", v.Day)
				day = v.Day
			}
		}
		start = x
	}
	if last := len(l.Versions); last == 0 || l.x(l.Messages)-l.x(l.Versions[last-1].At) > 50 {
		c.text(l.right, l.bottom+18, 12.5, "d", "end", "now")
	}
}

// labels returns which versions have room for a label. The last one always has; others are dropped from the
// right, and above twenty only every fifth is wanted.
func (l *layout) labels() map[int]bool {
	const room = 44
	labels := make(map[int]bool)
	free := math.Inf(1)
	for i, v := range slices.Backward(l.Versions) {
		wanted := len(l.Versions) <= 20 || v.Number%5 == 0 || i == len(l.Versions)-1
		if x := l.x(v.At); wanted && x <= free {
			labels[i], free = true, x-room
		}
	}
	return labels
}

// maxSpelledOut is how many results have room for their outcomes; of more, all are named alike.
const maxSpelledOut = 4

// drawResultLines draws a dotted line through the lanes that were alive, with a flag where there is room.
func (l *layout) drawResultLines(c *canvas) {
	free := [2]float64{math.Inf(-1), math.Inf(-1)} // right end of the labels in two rows
	for _, r := range l.Results {
		x := l.x(r.At)
		bottom := l.top
		for i, lane := range l.Lanes {
			if lane.Killed == nil || lane.Killed.At >= r.At {
				bottom = l.bottoms[i]
			}
		}
		c.line("resline", x, l.top-14, x, bottom)
		label := r.Test
		if !l.narrow && r.Outcome != "" && len(l.Results) <= maxSpelledOut {
			label += " found: " + shorten(r.Outcome, 34)
		}
		l.flag(c, &free, r, x, label)
	}
}

func (l *layout) flag(c *canvas, free *[2]float64, r Result, x float64, label string) {
	for row := range free {
		for _, text := range []string{label, r.Test} {
			half := float64(cells(text)) * 3.4
			at := math.Min(math.Max(x, half), l.width-half)
			if at-half < free[row]+8 {
				continue
			}
			free[row] = at + half
			c.linked(r.Href, "flag", r.Test+" found: "+r.Outcome, func() {
				c.text(at, l.top-20-16*float64(row), 12.5, "halo", "middle", text)
			})
			return
		}
	}
}

func (l *layout) drawLane(c *canvas, i int, lane Lane) {
	c.line("rail", 0, l.bottoms[i], l.width, l.bottoms[i])
	if len(lane.Pool) > 0 {
		class := "rib"
		switch {
		case lane.Killed != nil:
			class = "rib dead"
		case lane.Leads:
			class = "rib lead"
		}
		c.add(`<path class="`, class, `" d="`, l.ribbon(lane, l.centres[i]), `"/>`)
	}
	l.drawName(c, i, lane)
}

func (l *layout) drawName(c *canvas, i int, lane Lane) {
	id, name := "m acc", "s"
	if lane.Killed != nil {
		id, name = "m d", "s d"
	}
	c.add(`<a href="`, escape(lane.Href), `"><title>`, escape(lane.ID+" "+lane.Name), `</title>`)
	x, y := 0.0, l.centres[i]-4
	if l.narrow {
		x, y = 4, l.top+14
		if i > 0 {
			y = l.bottoms[i-1] + 16
		}
	}
	c.text(x, y, 14, id, "", lane.ID)
	lines := 2
	if l.narrow {
		lines = 1
	}
	for n, line := range wrap(lane.Name, l.nameWidth, lines) {
		c.text(x+30, y+17*float64(n), 14.5, name, "", line)
	}
	c.add(`</a>`)
	if lane.Killed == nil && len(lane.Pool) > 0 {
		value := Percent(valueAt(lane.Pool, l.Messages))
		if l.narrow {
			c.text(l.width-4, y, 15, "s", "end", value)
		} else {
			c.text(l.right+19, l.centres[i]+8, 25, "s", "", value)
		}
	}
}

// marks collects the signs of all lanes in the order of the log, so that Tab follows it.
func (l *layout) marks() []mark {
	var marks []mark
	for i, lane := range l.Lanes {
		marks = append(marks, l.verdicts(i, lane)...)
		marks = append(marks, l.pins(i, lane)...)
		marks = append(marks, l.discs(i, lane)...)
		if lane.Killed != nil {
			marks = append(marks, mark{lane.Killed.At, i, func(c *canvas) { l.drawKill(c, i, lane) }})
		}
	}
	slices.SortStableFunc(marks, func(a, b mark) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.lane, b.lane)) })
	return marks
}
