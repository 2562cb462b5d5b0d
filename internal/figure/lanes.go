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

// Wide draws the life-lines for a large screen. The id keeps its labels apart from others on the page.
func (f Lifelines) Wide(id string) string {
	l := &layout{Lifelines: f, id: id, width: 1216, left: 232, right: 1134, top: 58, full: 84, radius: 8.5, nameWidth: 23,
		lettersOfKill: 6.6}
	return l.draw()
}

// Medium draws them for a small screen or a sheet of paper, with letters that can be read there.
func (f Lifelines) Medium(id string) string {
	l := &layout{Lifelines: f, id: id, width: 760, left: 182, right: 684, top: 58, full: 68, radius: 7, nameWidth: 17,
		lettersOfKill: 6.6}
	return l.draw()
}

// Narrow draws them for a phone: names above the lanes, one initial, short reasons.
func (f Lifelines) Narrow(id string) string {
	l := &layout{Lifelines: f, id: id, width: 326, left: 14, right: 312, top: 40, full: 60, radius: 6.5, nameWidth: 34, lettersOfKill: 6.2,
		narrow: true}
	return l.draw()
}

func (l *layout) draw() string {
	l.place()
	c := new(canvas)
	c.add(`<svg viewBox="0 0 `, l.width, ` `, l.bottom+40, `" role="group" aria-labelledby="`, l.id, `-t" aria-describedby="`, l.id, `-d">`)
	c.add(`<title id="`, l.id, `-t">`, escape(l.title()), `</title><desc id="`, l.id, `-d">`, escape(l.describe()), `</desc>`)
	l.drawVersions(c)
	l.drawScale(c)
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
		above, below := 9.0, 9.0
		if len(lane.Attacks) > 0 {
			above = 8 + 20*float64(1+l.pinLevels(i))
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

// drawScale says how wide a half is.
func (l *layout) drawScale(c *canvas) {
	if l.narrow {
		return
	}
	x, top := l.right+12, 6.0
	c.line("tick", x, top, x, top+l.full/2)
	c.line("tick", x-3, top, x+3, top)
	c.line("tick", x-3, top+l.full/2, x+3, top+l.full/2)
	c.text(x+8, top+l.full/4+4, 12, "d", "", "50 %")
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
		l.flag(c, &free, r, x)
	}
}

// flag names a result above its line, and what is said of it above that, where there is room.
func (l *layout) flag(c *canvas, free *[2]float64, r Result, x float64) {
	c.linked(r.Href, "flag", r.Test+" found: "+r.Outcome, func() {
		for row, text := range []string{r.Test, r.Note} {
			half := float64(cells(text)) * (3.7 - 0.4*float64(row))
			at := math.Min(math.Max(x, half), l.width-half)
			if text == "" || l.narrow && row > 0 || at-half < free[row]+3 {
				continue
			}
			free[row] = at + half
			class := "m halo"
			if row > 0 {
				class = "d halo"
			}
			c.text(at, l.top-20-16*float64(row), 12, class, "middle", text)
		}
	})
}

func (l *layout) drawLane(c *canvas, i int, lane Lane) {
	if len(lane.Pool) > 0 {
		class, outline := "rib "+Shade(lane.ID), l.ribbon(lane, l.centres[i])
		if lane.Killed != nil {
			class += " ended"
		}
		c.add(`<path class="`, class, `" d="`, outline, `"/>`)
		if Shade(lane.ID) == "shade0" {
			c.add(`<path class="rib" fill="url(#hatched)" d="`, outline, `"/>`)
		}
	}
	l.drawName(c, i, lane)
}

func (l *layout) drawName(c *canvas, i int, lane Lane) {
	label, name := "m on-"+Shade(lane.ID), "s"
	if lane.Killed != nil {
		label, name = "m d struck", "s d struck"
	}
	x, y := 0.0, l.centres[i]-4
	if l.narrow {
		x, y = 4, l.top+14
		if i > 0 {
			y = l.bottoms[i-1] + 16
		}
	}
	c.linked(lane.Href, "named", lane.ID+" "+lane.Name, func() { l.label(c, lane, x, y, label, name) })
	if lane.Killed == nil && len(lane.Pool) > 0 {
		value := Percent(valueAt(lane.Pool, l.Messages))
		if l.narrow {
			c.text(l.width-4, y, 15, "s", "end", value)
		} else {
			c.text(l.right+12, l.centres[i]+7, 19, "s", "", value)
		}
	}
}

// label is a lane's number in its shade, with its name.
func (l *layout) label(c *canvas, lane Lane, x, y float64, id, class string) {
	shade := Shade(lane.ID)
	if lane.Killed != nil {
		shade = "outlined"
	}
	c.add(`<rect class="tag `, shade, `" x="`, x, `" y="`, y-14, `" width="28" height="19" rx="4"/>`)
	if shade == "shade0" {
		c.add(`<rect x="`, x, `" y="`, y-14, `" width="28" height="19" rx="4" fill="url(#hatched)"/>`)
	}
	c.text(x+14, y, 12, id, "middle", name(lane.ID))
	lines := 2
	if l.narrow {
		lines, class = 1, class+" halo"
	}
	for n, line := range wrap(lane.Name, l.nameWidth, lines) {
		c.text(x+36, y+16*float64(n), 14, class, "", line)
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
