package genealogy

// adjacency lists the links that leave each node, all in two arrays.
type adjacency struct {
	start []int // of node n: links[start[n]:start[n+1]]
	links []int
}

// list makes an adjacency of n nodes; side gives a link's node on either end.
func list(n int, links []link, chosen []int, side func(link) int) adjacency {
	a := adjacency{start: make([]int, n+1), links: make([]int, len(chosen))}
	for _, l := range chosen {
		a.start[side(links[l])+1]++
	}
	for i := range n {
		a.start[i+1] += a.start[i]
	}
	next := make([]int, n)
	copy(next, a.start)
	for _, l := range chosen {
		node := side(links[l])
		a.links[next[node]] = l
		next[node]++
	}
	return a
}

func (a adjacency) of(node int) []int { return a.links[a.start[node]:a.start[node+1]] }

func tail(l link) int { return l.from }
func head(l link) int { return l.to }

// How a node was reached, where that was not over a link.
const (
	notReached = -2
	startedAt  = -1
)

// search limits how far reach looks.
type search struct {
	until int              // stop when this node is reached; -1 for never
	admit func(l int) bool // the links that may be used; nil for all
}

var everywhere = search{until: -1}

// reach tells for each node by which link it is reached first from the starting ones; next
// gives a link's far end. Breadth first: the links lead back over a shortest way.
func (a adjacency) reach(links []link, start []int, next func(link) int, how search) []int {
	via := make([]int, len(a.start)-1)
	for i := range via {
		via[i] = notReached
	}
	var queue []int
	for _, n := range start {
		if via[n] == notReached {
			via[n] = startedAt
			queue = append(queue, n)
		}
	}
	for ; len(queue) > 0 && queue[0] != how.until; queue = queue[1:] {
		for _, l := range a.of(queue[0]) {
			far := next(links[l])
			if via[far] == notReached && (how.admit == nil || how.admit(l)) {
				via[far] = l
				queue = append(queue, far)
			}
		}
	}
	return via
}
