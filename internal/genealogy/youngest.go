package genealogy

// closing finds the arcs that are the youngest of some cycle: given oldest first, arc i is
// one if the arcs up to and including it join its ends in both directions. That is the law's
// rule for every cycle at once, however many there are (PROTOCOL 13), and it does not depend
// on the order in which cycles are looked for.
//
// Adding arcs one by one would be quadratic. Instead the first moment at which an arc's ends
// are strongly connected is searched for all arcs together, by halving time: components of
// the first half tell which arcs belong to the early moments and which to the late ones, and
// what is connected early is one place later on.
func closing(n int, arcs []arc) []bool {
	p := prefixes{arcs: arcs, moment: make([]int, len(arcs)), joined: newSets(n), number: make([]int, n)}
	for i := range n {
		p.number[i] = -1
	}
	all := make([]int, len(arcs))
	for i := range all {
		all[i] = i
	}
	p.search(0, len(arcs), all)
	youngest := make([]bool, len(arcs))
	for i, m := range p.moment {
		youngest[i] = m == i
	}
	return youngest
}

type prefixes struct {
	arcs   []arc
	moment []int // the first arc with which an arc's ends are joined both ways; len(arcs) for never
	joined sets  // places joined so far
	number []int // scratch: places of one search, counted from 0

	finder tarjan // scratch, too
	places []int
	there  []arc
	late   []int
}

// search finds the moment of the chosen arcs, which lies between lo and hi. Its depth is the
// logarithm of the number of arcs.
func (p *prefixes) search(lo, hi int, chosen []int) {
	if len(chosen) == 0 {
		return
	}
	if lo == hi {
		for _, i := range chosen {
			p.moment[i] = lo
			p.joined.join(p.arcs[i].from, p.arcs[i].to)
		}
		return
	}
	mid := (lo + hi) / 2
	early := p.split(mid, chosen)
	p.search(lo, mid, chosen[:early])
	p.search(mid+1, hi, chosen[early:])
}

// split puts the chosen arcs whose ends the arcs up to mid join before the rest, and counts
// them.
func (p *prefixes) split(mid int, chosen []int) int {
	p.places, p.there, p.late = p.places[:0], p.there[:0], p.late[:0]
	for _, i := range chosen {
		if i <= mid {
			p.there = append(p.there, arc{p.place(p.arcs[i].from), p.place(p.arcs[i].to)})
		}
	}
	comp := p.finder.components(len(p.places), p.there)
	early, next := 0, 0
	for _, i := range chosen {
		if i <= mid {
			a := p.there[next]
			next++
			if comp[a.from] == comp[a.to] {
				chosen[early] = i
				early++
				continue
			}
		}
		p.late = append(p.late, i)
	}
	copy(chosen[early:], p.late)
	for _, v := range p.places {
		p.number[v] = -1
	}
	return early
}

// place numbers the places of one search.
func (p *prefixes) place(v int) int {
	v = p.joined.find(v)
	if p.number[v] < 0 {
		p.number[v] = len(p.places)
		p.places = append(p.places, v)
	}
	return p.number[v]
}
