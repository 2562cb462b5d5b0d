package fold

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"sync"

	"brenner/internal/artifact/merge"
	"brenner/internal/protocol"
)

// Save writes the view so that Load resumes it: a line of JSON, the fold's own form after its length,
// and the view of the latest version in the same way, unless that is the view itself.
func (v *View) Save() ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	fold := v.Fold.Save()
	data = binary.AppendUvarint(append(data, '\n'), uint64(len(fold)))
	data = append(data, fold...)
	if v.published == nil || v.Published() == v {
		return data, nil
	}
	version, err := v.Published().Save()
	return append(data, version...), err
}

// Load reads what Save wrote. The view of the latest version is read when it is needed.
func Load(data []byte) (*View, error) {
	line, rest, _ := bytes.Cut(data, []byte{'\n'})
	v := NewView("")
	if err := json.Unmarshal(line, v); err != nil {
		return nil, err
	}
	size, n := binary.Uvarint(rest)
	if n <= 0 || size > uint64(len(rest)-n) {
		return nil, protocol.Errorf(protocol.InvalidInput, "the kept view is cut off")
	}
	fold, version := rest[n:n+int(size)], rest[n+int(size):]
	var err error
	if v.Fold, err = merge.Load(fold); err != nil {
		return nil, err
	}
	switch {
	case v.Head != 0 && v.Head == v.Publication():
		own := v.Fork()
		v.published = func() *View { return own }
	case len(version) > 0:
		v.published = sync.OnceValue(func() *View {
			kept, err := Load(version)
			if err != nil {
				return nil // it is folded again
			}
			return kept
		})
	}
	return v, nil
}
