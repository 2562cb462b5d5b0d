package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// step is where a ribbon changes its height; it is rounded over at most half a message to either side.
type step struct{ x, before, after, round float64 }

// steps returns the changes of a lane between its first message and its end.
func (l *layout) steps(lane Lane, end float64) []step {
	var steps []step
	last := l.x(lane.Pool[0].At)
	for i, p := range lane.Pool[1:] {
		x := l.x(p.At)
		if x >= end {
			break
		}
		before, after := l.half(lane.Pool[i].Value), l.half(p.Value)
		if before == after {
			continue
		}
		round := min(l.perMessage*0.42, (x-last)/2, end-x)
		if l.perMessage < roundedFrom {
			round = 0
		}
		steps = append(steps, step{x, before, after, round})
		last = x
	}
	return steps
}

// ribbon is the outline of a lane: its credence as a band around the centre.
func (l *layout) ribbon(lane Lane, centre float64) string {
	start, end := l.x(lane.Pool[0].At), l.right+l.radius/2
	if lane.Killed != nil {
		end = math.Max(start, l.x(lane.Killed.At))
	}
	first := l.half(lane.Pool[0].Value)
	height := first
	c := new(canvas)
	c.add(`M`, start-l.radius, ` `, centre, `Q`, start-l.radius*0.7, ` `, centre-first, ` `, start, ` `, centre-first)
	steps := l.steps(lane, end)
	for _, s := range steps {
		height = s.after
		if s.round == 0 {
			c.add(`H`, s.x, `V`, centre-s.after)
			continue
		}
		c.add(`L`, s.x-s.round, ` `, centre-s.before, `C`, s.x, ` `, centre-s.before, ` `, s.x, ` `, centre-s.after, ` `, s.x+s.round, ` `,
			centre-s.after)
	}
	c.add(`L`, end, ` `, centre-height, `L`, end, ` `, centre+height)
	for _, s := range slices.Backward(steps) {
		if s.round == 0 {
			c.add(`H`, s.x, `V`, centre+s.before)
			continue
		}
		c.add(`L`, s.x+s.round, ` `, centre+s.after, `C`, s.x, ` `, centre+s.after, ` `, s.x, ` `, centre+s.before, ` `, s.x-s.round, ` `,
			centre+s.before)
	}
	c.add(`L`, start, ` `, centre+first, `Q`, start-l.radius*0.7, ` `, centre+first, ` `, start-l.radius, ` `, centre, `Z`)
	return c.String()
}

// discs are who wrote the hypothesis, and when.
func (l *layout) discs(i int, lane Lane) []mark {
	var marks []mark
	r := l.radius
	if l.Messages <= binnedAbove {
		r = math.Max(5, math.Min(r, l.perMessage*0.7))
	}
	for _, b := range l.writes(lane) {
		marks = append(marks, mark{b.last.At, i, func(c *canvas) {
			title, text := b.last.Title, b.last.By.Initials
			if b.count > 1 {
				title = fmt.Sprintf("%s (one of %d by %s in this version)", title, b.count, b.last.By.Name)
				text = fmt.Sprint(b.count)
			}
			if l.narrow || r < 8 {
				text = firstLetter(text)
			}
			x, y := l.x(b.last.At), l.centres[i]
			if l.crowded(x, lane) {
				y += r + 7.5
			}
			c.linked(b.last.Href, agentClass(b.last.By), title, func() { c.disc(b.last.By, x, y, r, text) })
		}})
	}
	return marks
}

// crowded tells whether the verdict of a result would hide a mark.
func (l *layout) crowded(x float64, lane Lane) bool {
	return slices.ContainsFunc(l.Results, func(r Result) bool {
		_, drawn := r.Verdicts[lane.ID]
		return drawn && math.Abs(l.x(r.At)-x) < l.radius+7.5
	})
}

// firstLetter returns the first character of a text.
func firstLetter(text string) string {
	for _, r := range text {
		return string(r)
	}
	return ""
}

// pinLevels is how many pins are above one another in a lane, less one.
func (l *layout) pinLevels(i int) int {
	levels := 0
	for _, p := range l.pinPlaces(i) {
		levels = max(levels, p)
	}
	return levels
}

// pinPlaces gives each attack of a lane a level above the ribbon, so that neighbours do not hide each other.
func (l *layout) pinPlaces(i int) []int {
	const highest = 2
	var free [highest + 1]float64
	for level := range free {
		free[level] = math.Inf(-1)
	}
	var levels []int
	for _, b := range l.attacks(l.Lanes[i]) {
		x, level := l.x(b.last.At), 0
		if k := l.Lanes[i].Killed; k != nil && b.last.At > k.At {
			level = highest // above the words about the kill
		}
		for level < highest && x < free[level] {
			level++
		}
		free[level] = x + 18
		levels = append(levels, level)
	}
	return levels
}

