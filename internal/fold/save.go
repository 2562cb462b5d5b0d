package fold

import (
	"encoding/binary"
	"encoding/json"
	"sync"

	"brenner/internal/artifact/merge"
	"brenner/internal/kept"
	"brenner/internal/protocol"
)

// Save writes the view so that Load resumes it. It is as large as the artifact: what the windows hold is kept apart.
// The view of the latest version is part of it, unless that is the view itself; nobody asks that one for windows.
func (v *View) Save() ([]byte, error) {
	f := kept.Writer(nil)
	v.keepHistory(f)
	data, err := v.saveHead(appendPart(nil, f.Bytes()))
	if err != nil || v.published == nil || v.Published() == v {
		return data, err
	}
	return v.Published().saveHead(data)
}

// saveHead appends the view without its history.
func (v *View) saveHead(data []byte) ([]byte, error) {
	line, err := json.Marshal(v)
	return appendPart(appendPart(data, line), v.Fold.Save()), err
}

func appendPart(data, part []byte) []byte {
	return append(binary.AppendUvarint(data, uint64(len(part))), part...)
}

// Load reads what Save wrote. The view of the latest version is read when it is needed.
func Load(data []byte) (*View, error) {
	history, head, err := cutPart(data)
	if err != nil {
		return nil, err
	}
	v, version, err := loadHead(head)
	if err != nil {
		return nil, err
	}
	f := kept.Reader(string(history))
	if v.keepHistory(f); f.End() != nil {
		return nil, protocol.Errorf(protocol.InvalidInput, "the kept view: %w", f.Err())
	}
	switch {
	case v.Head != 0 && v.Head == v.Publication():
		own := v.Fork()
		v.published = func() *View { return own }
	case len(version) > 0:
		v.published = sync.OnceValue(func() *View {
			kept, _, err := loadHead(version)
			if err != nil {
				return nil // it is folded again
			}
			return kept
		})
	}
	return v, nil
}

// loadHead reads what saveHead wrote, and returns what is after it.
func loadHead(data []byte) (*View, []byte, error) {
	line, rest, err := cutPart(data)
	if err != nil {
		return nil, nil, err
	}
	v := NewView("")
	if err := json.Unmarshal(line, v); err != nil {
		return nil, nil, err
	}
	fold, rest, err := cutPart(rest)
	if err != nil {
		return nil, nil, err
	}
	v.Fold, err = merge.Load(fold)
	return v, rest, err
}

func cutPart(data []byte) (part, rest []byte, err error) {
	size, n := binary.Uvarint(data)
	if n <= 0 || size > uint64(len(data)-n) {
		return nil, nil, protocol.Errorf(protocol.InvalidInput, "the kept view is cut off")
	}
	return data[n : n+int(size)], data[n+int(size):], nil
}
