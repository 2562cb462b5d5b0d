package web

import (
	"fmt"
	"strings"
	"time"

	"brenner/artifact"
)

// noteView says where values came from: one note for each block of a message that wrote any. Every field
// leads to its note, as in a paper; with a pointer or a keyboard it is shown beside the field.
type noteView struct {
	ID        string
	Number    int
	Agent     string
	At        time.Time
	MessageID int64
	Block     int
	Rationale string
	Href      string // the message
}

// noteRef leads from a field to its note.
type noteRef struct {
	ID     string
	Number int
	Agent  string
}

type noteKey struct {
	message int64
	block   int
}

// note is the reference to a source; nil where that is unknown, as in an artifact read from a file.
func (b *binder) note(s *artifact.Source) *noteRef {
	if s == nil {
		return nil
	}
	key := noteKey{s.MessageID, s.Block}
	i, ok := b.noteOf[key]
	if !ok {
		i = len(b.notes)
		b.noteOf[key] = i
		b.notes = append(b.notes, noteView{
			ID: fmt.Sprintf("src-%d-%d", s.MessageID, s.Block), Number: i + 1, Agent: s.Agent, At: s.At,
			MessageID: s.MessageID, Block: s.Block, Rationale: clip(s.Rationale, 600),
			Href: messageURL(b.thread, s.MessageID),
		})
	}
	return &noteRef{b.notes[i].ID, b.notes[i].Number, b.notes[i].Agent}
}

// sourceOf finds where a field came from. A field whose parts were written one by one is dated by the
// part that was written last.
func sourceOf(it *artifact.Item, path string) *artifact.Source {
	if s := it.Source(path); s != nil {
		return s
	}
	var latest *artifact.Source
	for _, p := range it.SourcePaths() {
		if s := it.Source(p); strings.HasPrefix(p, path+".") && s != nil && (latest == nil || s.MessageID >= latest.MessageID) {
			latest = s
		}
	}
	if latest == nil {
		if field, _, isPart := strings.Cut(path, "."); isPart {
			return it.Source(field)
		}
	}
	return latest
}
