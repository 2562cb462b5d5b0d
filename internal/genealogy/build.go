package genealogy

import (
	"cmp"
	"slices"
	"strings"

	"brenner/internal/artifact"
)

// Build makes the graph of a project's sessions. The order in which they are given does not
// matter; of two with the same id the last counts.
func Build(sessions []Session) *Graph {
	g := &Graph{known: map[string]bool{}}
	for _, s := range slices.Backward(sessions) {
		if s.Artifact != nil && !g.known[s.ID] {
			g.known[s.ID] = true
			g.sessions = append(g.sessions, s)
		}
	}
	slices.SortFunc(g.sessions, func(a, b Session) int { return strings.Compare(a.ID, b.ID) })
	g.makeRoom()
	threads := g.citedThreads()
	for i, s := range g.sessions {
		if threads[s.ID] {
			g.addThread(i)
		}
		g.addItems(i)
	}
	for _, s := range g.sessions {
		for it := range items(s.Artifact) {
			g.addLinks(s.ID, it)
		}
	}
	g.connect()
	return g
}

// With returns the graph with one session's references replaced, or added.
func (g *Graph) With(s Session) *Graph {
	return Build(append(slices.Clone(g.sessions), s))
}

// items walks through everything in an artifact that can refer to something.
func items(a *artifact.Artifact) func(yield func(*artifact.Item) bool) {
	return func(yield func(*artifact.Item) bool) {
		for _, section := range artifact.Sections()[1:] {
			for _, it := range a.Items(section) {
				if !yield(it) {
					return
				}
			}
		}
	}
}

// makeRoom counts before anything is stored.
func (g *Graph) makeRoom() {
	nodes, links := len(g.sessions), 0
	for _, s := range g.sessions {
		for it := range items(s.Artifact) {
			nodes++
			links += len(it.References())
		}
	}
	g.Nodes, g.links, g.index = make([]Node, 0, nodes), make([]link, 0, links), newLookup(g.sessions)
}

// citedThreads finds the sessions whose research thread itself is referred to: only there it
// is a node.
func (g *Graph) citedThreads() map[string]bool {
	cited := map[string]bool{}
	for _, s := range g.sessions {
		for it := range items(s.Artifact) {
			for _, ref := range it.References() {
				if ref.Item == string(artifact.RT) {
					cited[ref.Session] = true
				}
			}
		}
	}
	return cited
}

func (g *Graph) addThread(session int) {
	if rt := g.sessions[session].Artifact.Thread; rt != nil {
		g.addNode(session, rt, rt.Text(artifact.Statement))
	}
}

func (g *Graph) addItems(session int) {
	for it := range items(g.sessions[session].Artifact) {
		g.addNode(session, it, it.Title())
	}
}

func (g *Graph) addNode(session int, it *artifact.Item, name string) {
	s := g.sessions[session]
	if _, twice := g.index.find(s.ID, string(it.ID)); twice {
		return
	}
	g.index.add(s.ID, it.ID, len(g.Nodes))
	g.Nodes = append(g.Nodes, Node{
		ID: NewNodeID(s.ID, string(it.ID)), Item: it.ID, Name: name, Killed: !it.Active(), Written: written(s, it.Origin()),
		session: session,
	})
}

func written(s Session, src *artifact.Source) Written {
	if src == nil {
		return Written{Session: s.ID, At: s.Started}
	}
	return Written{s.ID, src.Agent, src.MessageID, src.Block, src.At}
}

// addLinks adds an item's references. One that names no session or no item is no reference;
// lint says so (ER-REF-003, ER-REF-004).
func (g *Graph) addLinks(session string, it *artifact.Item) {
	list := it.References()
	if len(list) == 0 {
		return
	}
	from, _ := g.index.find(session, string(it.ID))
	seen := newReferenceSet(len(list))
	for i, ref := range list {
		if !names(ref) || !seen.add(list[:i], ref) {
			continue
		}
		target, to := g.resolve(ref)
		g.links = append(g.links, link{from: from, to: to, target: target, relation: ref.Relation, item: it, at: i})
	}
}

// referenceSet tells whether a reference is repeated in its list. Lists are short as a rule:
// looking back is then cheaper than a map.
type referenceSet map[artifact.Reference]bool

func newReferenceSet(n int) referenceSet {
	if n <= 8 {
		return nil
	}
	return make(referenceSet, n)
}

func (s referenceSet) add(before artifact.References, ref artifact.Reference) bool {
	ref.Extra = ""
	if s == nil {
		return !slices.ContainsFunc(before, func(r artifact.Reference) bool { r.Extra = ""; return r == ref })
	}
	if s[ref] {
		return false
	}
	s[ref] = true
	return true
}

// names tells whether a reference names something at all.
func names(ref artifact.Reference) bool {
	return strings.TrimSpace(ref.Session) != "" && strings.TrimSpace(ref.Item) != ""
}

// referenceSource finds where a reference was written. Where the merge did not record it, the
// source of the whole list counts.
func referenceSource(it *artifact.Item, ref artifact.Reference) *artifact.Source {
	if s := it.Source(ref.Path()); s != nil {
		return s
	}
	return it.Source(artifact.ReferencesField)
}

// resolve finds the node that a reference means, -1 if it is not there. A cell of the
// predictions table (P1.H2) is part of its row.
func (g *Graph) resolve(ref artifact.Reference) (NodeID, int) {
	if n, ok := g.index.find(ref.Session, ref.Item); ok {
		return g.Nodes[n].ID, n
	}
	if row, _, cell := strings.Cut(ref.Item, "."); cell {
		_, section, _, _ := artifact.ParseItemID(row)
		if n, ok := g.index.find(ref.Session, row); ok && section == artifact.PredictionsTable {
			return g.Nodes[n].ID, n
		}
	}
	return NewNodeID(ref.Session, ref.Item), -1
}

// byAge orders links, oldest first (PROTOCOL 13: created_ts, session, message, block), then
// in their present order.
func (g *Graph) byAge(links []int) {
	slices.SortStableFunc(links, func(a, b int) int { return g.written(a).compare(g.written(b)) })
}

// written tells when and where a reference was written.
func (g *Graph) written(i int) Written {
	l := g.links[i]
	return written(g.sessions[g.Nodes[l.from].session], referenceSource(l.item, l.item.References()[l.at]))
}

func (w Written) compare(x Written) int {
	return cmp.Or(w.At.Compare(x.At), strings.Compare(w.Session, x.Session),
		cmp.Compare(w.MessageID, x.MessageID), cmp.Compare(w.Block, x.Block))
}
