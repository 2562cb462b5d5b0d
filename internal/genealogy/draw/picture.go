package draw

import "brenner/internal/genealogy"

// picture is the graph as it is drawn: boxes in columns, oldest to the left, and lines
// between them. Positions are in pixels.
type picture struct {
	boxes         []box
	lines         []stroke
	width, height float64
}

// box is an item, one that is not there, or a bend: the place where a long line passes
// through a column.
type box struct {
	node   int              // -1 for what is not an item of the graph
	ghost  genealogy.NodeID // the item that is not there; empty for a bend
	column int
	y      float64 // its middle

	older, newer []int   // what its lines lead to, to the left and to the right
	wish         float64 // where its neighbours would have it
}

func (b box) bend() bool { return b.node < 0 && b.ghost == "" }

// stroke is a line from a newer box to an older one, through bends.
type stroke struct {
	boxes     []int
	relations []string
	dangling  bool
}

// Measures of the picture.
const (
	boxWidth   = 250.0
	boxHeight  = 46.0
	bendHeight = 6.0
	columnGap  = 120.0
	rowGap     = 16.0
	chainGap   = 34.0
	margin     = 24.0
	nameCols   = 30 // columns of text that fit a box
)

func (b box) height() float64 {
	if b.bend() {
		return bendHeight
	}
	return boxHeight
}

// left is the left side of a column.
func left(column int) float64 { return margin + float64(column)*(boxWidth+columnGap) }

// layOut lays a graph out, chain by chain.
func layOut(g *genealogy.Graph) *picture {
	p := &picture{width: left(1) - columnGap + margin, height: margin}
	for _, part := range p.parts(g) {
		p.layOut(part)
	}
	p.height += margin - chainGap
	return p
}

// pair is two boxes that a line joins.
type pair struct{ from, to int }

// part is a chain, by number: its boxes and its lines.
type part struct{ boxes, lines []int }

// parts makes a box for each item drawn and a line for each pair of items joined, and groups
// them into chains.
func (p *picture) parts(g *genealogy.Graph) []part {
	boxOf := make([]int, len(g.Nodes))
	for n, show := range g.Joined() {
		boxOf[n] = len(p.boxes)
		if show {
			p.boxes = append(p.boxes, box{node: n})
		}
	}
	ghosts, lineOf := map[genealogy.NodeID]int{}, map[pair]int{}
	for _, e := range numbered(g) {
		a := pair{from: boxOf[e.from]}
		if e.to >= 0 {
			a.to = boxOf[e.to]
		} else {
			to, ok := ghosts[e.To]
			if !ok {
				to = len(p.boxes)
				ghosts[e.To] = to
				p.boxes = append(p.boxes, box{node: -1, ghost: e.To})
			}
			a.to = to
		}
		k, ok := lineOf[a]
		if !ok {
			k = len(p.lines)
			lineOf[a] = k
			p.lines = append(p.lines, stroke{boxes: []int{a.from, a.to}, dangling: e.Dangling})
		}
		p.lines[k].relations = append(p.lines[k].relations, e.Relation)
	}
	return p.group()
}

// group finds the boxes that lines join.
func (p *picture) group() []part {
	near := make([][]int, len(p.boxes))
	for _, s := range p.lines {
		from, to := s.boxes[0], s.boxes[1]
		near[from], near[to] = append(near[from], to), append(near[to], from)
	}
	of := make([]int, len(p.boxes)) // number of its part, from 1
	var parts []part
	for i := range p.boxes {
		if of[i] == 0 {
			parts = append(parts, part{})
			flood(near, of, i, len(parts))
		}
		chain := &parts[of[i]-1]
		chain.boxes = append(chain.boxes, i)
	}
	for i, s := range p.lines {
		chain := &parts[of[s.boxes[0]]-1]
		chain.lines = append(chain.lines, i)
	}
	return parts
}

// flood gives a box and all that it leads to the number of their part.
func flood(near [][]int, of []int, start, number int) {
	of[start] = number
	for queue := []int{start}; len(queue) > 0; queue = queue[1:] {
		for _, next := range near[queue[0]] {
			if of[next] == 0 {
				of[next] = number
				queue = append(queue, next)
			}
		}
	}
}
