package journal

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"brenner/internal/protocol"
)

// Checkpoint says how large a journal was and what its root was.
type Checkpoint struct {
	Origin string
	Size   int64
	Root   Root
}

// Checkpoint is that of the first size leaves.
func (t *Tree) Checkpoint(size int64) Checkpoint {
	return Checkpoint{t.Origin(), size, t.Root(size)}
}

// Note is the text that is signed, stamped and kept (SCIENCE 11).
func (c Checkpoint) Note() string { return NoteOf(c.Origin, c.Size, c.Root.Base64()) }

// NoteOf is the note of a checkpoint whose root is written in base64.
func NoteOf(origin string, size int64, root string) string {
	return fmt.Sprintf("%s\n%d\n%s\n", origin, size, root)
}

// ParseNote reads a note. INVALID_INPUT: it is not exactly in the form of Note.
func ParseNote(note string) (Checkpoint, error) {
	lines := strings.Split(note, "\n")
	if len(lines) != 4 {
		return Checkpoint{}, badNote()
	}
	c := Checkpoint{Origin: lines[0]}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err == nil {
		c.Size = size
		c.Root, err = parseRoot(lines[2])
	}
	if err != nil || c.Size < 1 || !IsOrigin(c.Origin) || c.Note() != note {
		return Checkpoint{}, badNote()
	}
	return c, nil
}

func badNote() error {
	return protocol.Errorf(protocol.InvalidInput,
		"this is no checkpoint: a note has an origin brenner/ with 16 hex digits, a size and a root in base64, one a line")
}

// IsOrigin tells whether a text names a journal.
func IsOrigin(text string) bool {
	digits, ok := strings.CutPrefix(text, "brenner/")
	return ok && len(digits) == 16 && strings.Trim(digits, "0123456789abcdef") == ""
}

// Extends refuses a checkpoint that does not continue an earlier one of its origin. NOT_CONSISTENT: it is smaller, has another root at the
// same size, or the proof fails.
func (c Checkpoint) Extends(last Checkpoint, proof Proof) error {
	switch {
	case c.Origin != last.Origin:
		return NotConsistent("%s is another journal than %s", c.Origin, last.Origin)
	case c.Size < last.Size:
		return NotConsistent("%s has %s; it had %d before", c.Origin, leaves(c.Size), last.Size)
	case c.Size == last.Size && c.Root != last.Root:
		return NotConsistent("%s has another root at size %d than before", c.Origin, c.Size)
	case c.Size == last.Size:
		return nil
	}
	if err := tlog.CheckTree(tlog.TreeProof(proof), c.Size, tlog.Hash(c.Root), last.Size, tlog.Hash(last.Root)); err != nil {
		return NotConsistent("the journal %s of size %d is not the beginning of that of size %d", c.Origin, last.Size, c.Size)
	}
	return nil
}

func leaves(n int64) string {
	if n == 1 {
		return "1 leaf"
	}
	return strconv.FormatInt(n, 10) + " leaves"
}

// NotConsistent is the error for a journal that does not continue what was witnessed.
func NotConsistent(format string, args ...any) error {
	return protocol.Errorf(protocol.NotConsistent, format, args...)
}

// Holds tells whether the tree has the checkpoint's leaves. NOT_CONSISTENT: it does not begin with them.
func (t *Tree) Holds(c Checkpoint) error {
	switch {
	case t.size == 0:
		return NotConsistent("the journal is empty; the checkpoint has %s", leaves(c.Size))
	case t.Origin() != c.Origin:
		return NotConsistent("the journal is %s; the checkpoint is of %s", t.Origin(), c.Origin)
	case t.size < c.Size:
		return NotConsistent("the journal has %s; the checkpoint has %d", leaves(t.size), c.Size)
	case t.Root(c.Size) != c.Root:
		return NotConsistent("the first %s of the journal are others than those of the checkpoint", leaves(c.Size))
	}
	return nil
}

// Covers tells whether a leaf's line is at its place in the checkpoint's tree.
func (c Checkpoint) Covers(n int64, line string, proof Proof) bool {
	return n >= 0 && n < c.Size &&
		tlog.CheckRecord(tlog.RecordProof(proof), c.Size, tlog.Hash(c.Root), n, tlog.RecordHash([]byte(line))) == nil
}

// MarshalJSON writes the hashes in base64.
func (p Proof) MarshalJSON() ([]byte, error) { return json.Marshal(p.texts()) }

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Proof) UnmarshalJSON(data []byte) (err error) {
	var texts []string
	if err = json.Unmarshal(data, &texts); err == nil {
		*p, err = parseProof(texts)
	}
	return err
}