// pins are the attacks: hollow once answered, filled while open.
func (l *layout) pins(i int, lane Lane) []mark {
	var marks []mark
	attacks, levels := l.attacks(lane), l.pinPlaces(i)
	for n, b := range attacks {
		room := math.Inf(1)
		if n+1 < len(attacks) {
			room = l.x(attacks[n+1].last.At) - l.x(b.last.At)
		}
		marks = append(marks, mark{b.last.At, i, func(c *canvas) {
			x, a := l.x(b.last.At), b.last
			tip := l.centres[i] - l.half(valueAt(lane.Pool, a.At)) - 1 - 20*float64(levels[n])
			l.drawPin(c, b, x, tip)
			if !l.narrow && room > 110 && x < l.right-90 && (lane.Killed == nil || a.At < lane.Killed.At) {
				pinLabel(c, a, x+13, tip-10)
			}
		}})
	}
	return marks
}

func (l *layout) drawPin(c *canvas, b binned[Attack], x, tip float64) {
	class, letters, title := "pin", "pt", b.last.Title
	if b.last.Open {
		class, letters = "pin open", "at"
	}
	text := b.last.By.Initials
	if b.count > 1 {
		title = fmt.Sprintf("%s (one of %d by %s in this version)", title, b.count, b.last.By.Name)
		text = fmt.Sprint(b.count)
	}
	if l.narrow {
		text = firstLetter(text)
	}
	c.linked(b.last.Href, agentClass(b.last.By), title, func() {
		c.add(`<path class="`, class, `" d="M`, x, ` `, tip, `L`, x-6.7, ` `, tip-9.3, `A8.2 8.2 0 1 1 `, x+6.7, ` `, tip-9.3, `Z"/>`)
		c.text(x, tip-11.4, 7.8, letters, "middle", text)
	})
}

func pinLabel(c *canvas, a Attack, x, y float64) {
	switch {
	case a.Open && a.Critical:
		c.text(x, y, 11.5, "halo badt", "", "Critical, open")
	case a.Open:
		c.text(x, y, 11.5, "halo badt", "", "open")
	default:
		c.text(x, y, 11.5, "halo d", "", closedWords(a))
	}
}

func closedWords(a Attack) string {
	if word := cmp.Or(a.Closed, "answered"); word != "answered" {
		return word
	}
	return "✓ answered"
}

// verdicts are what each result says about the lane.
func (l *layout) verdicts(i int, lane Lane) []mark {
	var marks []mark
	for _, r := range l.Results {
		verdict, known := r.Verdicts[lane.ID]
		if !known {
			continue
		}
		marks = append(marks, mark{r.At, i, func(c *canvas) {
			x, y, class := l.x(r.At), l.centres[i], string(verdict)
			draw := func() {
				c.add(`<circle class="verd `, class, `" cx="`, x, `" cy="`, y, `" r="7.5"/>`)
				c.text(x, y+3.9, 11.2, "vt "+class, "middle", verdict.Glyph())
			}
			if l.narrow && len(l.Results) > maxSpelledOut { // too close to each other for a finger
				draw()
				return
			}
			c.linked(r.Href, "verdict", r.Test+" on "+lane.ID+": "+verdict.Words(), draw)
		}})
	}
	return marks
}

// killBeside reports whether the reason of a kill fits into the free space right of it.
func (l *layout) killBeside(lane Lane) bool {
	return !l.narrow && l.width-l.x(lane.Killed.At) > 200
}

func (l *layout) drawKill(c *canvas, i int, lane Lane) {
	k := lane.Killed
	x, y := l.x(k.At), l.centres[i]
	c.linked(k.Href, "kill", lane.ID+" given up by "+k.By.Name+": "+k.Reason, func() {
		c.add(`<path class="kx" d="M`, x-6.5, ` `, y-6.5, `L`, x+6.5, ` `, y+6.5, `M`, x+6.5, ` `, y-6.5, `L`, x-6.5, ` `, y+6.5, `"/>`)
	})
	if !l.killBeside(lane) {
		room := int(l.width / l.lettersOfKill)
		c.text(l.width, l.bottoms[i]-7, 12, "d", "end", shorten("✕ given up by "+k.By.Name+": "+k.Reason, room-2))
		return
	}
	c.text(x+16, y-5, 12, "halo badt", "", "given up by "+shorten(k.By.Name, 30))
	for n, line := range wrap(k.Reason, int((l.width-x-24)/l.lettersOfKill), 2) {
		c.text(x+16, y+9.5+14*float64(n), 12, "halo d", "", line)
	}
}
