package delta

import "brenner/internal/strictjson"

// tree is a JSON value with the order of its keys and the place of everything. Nodes lie in
// one slice in reading order, so that a block of any shape costs one allocation and no
// recursion: a container's children follow it, and next leads past them.
type tree struct {
	source string
	nodes  []node
	unsafe bool // a number that no float64 holds or a NUL is somewhere: see checkSafe
	deep   int  // place of the first value nested more than MaxDepth deep; -1 if there is none
}

type node struct {
	text       string // of a string, with escapes resolved
	start, end int32  // place in the source
	next       int32  // the node after this one and its children
	kind       strictjson.Kind
	owned      bool // the text is no piece of the source
}

// value is a JSON value of a tree. The zero value is no value: a key that is absent.
type value struct {
	t  *tree
	at int32
}

func (t *tree) root() value { return value{t, 0} }

func (v value) ok() bool { return v.t != nil }

func (v value) node() *node { return &v.t.nodes[v.at] }

func (v value) kind() strictjson.Kind { return v.node().kind }

// isNull tells whether the value is null or absent.
func (v value) isNull() bool { return !v.ok() || v.kind() == strictjson.Null }

// text returns a string's text; it is empty for other kinds.
func (v value) text() string { return v.node().text }

// raw returns the value as it was written.
func (v value) raw() string { return v.t.source[v.node().start:v.node().end] }

func (v value) isBool() bool { return v.kind() == strictjson.True || v.kind() == strictjson.False }

// walk moves through the members of an object or the elements of a list.
type walk struct {
	t       *tree
	at, end int32
}

// children begins a walk through a list, or through an object where key and value alternate.
func (v value) children() walk { return walk{v.t, v.at + 1, v.node().next} }

func (w walk) ok() bool { return w.at < w.end }

// element is the current element of a list, or the current key of an object.
func (w walk) element() value { return value{w.t, w.at} }

// member is the value under the current key of an object.
func (w walk) member() value { return value{w.t, w.at + 1} }

// next moves to the next element of a list.
func (w walk) next() walk { return walk{w.t, w.t.nodes[w.at].next, w.end} }

// nextMember moves to the next key of an object.
func (w walk) nextMember() walk { return walk{w.t, w.t.nodes[w.at+1].next, w.end} }

// get returns the value under a key of an object.
func (v value) get(key string) value {
	for w := v.children(); w.ok(); w = w.nextMember() {
		if w.element().text() == key {
			return w.member()
		}
	}
	return value{}
}
