package journal

import (
	"encoding/json"
	"fmt"
	"strconv"

	"brenner/internal/canon"
)

// Leaf is an entry of the journal, with the keys that SCIENCE 11 names.
type Leaf struct {
	N         int64  `json:"n"`
	ThreadID  string `json:"thread_id"`
	MessageID int64  `json:"message_id"` // the origin id
	ChainHash string `json:"chain_hash"`
	Kind      Kind   `json:"kind"`
	At        string `json:"at"` // the line's created_ts
	Imported  bool   `json:"imported"`
	Begun     int64  `json:"begun"` // threads with a start leaf, this one included
	Completed int64  `json:"completed"`
}

// Line is the leaf as RFC 8785 JSON: what its hash is over.
func (l *Leaf) Line() string {
	b := canon.AppendString([]byte(`{"at":`), l.At)
	b = strconv.AppendInt(append(b, `,"begun":`...), l.Begun, 10)
	b = canon.AppendString(append(b, `,"chain_hash":`...), l.ChainHash)
	b = strconv.AppendInt(append(b, `,"completed":`...), l.Completed, 10)
	b = strconv.AppendBool(append(b, `,"imported":`...), l.Imported)
	b = canon.AppendString(append(b, `,"kind":`...), string(l.Kind))
	b = strconv.AppendInt(append(b, `,"message_id":`...), l.MessageID, 10)
	b = strconv.AppendInt(append(b, `,"n":`...), l.N, 10)
	b = canon.AppendString(append(b, `,"thread_id":`...), l.ThreadID)
	return string(append(b, '}'))
}

// ParseLeaf reads a line that Line wrote; anything else is an error.
func ParseLeaf(line string) (Leaf, error) {
	var l Leaf
	if err := json.Unmarshal([]byte(line), &l); err != nil {
		return Leaf{}, err
	}
	if l.Line() != line {
		return l, fmt.Errorf("the leaf %d is not in its canonical form", l.N)
	}
	return l, nil
}

// ReadLeaf reads a line that a store kept. One that somebody changed into something else comes back as a leaf that no log gives, and
// verify says so.
func ReadLeaf(line string) Leaf {
	l, err := ParseLeaf(line)
	if err != nil {
		return Leaf{N: l.N, Kind: "unreadable"}
	}
	return l
}

// Head is where the journal ends.
type Head struct{ Size, Begun, Completed int64 }

// After is the head of a journal that ends with a leaf.
func (l *Leaf) After() Head { return Head{l.N + 1, l.Begun, l.Completed} }

// Next makes the leaf of a message behind the head, and moves the head. The story is that of its thread before it.
func (h *Head) Next(l Leaf, story *Story) Leaf {
	if l.Kind == Start {
		h.Begun++
	}
	if l.Kind == Complete && !story.Completed {
		h.Completed++
	}
	l.N, l.Begun, l.Completed = h.Size, h.Begun, h.Completed
	h.Size++
	return l
}
