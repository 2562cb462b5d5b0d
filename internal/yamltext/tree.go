package yamltext

import (
	"bytes"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"brenner/internal/pattern"
)

// Kind is what a node is.
type Kind uint8

// The kinds of nodes.
const (
	Scalar Kind = iota
	Sequence
	Mapping
)

// Node is a part of a YAML document with its place. An alias is the node it stands for, so a
// tree can hold a node twice, or inside itself: walk it only as deep as you know it.
type Node struct {
	Kind    Kind
	Text    string   // of a scalar, as it is meant
	Plain   bool     // a scalar without quotes: a number, a truth value, null or a bare word
	Items   []*Node  // of a sequence
	Members []Member // of a mapping, in order
	Line    int      // from 1
	Column  int      // from 1
}

// Member is a key of a mapping with its value.
type Member struct {
	Key          string
	Line, Column int // of the key
	Value        *Node
}

// Null tells whether a scalar says that there is nothing.
func (n *Node) Null() bool {
	if n.Kind != Scalar || !n.Plain {
		return false
	}
	switch strings.ToLower(n.Text) {
	case "", "~", "null":
		return true
	}
	return false
}

// Parse reads one YAML document with the places of its parts; nil if it is empty. Keys that
// are not scalars have an empty name.
func Parse(text []byte) (*Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	return convert(doc.Content[0], map[*yaml.Node]*Node{}), nil
}

func convert(from *yaml.Node, done map[*yaml.Node]*Node) *Node {
	if from.Kind == yaml.AliasNode {
		from = from.Alias
	}
	if n, ok := done[from]; ok {
		return n
	}
	n := &Node{Line: from.Line, Column: from.Column}
	done[from] = n
	switch from.Kind {
	case yaml.SequenceNode:
		n.Kind = Sequence
		for _, item := range from.Content {
			n.Items = append(n.Items, convert(item, done))
		}
	case yaml.MappingNode:
		n.Kind = Mapping
		for i := 0; i+1 < len(from.Content); i += 2 {
			key := from.Content[i]
			n.Members = append(n.Members, Member{key.Value, key.Line, key.Column, convert(from.Content[i+1], done)})
		}
	default:
		n.Text, n.Plain = from.Value, from.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	}
	return n
}

// Format writes a tree as YAML, mappings in the order of their members. A scalar that is not
// Plain is quoted unless it is a bare word, so that any text stays on one line and no reader
// takes it for something else.
func Format(n *Node) ([]byte, error) {
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(build(n)); err != nil {
		return nil, fmt.Errorf("write YAML: %w", err)
	}
	return out.Bytes(), nil
}

func build(n *Node) *yaml.Node {
	switch n.Kind {
	case Sequence:
		to := &yaml.Node{Kind: yaml.SequenceNode}
		if len(n.Items) == 0 {
			to.Style = yaml.FlowStyle
		}
		for _, item := range n.Items {
			to.Content = append(to.Content, build(item))
		}
		return to
	case Mapping:
		to := &yaml.Node{Kind: yaml.MappingNode}
		for _, m := range n.Members {
			to.Content = append(to.Content, scalar(&Node{Text: m.Key}), build(m.Value))
		}
		return to
	}
	return scalar(n)
}

func scalar(n *Node) *yaml.Node {
	to := &yaml.Node{Kind: yaml.ScalarNode, Value: n.Text}
	if !n.Plain && !bareWord(n.Text) {
		to.Tag, to.Style = "!!str", yaml.DoubleQuotedStyle
	}
	return to
}

var (
	word      = pattern.Lazy(`^[A-Za-z][A-Za-z0-9]*([_-][A-Za-z0-9]+)*$`)
	reserved  = pattern.Lazy(`^(?i:y|n|yes|no|on|off|true|false|null|nan|inf)$`)
	bareLimit = 60
)

// bareWord tells whether no YAML reader sees anything but a text.
func bareWord(text string) bool {
	return len(text) <= bareLimit && word().MatchString(text) && !reserved().MatchString(text)
}
