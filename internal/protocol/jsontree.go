package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"
)

// jsonNode is a JSON value with its place in the text. Only rosters and presets are read
// this way; the standard decoder finds the tokens.
type jsonNode struct {
	value    any // string, json.Number, bool, nil; json.Delim for an object or a list
	offset   int
	members  []jsonMember // of an object, in order
	elements []*jsonNode  // of a list
}

type jsonMember struct {
	name   string
	offset int
	node   *jsonNode
}

func (n *jsonNode) isObject() bool { return n.value == json.Delim('{') }
func (n *jsonNode) isList() bool   { return n.value == json.Delim('[') }

// kind names the node's type for a person.
func (n *jsonNode) kind() string {
	switch n.value.(type) {
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case bool:
		return "true or false"
	case nil:
		return "null"
	}
	if n.isObject() {
		return "an object"
	}
	return "a list"
}

// maxDepth keeps hostile nesting off the stack.
const maxDepth = 64

type treeReader struct {
	data    []byte
	decoder *json.Decoder
	offset  int // of the last token
}

// readTree reads one JSON value. The error is at the offset returned beside it.
func readTree(data []byte) (*jsonNode, int, error) {
	r := &treeReader{data: data, decoder: json.NewDecoder(bytes.NewReader(data))}
	r.decoder.UseNumber()
	if !utf8.Valid(data) {
		return nil, 0, errors.New("it is not UTF-8")
	}
	node, err := r.read(0)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the text ends too early")
	}
	if err != nil {
		return nil, r.offset, err
	}
	if _, err := r.token(); !errors.Is(err, io.EOF) {
		return nil, r.offset, errors.New("a second value follows the first")
	}
	return node, 0, nil
}

func (r *treeReader) token() (json.Token, error) {
	r.offset = int(r.decoder.InputOffset())
	for r.offset < len(r.data) && bytes.IndexByte([]byte(" \t\r\n,:"), r.data[r.offset]) >= 0 {
		r.offset++
	}
	token, err := r.decoder.Token()
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Offset > 0 {
		r.offset = max(r.offset, min(int(syntax.Offset)-1, len(r.data)))
	}
	return token, err
}

func (r *treeReader) read(depth int) (*jsonNode, error) {
	token, err := r.token()
	if err != nil {
		return nil, err
	}
	node := &jsonNode{value: token, offset: r.offset}
	if _, ok := token.(json.Delim); !ok {
		return node, nil
	}
	if depth == maxDepth {
		return nil, errors.New("it is nested too deeply")
	}
	for r.decoder.More() {
		if err := r.readChild(node, depth); err != nil {
			return nil, err
		}
	}
	if _, err := r.token(); err != nil {
		return nil, err
	}
	return node, nil
}

func (r *treeReader) readChild(node *jsonNode, depth int) error {
	var member jsonMember
	if node.isObject() {
		token, err := r.token()
		if err != nil {
			return err
		}
		member.name, _ = token.(string)
		member.offset = r.offset
	}
	child, err := r.read(depth + 1)
	if err != nil {
		return err
	}
	if member.node = child; node.isObject() {
		node.members = append(node.members, member)
	} else {
		node.elements = append(node.elements, child)
	}
	return nil
}
