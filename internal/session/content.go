package session

import (
	"context"
	"sync"

	"brenner/internal/artifact"
	"brenner/internal/artifact/markdown"
	"brenner/internal/fold"
)

// Content is the artifact of a published version or of a draft, with what never changes about it, so that it is made
// once for all readers. It is shared and read only.
type Content struct {
	View     *fold.View
	Document artifact.Document // of the view; closed or not is another matter
	Text     func() string     // the document as Markdown

	mu       sync.Mutex
	compared map[*Content]any // what a surface made of it and another, the last few
}

func newContent(v *fold.View) *Content {
	i := &Content{View: v, Document: v.Document()}
	i.Text = sync.OnceValue(func() string { return markdown.Render(i.Document) })
	return i
}

// contentKey names a content: a published one by its message, for good; the draft of a session and the empty one before the first
// version by being none.
type contentKey struct {
	published publication
	draft     bool
}

// Content returns what a version of the thread holds; 0 is the empty artifact. All but the latest are folded again from the log. NOT_FOUND:
// there is no such version.
func (s *Session) Content(ctx context.Context, version int) (*Content, error) {
	var key contentKey
	if version > 0 {
		v, ok := s.View.Fold.Version(version)
		if !ok {
			return nil, noVersion(s.ID(), version)
		}
		key.published = publicationOf(v)
	}
	if known := s.content(key); known != nil {
		return known, nil
	}
	v, err := s.At(ctx, version)
	if err != nil {
		return nil, err
	}
	return s.keepContent(key, newContent(v)), nil
}

// Draft returns what the next version would hold.
func (s *Session) Draft() *Content {
	key := contentKey{draft: true}
	if known := s.content(key); known != nil {
		return known
	}
	return s.keepContent(key, newContent(s.View))
}

func (s *Session) content(key contentKey) *Content {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.contents[key]
}

// keepContent returns the content that was there first.
func (s *Session) keepContent(key contentKey, c *Content) *Content {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.contents[key]; known != nil {
		return known
	}
	if len(s.contents) >= maxInherited { // a reader goes through all versions
		clear(s.contents)
	}
	s.contents[key] = c
	return c
}

// maxCompared is how many comparisons are kept beside a content.
const maxCompared = 4

// Compared returns what a surface makes of two contents, made once as long as both are kept.
func Compared[T any](from, to *Content, build func() T) T {
	to.mu.Lock()
	slot, ok := to.compared[from].(*once[T])
	if !ok {
		if len(to.compared) >= maxCompared || to.compared == nil {
			to.compared = map[*Content]any{}
		}
		slot = &once[T]{}
		to.compared[from] = slot
	}
	to.mu.Unlock()
	return slot.get(build)
}
