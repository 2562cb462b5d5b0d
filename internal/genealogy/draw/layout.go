package draw

import (
	"cmp"
	"slices"
)

// sweeps is how often the columns are straightened; more changes little.
const sweeps = 8

// layOut places a chain below what is there already: it gives each box a column, bends long
// lines around the boxes in their way, and straightens the columns.
func (p *picture) layOut(part part) {
	columns := p.bendLines(part, p.assignColumns(part))
	p.join(part)
	for _, column := range columns {
		for k, b := range column {
			p.boxes[b].y = float64(k) * (boxHeight + rowGap)
		}
		p.straighten(column, -1)
	}
	for sweep := range sweeps {
		for i := range columns {
			if sweep%2 == 0 {
				p.straighten(columns[len(columns)-1-i], +1)
			} else {
				p.straighten(columns[i], -1)
			}
		}
	}
	for _, column := range columns {
		p.straighten(column, 0)
	}
	p.place(columns)
}

// assignColumns puts each box one column to the right of what it refers to; what refers to
// nothing is as near as it can be to what refers to it.
func (p *picture) assignColumns(part part) [][]int {
	p.join(part)
	waiting := make(map[int]int, len(part.boxes))
	for _, l := range part.lines {
		waiting[p.lines[l].boxes[0]]++
	}
	var ready []int
	for _, b := range part.boxes {
		if waiting[b] == 0 {
			ready = append(ready, b)
		}
	}
	roots, last := len(ready), 0
	for i := 0; i < len(ready); i++ {
		b := &p.boxes[ready[i]]
		last = max(last, b.column)
		for _, newer := range b.newer {
			p.boxes[newer].column = max(p.boxes[newer].column, b.column+1)
			if waiting[newer]--; waiting[newer] == 0 {
				ready = append(ready, newer)
			}
		}
	}
	for _, root := range ready[:roots] {
		b := &p.boxes[root]
		if len(b.newer) > 0 {
			b.column = last
		}
		for _, newer := range b.newer {
			b.column = min(b.column, p.boxes[newer].column-1)
		}
	}
	columns := make([][]int, last+1)
	for _, b := range part.boxes {
		columns[p.boxes[b].column] = append(columns[p.boxes[b].column], b)
	}
	return columns
}

// join lists for each box of a chain what its lines lead to on either side.
func (p *picture) join(part part) {
	for _, l := range part.lines {
		for _, b := range p.lines[l].boxes {
			p.boxes[b].newer, p.boxes[b].older = nil, nil
		}
	}
	for _, l := range part.lines {
		way := p.lines[l].boxes
		for i, newer := range way[:len(way)-1] {
			older := way[i+1]
			p.boxes[newer].older = append(p.boxes[newer].older, older)
			p.boxes[older].newer = append(p.boxes[older].newer, newer)
		}
	}
}

// bendLines gives lines that cross columns a bend in each. Only so many bends are made as
// there are boxes and lines: the rest of the lines run straight.
func (p *picture) bendLines(part part, columns [][]int) [][]int {
	budget := 3 * (len(part.boxes) + len(part.lines))
	for _, l := range part.lines {
		s := &p.lines[l]
		from, to := s.boxes[0], s.boxes[1]
		span := p.boxes[from].column - p.boxes[to].column - 1
		if span <= 0 || span > budget {
			continue
		}
		budget -= span
		way := []int{from}
		for c := p.boxes[from].column - 1; c > p.boxes[to].column; c-- {
			columns[c] = append(columns[c], len(p.boxes))
			way = append(way, len(p.boxes))
			p.boxes = append(p.boxes, box{node: -1, column: c})
		}
		way = append(way, to)
		s.boxes = way
	}
	return columns
}

// straighten moves the boxes of a column towards what they are joined to on one side (-1
// left, +1 right) and orders them by that; with 0 it looks at both sides and keeps the order.
func (p *picture) straighten(column []int, side int) {
	for _, b := range column {
		p.boxes[b].wish = p.mean(p.boxes[b], side)
	}
	if side != 0 {
		slices.SortStableFunc(column, func(a, b int) int { return cmp.Compare(p.boxes[a].wish, p.boxes[b].wish) })
	}
	wishes := make([]float64, len(column))
	gaps := make([]float64, len(column)) // from the box before
	for i, b := range column {
		wishes[i] = p.boxes[b].wish
		if i > 0 {
			gaps[i] = (p.boxes[column[i-1]].height()+p.boxes[b].height())/2 + rowGap
		}
	}
	for i, y := range spread(wishes, gaps) {
		p.boxes[column[i]].y = y
	}
}

// mean is the middle of what a box is joined to, or where it is if there is nothing.
func (p *picture) mean(b box, side int) float64 {
	sum, n := 0.0, 0
	add := func(boxes []int) {
		for _, other := range boxes {
			sum += p.boxes[other].y
		}
		n += len(boxes)
	}
	if side <= 0 {
		add(b.older)
	}
	if side >= 0 {
		add(b.newer)
	}
	if n == 0 {
		return b.y
	}
	return sum / float64(n)
}

// spread finds the places nearest to the wishes, in the least squares sense, that keep their
// order and the gaps between them (pool adjacent violators).
func spread(wishes, gaps []float64) []float64 {
	type pool struct {
		sum float64
		n   int
	}
	offset := make([]float64, len(wishes))
	var pools []pool
	for i, w := range wishes {
		offset[i] = gaps[i]
		if i > 0 {
			offset[i] += offset[i-1]
		}
		pools = append(pools, pool{w - offset[i], 1})
		for k := len(pools) - 1; k > 0; k-- {
			a, b := pools[k-1], pools[k]
			if a.sum*float64(b.n) <= b.sum*float64(a.n) {
				break
			}
			pools = append(pools[:k-1], pool{a.sum + b.sum, a.n + b.n})
		}
	}
	places := make([]float64, 0, len(wishes))
	for _, q := range pools {
		for range q.n {
			places = append(places, q.sum/float64(q.n)+offset[len(places)])
		}
	}
	return places
}

// place moves a chain to its place below the others and makes room for it.
func (p *picture) place(columns [][]int) {
	top, bottom := 0.0, 0.0
	first := true
	for _, column := range columns {
		for _, b := range column {
			y, h := p.boxes[b].y, p.boxes[b].height()/2
			if first || y-h < top {
				top = y - h
			}
			if first || y+h > bottom {
				bottom = y + h
			}
			first = false
		}
	}
	for _, column := range columns {
		for _, b := range column {
			p.boxes[b].y += p.height - top
		}
	}
	p.height += bottom - top + chainGap
	p.width = max(p.width, left(len(columns))-columnGap+margin)
}
