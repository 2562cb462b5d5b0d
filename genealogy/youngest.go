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
	early, late := p.split(mid, chosen)
	p.search(lo, mid, early)
	p.search(mid+1, hi, late)
}

// split parts the chosen arcs into those whose ends the arcs up to mid join, and the rest.
func (p *prefixes) split(mid int, chosen []int) (early, late []int) {
	var places []int
	place := func(v int) int {
		v = p.joined.find(v)
		if p.number[v] < 0 {
			p.number[v] = len(places)
			places = append(places, v)
		}
		return p.number[v]
	}
	var there []arc
	for _, i := range chosen {
		if i <= mid {
			there = append(there, arc{place(p.arcs[i].from), place(p.arcs[i].to)})
		}
	}
	comp := components(len(places), there)
	next := 0
	for _, i := range chosen {
		if i <= mid {
			a := there[next]
			next++
			if comp[a.from] == comp[a.to] {
				early = append(early, i)
				continue
			}
		}
		late = append(late, i)
	}
	for _, v := range places {
		p.number[v] = -1
	}
	return early, late
}
