package delta

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"

	"brenner/internal/strictjson"
)

// MaxDepth is how deep a block's values may nest. What is kept with an item is nested again
// in the artifact, and every reader of JSON has a limit somewhere.
const MaxDepth = 100

// decoder turns JSON texts into trees, one after the other: a tree is valid until the next
// call. It is strict as the library is: no duplicate keys, no invalid UTF-8.
type decoder struct {
	*strictjson.Decoder
	tree tree
	most int     // nodes of an earlier tree
	open []int32 // containers being read

	reader reader  // of the message being read
	blocks []block // of that message
	texts  texts   // of the block being read
	buffer []byte  // of a string with escapes
}

// decoders are used again: most messages have one block, and making a decoder takes longer
// than reading it.
var decoders = sync.Pool{New: func() any {
	return &decoder{Decoder: strictjson.NewDecoder()}
}}

// maxKept bounds what an idle decoder holds on to.
const maxKept = 64 << 10

// release gives a decoder back; its last tree is gone then.
func (d *decoder) release() {
	clear(d.blocks)
	d.reader = reader{}
	d.most = max(d.most, len(d.tree.nodes))
	if d.Size() > maxKept || cap(d.tree.nodes) > maxKept/32 || cap(d.blocks) > maxKept/128 || cap(d.buffer) > maxKept {
		return
	}
	clear(d.tree.nodes[:d.most]) // they hold on to messages
	d.most = 0
	d.tree.source = ""
	d.texts.begin()
	d.Forget()
	decoders.Put(d)
}

// errSecondValue says that another value follows the first, errTrailing that other text does.
var (
	errSecondValue = errors.New("second value")
	errTrailing    = errors.New("text after the value")
)

// decode reads one JSON value and nothing after it. On failure it returns the place of the
// error with it.
func (d *decoder) decode(source string) (*tree, int, error) {
	d.Reset(source)
	d.most = max(d.most, len(d.tree.nodes))
	d.tree = tree{source: source, nodes: d.tree.nodes[:0], deep: -1}
	d.open = d.open[:0]
	for {
		if err := d.read(); err != nil {
			return nil, d.place(err), err
		}
		if len(d.open) == 0 {
			break
		}
	}
	return d.finish()
}

// finish makes sure that nothing follows the value.
func (d *decoder) finish() (*tree, int, error) {
	source := d.tree.source
	next := d.Offset()
	next += len(source[next:]) - len(strings.TrimLeft(source[next:], " \t\r\n"))
	switch _, _, err := d.Next(); {
	case errors.Is(err, io.EOF):
		return &d.tree, 0, nil
	case err == nil:
		return nil, next, errSecondValue
	default:
		return nil, next, errTrailing
	}
}

// place returns where an error happened.
func (d *decoder) place(err error) int {
	source := d.tree.source
	at, ok := strictjson.Place(err)
	if !ok {
		return len(source)
	}
	at = min(at, len(source))
	if inWord := at < len(source) && wordAt(source[at:at+1]) != ""; inWord || strings.Contains(strictjson.Reason(err), "literal") {
		for at > 0 && wordAt(source[at-1:at]) != "" {
			at-- // the library stops inside words that begin like a literal or a number
		}
	}
	return at
}

// read reads the next token into the tree.
func (d *decoder) read() error {
	k, raw, err := d.Next()
	switch {
	case err != nil:
		return err
	case k == '"' || k == '0':
		d.leaf(k, raw)
	default:
		d.token(k)
	}
	return nil
}

func (d *decoder) token(k strictjson.Kind) {
	end := int32(d.Offset())
	switch k {
	case '{':
		d.push(strictjson.Object, end)
	case '[':
		d.push(strictjson.Array, end)
	case '}', ']':
		top := &d.tree.nodes[d.open[len(d.open)-1]]
		top.end, top.next = end, int32(len(d.tree.nodes))
		d.open = d.open[:len(d.open)-1]
	case 't':
		d.add(node{kind: strictjson.True, start: end - 4, end: end})
	case 'f':
		d.add(node{kind: strictjson.False, start: end - 5, end: end})
	default:
		d.add(node{kind: strictjson.Null, start: end - 4, end: end})
	}
}

func (d *decoder) push(k strictjson.Kind, end int32) {
	d.open = append(d.open, int32(len(d.tree.nodes)))
	d.add(node{kind: k, start: end - 1, end: end})
	if len(d.open) > MaxDepth && d.tree.deep < 0 {
		d.tree.deep = int(end - 1)
	}
}

func (d *decoder) add(n node) {
	n.next = int32(len(d.tree.nodes)) + 1
	d.tree.nodes = append(d.tree.nodes, n)
}

// leaf adds a string or number. A string without escapes is a piece of the source.
func (d *decoder) leaf(k strictjson.Kind, raw string) {
	end := int32(d.Offset())
	n := node{kind: strictjson.Number, start: end - int32(len(raw)), end: end}
	switch {
	case k == '0':
		d.tree.unsafe = d.tree.unsafe || !finite(raw)
	case !d.Escaped():
		n.kind, n.text = strictjson.String, raw[1:len(raw)-1]
	default:
		d.buffer = strictjson.AppendText(d.buffer[:0], raw)
		n.kind, n.text, n.owned = strictjson.String, string(d.buffer), true
		d.tree.unsafe = d.tree.unsafe || strings.IndexByte(n.text, 0) >= 0
	}
	d.add(n)
}

// finite tells whether a float64 can hold the number: the artifact hash needs one
// (PROTOCOL 14, RFC 8785).
func finite(number string) bool {
	if len(number) < 300 && !strings.ContainsAny(number, "eE") {
		return true
	}
	_, err := strconv.ParseFloat(number, 64)
	return err == nil
}

// compact writes a value without insignificant space.
func (v value) compact() string {
	raw := v.raw()
	if !strings.ContainsAny(raw, " \t\r\n") {
		return raw
	}
	return strictjson.Compact(raw)
}
