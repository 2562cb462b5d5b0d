package genealogy

import (
	"strings"
	"time"

	"brenner/internal/artifact"
)

// Session is what the graph needs to know of a thread.
type Session struct {
	ID       string
	Artifact *artifact.Artifact
	Started  time.Time // dates what has no source of its own, as in an artifact read from a file
}

// NodeID names an item across sessions: RS-20260110-cell-fate#H2.
type NodeID string

// NewNodeID makes the name of an item of a session.
func NewNodeID(session, item string) NodeID { return NodeID(session + "#" + item) }

// Session returns the session in the name.
func (id NodeID) Session() string {
	session, _ := id.split()
	return session
}

// Item returns the item in the name.
func (id NodeID) Item() string {
	_, item := id.split()
	return item
}

func (id NodeID) split() (session, item string) {
	i := strings.LastIndexByte(string(id), '#')
	if i < 0 {
		return string(id), ""
	}
	return string(id[:i]), string(id[i+1:])
}

// Written is where something was first written. Agent and message are empty where an
// artifact was read from a file.
type Written struct {
	Session   string
	Agent     string
	MessageID int64
	Block     int
	At        time.Time
}

// Node is an item.
type Node struct {
	ID      NodeID
	Item    artifact.ItemID
	Name    string
	Killed  bool
	Written Written
	Origin  NodeID // the oldest item it goes back to, itself if it goes back to none

	session int // place in the graph's sessions
}

// Edge is a reference: From extends, refines, … To. A dangling one leads to an item that is
// not there (yet).
type Edge struct {
	From, To NodeID
	Relation string
	Dangling bool
}

// Cycle is a chain of references that comes back to its beginning. Its youngest reference
// is not part of the graph.
type Cycle struct {
	Path    []NodeID // from the item with the youngest reference back to it
	LeftOut []Edge   // that reference; more than one where two relations join the same items
}

// Chain is a set of items that references join, with where it began.
type Chain struct {
	Origin NodeID
	Nodes  []NodeID
}

// Graph is the genealogy of a project. It is not changed once it is built.
type Graph struct {
	Nodes   []Node  // by session, section and number
	Edges   []Edge  // without those that close a cycle; by node, in the order as written
	Cycles  []Cycle // by age of the youngest reference, at most MaxCycles
	LeftOut []Edge  // every reference that the graph leaves out, oldest first

	sessions  []Session
	known     map[string]bool // sessions of the project
	index     lookup
	links     []link    // every reference as written
	kept      []int     // the links behind Edges
	dag, rdag adjacency // over the kept links that do not dangle, forwards and backwards
	loose     adjacency // over those that dangle
	focus     NodeID    // an item that is shown even if nothing is joined to it
	unspelled int       // references left out beyond those of Cycles
}

// link is an edge between numbered nodes.
type link struct {
	from, to int // to is -1 for a dangling one
	target   NodeID
	relation string
	leftOut  bool

	item *artifact.Item // that has the reference, and the reference's place in its list
	at   int
}

func (l link) arc() arc { return arc{l.from, l.to} }

// Node finds a node.
func (g *Graph) Node(id NodeID) (Node, bool) {
	i, ok := g.index.node(id)
	if !ok {
		return Node{}, false
	}
	return g.Nodes[i], true
}

// HasSession tells whether the session is one of the project's.
func (g *Graph) HasSession(id string) bool { return g.known[id] }
