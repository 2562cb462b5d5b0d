package genealogy

// arc is a link between numbered places, as the search for components sees it.
type arc struct{ from, to int }

// components numbers the strongly connected components of n places.
func components(n int, arcs []arc) []int { return new(tarjan).components(n, arcs) }

// tarjan finds strongly connected components without recursion: a chain may have a hundred
// thousand links. It can be used again; its result holds until then.
type tarjan struct {
	start, to, next  []int // adjacency, and the place in it of each visit
	order, low, comp []int // order and comp count from 1; 0 is not yet
	clock, found     int
	open, path       []int // places of unfinished components; the visits under way
}

func (t *tarjan) components(n int, arcs []arc) []int {
	t.start, t.to, t.next = cleared(t.start, n+1), cleared(t.to, len(arcs)), cleared(t.next, n)
	t.order, t.low, t.comp = cleared(t.order, n), cleared(t.low, n), cleared(t.comp, n)
	t.clock, t.found = 0, 0
	for _, a := range arcs {
		t.start[a.from+1]++
	}
	for i := range n {
		t.start[i+1] += t.start[i]
	}
	copy(t.next, t.start)
	for _, a := range arcs {
		t.to[t.next[a.from]] = a.to
		t.next[a.from]++
	}
	copy(t.next, t.start)
	for v := range n {
		if t.order[v] == 0 {
			t.visit(v)
		}
	}
	return t.comp
}

// cleared returns n zeros, in the same place if there is room.
func cleared(s []int, n int) []int {
	if cap(s) < n {
		return make([]int, n)
	}
	s = s[:n]
	clear(s)
	return s
}

func (t *tarjan) visit(root int) {
	t.enter(root)
	for len(t.path) > 0 {
		v := t.path[len(t.path)-1]
		if t.next[v] < t.start[v+1] {
			w := t.to[t.next[v]]
			t.next[v]++
			if t.order[w] == 0 {
				t.enter(w)
			} else if t.comp[w] == 0 {
				t.low[v] = min(t.low[v], t.order[w])
			}
			continue
		}
		t.path = t.path[:len(t.path)-1]
		if len(t.path) > 0 {
			parent := t.path[len(t.path)-1]
			t.low[parent] = min(t.low[parent], t.low[v])
		}
		if t.low[v] == t.order[v] {
			t.close(v)
		}
	}
}

func (t *tarjan) enter(v int) {
	t.clock++
	t.order[v], t.low[v] = t.clock, t.clock
	t.open = append(t.open, v)
	t.path = append(t.path, v)
}

func (t *tarjan) close(v int) {
	t.found++
	for {
		w := t.open[len(t.open)-1]
		t.open = t.open[:len(t.open)-1]
		t.comp[w] = t.found
		if w == v {
			return
		}
	}
}
