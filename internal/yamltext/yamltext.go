// Package yamltext reads YAML. It is the one owner of the YAML library, so that front matter
// and settings files are read alike.
package yamltext

import (
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// ToJSON turns one YAML document into JSON. An empty document is an empty object. Duplicate
// keys and keys that are not text are errors; the message names the line.
func ToJSON(text []byte) ([]byte, error) {
	var value any
	if err := yaml.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	if value == nil {
		return []byte("{}"), nil
	}
	data, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("keys must be text: %w", err)
	}
	return data, nil
}
