package genealogy

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
	node   int    // -1 for what is not an item of the graph
	ghost  NodeID // the item that is not there; empty for a bend
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

// draw lays the graph out, chain by chain.
func (g *Graph) draw() *picture {
	p := &picture{width: left(1) - columnGap + margin, height: margin}
	for _, part := range p.parts(g) {
		p.layOut(part)
	}
	p.height += margin - chainGap
	return p
}

// part is a chain, by number: its boxes and its lines.
type part struct{ boxes, lines []int }

// parts makes a box for each item drawn and a line for each pair of items joined, and groups
// them into chains.
func (p *picture) parts(g *Graph) []part {
	boxOf := make([]int, len(g.Nodes))
	for n, show := range g.drawn() {
		boxOf[n] = len(p.boxes)
		if show {
			p.boxes = append(p.boxes, box{node: n})
		}
	}
	ghosts, lineOf := map[NodeID]int{}, map[arc]int{}
	for _, i := range g.kept {
		l := g.links[i]
		a := arc{from: boxOf[l.from]}
		if l.to >= 0 {
			a.to = boxOf[l.to]
		} else {
			to, ok := ghosts[l.target]
			if !ok {
				to = len(p.boxes)
				ghosts[l.target] = to
				p.boxes = append(p.boxes, box{node: -1, ghost: l.target})
			}
			a.to = to
		}
		k, ok := lineOf[a]
		if !ok {
			k = len(p.lines)
			lineOf[a] = k
			p.lines = append(p.lines, stroke{boxes: []int{a.from, a.to}, dangling: l.to < 0})
		}
		p.lines[k].relations = append(p.lines[k].relations, l.relation)
	}
	return p.group()
}

func (p *picture) group() []part {
	joined := newSets(len(p.boxes))
	for _, s := range p.lines {
		joined.join(s.boxes[0], s.boxes[1])
	}
	place := map[int]int{}
	var parts []part
	for i := range p.boxes {
		root := joined.find(i)
		k, ok := place[root]
		if !ok {
			k = len(parts)
			place[root] = k
			parts = append(parts, part{})
		}
		parts[k].boxes = append(parts[k].boxes, i)
	}
	for i, s := range p.lines {
		k := place[joined.find(s.boxes[0])]
		parts[k].lines = append(parts[k].lines, i)
	}
	return parts
}
