package genealogy

import (
	"maps"

	"brenner/artifact"
)

// lookup finds nodes by name. The items of a session are numbered without gaps, unless a
// file was edited by hand: the place of one follows from its number. Only the others need a
// map of their own.
type lookup struct {
	sessions map[string]*shelf
	odd      map[NodeID]int
}

// shelf is where the items of a session stand: the first of each section, and how many.
type shelf struct{ first, count [7]int }

func newLookup(sessions []Session) lookup {
	l := lookup{make(map[string]*shelf, len(sessions)), map[NodeID]int{}}
	for _, s := range sessions {
		l.sessions[s.ID] = &shelf{}
	}
	return l
}

// with returns a lookup that can take more nodes without changing this one.
func (l lookup) with() lookup { return lookup{l.sessions, maps.Clone(l.odd)} }

// add puts a node in its place.
func (l lookup) add(session string, item artifact.ItemID, node int) {
	sh, ok := l.sessions[session]
	_, section, n, isID := artifact.ParseItemID(string(item))
	if ok && isID && number(section, n) == sh.count[section]+1 && (n <= 1 || sh.first[section]+n-1 == node) {
		if sh.count[section] == 0 {
			sh.first[section] = node
		}
		sh.count[section]++
		return
	}
	l.odd[NewNodeID(session, string(item))] = node
}

func (l lookup) find(session, item string) (int, bool) {
	if sh, ok := l.sessions[session]; ok {
		_, section, n, isID := artifact.ParseItemID(item)
		if isID && number(section, n) <= sh.count[section] {
			return sh.first[section] + number(section, n) - 1, true
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
