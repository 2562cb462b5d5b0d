package genealogy

import (
	"maps"

	"brenner/internal/artifact"
)

// lookup finds nodes by name. The items of a session are numbered without gaps, unless a
// file was edited by hand: the place of one follows from its number. Only the others need a
// map of their own.
type lookup struct {
	sessions map[string]*ranges
	odd      map[NodeID]int
}

// ranges says which nodes are the items of a session: the first of each section, and how many.
type ranges struct{ first, count [7]int }

func newLookup(sessions []Session) lookup {
	l := lookup{make(map[string]*ranges, len(sessions)), map[NodeID]int{}}
	for _, s := range sessions {
		l.sessions[s.ID] = &ranges{}
	}
	return l
}

// with returns a lookup that can take more nodes without changing this one.
func (l lookup) with() lookup { return lookup{l.sessions, maps.Clone(l.odd)} }

// add puts a node in its place.
func (l lookup) add(session string, item artifact.ItemID, node int) {
	r, ok := l.sessions[session]
	_, section, n, isID := artifact.ParseItemID(string(item))
	if ok && isID && number(section, n) == r.count[section]+1 && (n <= 1 || r.first[section]+n-1 == node) {
		if r.count[section] == 0 {
			r.first[section] = node
		}
		r.count[section]++
		return
	}
	l.odd[NewNodeID(session, string(item))] = node
}

func (l lookup) find(session, item string) (int, bool) {
	if r, ok := l.sessions[session]; ok {
		_, section, n, isID := artifact.ParseItemID(item)
		if isID && number(section, n) <= r.count[section] {
			return r.first[section] + number(section, n) - 1, true
		}
	}
	if len(l.odd) == 0 {
		return 0, false
	}
	node, ok := l.odd[NewNodeID(session, item)]
	return node, ok
}

func (l lookup) node(id NodeID) (int, bool) { return l.find(id.split()) }

// number counts the research thread, which has no number, as the first of its section.
func number(s artifact.Section, n int) int {
	if s == artifact.ResearchThread {
		return 1
	}
	return n
}
