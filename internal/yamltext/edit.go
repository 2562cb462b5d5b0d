package yamltext

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Append adds a node to the sequence at a path of keys (string) and places (int) in a document, and
// returns the document anew. Keys and comments that are there stay. Mappings and the sequence are made
// where they are missing.
func Append(text []byte, n *Node, path ...any) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	if doc.Kind == 0 { // empty, or comments alone
		doc = yaml.Node{Kind: yaml.DocumentNode, HeadComment: string(bytes.TrimSpace(text))}
		doc.Content = []*yaml.Node{{Kind: yaml.MappingNode}}
	}
	at := doc.Content[0]
	for i, step := range path {
		made := yaml.MappingNode
		if i == len(path)-1 {
			made = yaml.SequenceNode
		}
		next, err := child(at, step, made)
		if err != nil {
			return nil, err
		}
		at = next
	}
	if at.Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("line %d is not a list", at.Line)
	}
	at.Style = 0
	at.Content = append(at.Content, build(n))
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(&doc); err != nil {
		return nil, fmt.Errorf("write YAML: %w", err)
	}
	return out.Bytes(), nil
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
