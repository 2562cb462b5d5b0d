package yamltext

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Editor changes parts of a document. Keys and comments that are there stay.
type Editor struct{ doc yaml.Node }

// Edit reads a document to be changed.
func Edit(text []byte) (*Editor, error) {
	e := &Editor{}
	if err := yaml.Unmarshal(text, &e.doc); err != nil {
		return nil, err
	}
	if e.doc.Kind == 0 { // empty, or comments alone
		e.doc = yaml.Node{Kind: yaml.DocumentNode, HeadComment: string(bytes.TrimSpace(text))}
		e.doc.Content = []*yaml.Node{{Kind: yaml.MappingNode}}
	}
	return e, nil
}

// Append adds a node to the sequence at a path of keys (string) and places (int). Mappings and the sequence are made where they
// are missing.
func (e *Editor) Append(n *Node, path ...any) error {
	at, err := e.find(path, yaml.SequenceNode)
	if err != nil {
		return err
	}
	if at.Kind != yaml.SequenceNode {
		return fmt.Errorf("line %d is not a list", at.Line)
	}
	at.Style = 0
	at.Content = append(at.Content, build(n))
	return nil
}

// Set gives a key of the mapping at a path a value; the comment beside the old one stays. A value that other parts of the document
// refer to is not changed.
func (e *Editor) Set(key string, n *Node, path ...any) error {
	at, err := e.find(path, yaml.MappingNode)
	if err != nil {
		return err
	}
	if at.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d is not a mapping", at.Line)
	}
	value := build(n)
	for i := 0; i+1 < len(at.Content); i += 2 {
		if at.Content[i].Value != key {
			continue
		}
		old := at.Content[i+1]
		if old.Anchor != "" {
			return fmt.Errorf("line %d has the anchor &%s, which other parts may refer to", old.Line, old.Anchor)
		}
		value.HeadComment, value.LineComment, value.FootComment = old.HeadComment, old.LineComment, old.FootComment
		at.Content[i+1] = value
		return nil
	}
	at.Content = append(at.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, value)
	return nil
}

// Wrap makes the whole document the value of a key.
func (e *Editor) Wrap(key string) {
	root := e.doc.Content[0]
	e.doc.Content[0] = &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: key}, root}}
}

// Bytes writes the document.
func (e *Editor) Bytes() ([]byte, error) {
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(&e.doc); err != nil {
		return nil, fmt.Errorf("write YAML: %w", err)
	}
	return out.Bytes(), nil
}

// find goes down a path. What is missing is made: mappings, and at its end the kind given.
func (e *Editor) find(path []any, last yaml.Kind) (*yaml.Node, error) {
	at := e.doc.Content[0]
	for i, step := range path {
		made := yaml.MappingNode
		if i == len(path)-1 {
			made = last
		}
		next, err := child(at, step, made)
		if err != nil {
			return nil, err
		}
		at = next
	}
	if at.Kind == yaml.AliasNode {
		at = at.Alias
	}
	return at, nil
}

// Append adds one node to a sequence of a document, and returns the document anew.
func Append(text []byte, n *Node, path ...any) ([]byte, error) {
	e, err := Edit(text)
	if err != nil {
		return nil, err
	}
	if err := e.Append(n, path...); err != nil {
		return nil, err
	}
	return e.Bytes()
}

// child goes one step down. What is missing is made, of the kind given.
func child(at *yaml.Node, step any, made yaml.Kind) (*yaml.Node, error) {
	if at.Kind == yaml.AliasNode {
		at = at.Alias
	}
	place, isPlace := step.(int)
	switch {
	case isPlace && at.Kind == yaml.SequenceNode && place < len(at.Content):
		return at.Content[place], nil
	case isPlace || at.Kind != yaml.MappingNode:
		return nil, fmt.Errorf("line %d has no %v", at.Line, step)
	}
	for i := 0; i+1 < len(at.Content); i += 2 {
		if at.Content[i].Value == step {
			value := at.Content[i+1]
			if value.Kind == yaml.ScalarNode && value.Tag == "!!null" {
				*value = yaml.Node{Kind: made}
			}
			return value, nil
		}
	}
	value := &yaml.Node{Kind: made}
	at.Content = append(at.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: fmt.Sprint(step)}, value)
	return value, nil
}
