package genealogy

// sets keeps numbers in disjoint sets, each known by one of its members.
type sets []int

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func (s sets) find(v int) int {
	for s[v] != v {
		s[v] = s[s[v]]
		v = s[v]
	}
	return v
}

func (s sets) join(a, b int) { s[s.find(a)] = s.find(b) }
