package web

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/figure"
	"brenner/internal/protocol"
)

// noteView says where values came from: one note for each block of a message that wrote any. Every field
// leads to its note, as in a paper; with a pointer or a keyboard it is shown beside the field.
type noteView struct {
	ID        string
	Number    int
	Agent     string
	By        figure.Agent
	At        time.Time
	MessageID int64
	Block     int
	Rationale string
	Href      string // the message
}

// noteRef leads from a field to its note.
type noteRef struct {
	ID        string
	Number    int
	By        figure.Agent
	MessageID int64
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
			ID: fmt.Sprintf("src-%d-%d", s.MessageID, s.Block), Number: i + 1, Agent: s.Agent, By: b.cast.Of(s.Agent), At: s.At,
			MessageID: s.MessageID, Block: s.Block, Rationale: protocol.ShortenBytes(s.Rationale, 600),
			Href: messageURL(b.thread, s.MessageID),
		})
	}
	return &noteRef{b.notes[i].ID, b.notes[i].Number, b.notes[i].By, b.notes[i].MessageID}
}

// home is where most of an item came from. What came from there needs no mark of its own: the item says it once.
func home(it *artifact.Item) *artifact.Source {
	best, most := it.Origin(), 0
	count := map[noteKey]int{}
	for _, path := range it.SourcePaths() {
		s := it.Source(path)
		if s == nil {
			continue
		}
		key := noteKey{s.MessageID, s.Block}
		count[key]++
		if n := count[key]; n > most || n == most && s == it.Origin() {
			best, most = s, n
		}
	}
	return best
}

// apart is the note of a value that did not come with the rest of its item; nil for the others.
func (b *binder) apart(it *artifact.Item, path string) *noteRef {
	s, h := sourceOf(it, path), b.home[it.ID]
	if h == nil {
		h = home(it)
		b.home[it.ID] = h
	}
	if s == nil || h != nil && s.MessageID == h.MessageID && s.Block == h.Block {
		return nil
	}
	return b.note(s)
}

// written lists where the values of an item came from, once each and in the order of the log.
func (b *binder) written(it *artifact.Item) []*noteRef {
	var sources []*artifact.Source
	for _, path := range it.SourcePaths() {
		if s := it.Source(path); s != nil && !slices.ContainsFunc(sources, func(o *artifact.Source) bool {
			return o.MessageID == s.MessageID && o.Block == s.Block
		}) {
			sources = append(sources, s)
		}
	}
	slices.SortFunc(sources, func(a, b *artifact.Source) int {
		return cmp.Or(cmp.Compare(a.MessageID, b.MessageID), cmp.Compare(a.Block, b.Block))
	})
	list := make([]*noteRef, len(sources))
	for i, s := range sources {
		list[i] = b.note(s)
	}
	return list
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
