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
}

func newContent(v *fold.View) *Content {
	i := &Content{View: v, Document: v.Document()}
	i.Text = sync.OnceValue(func() string { return markdown.Render(i.Document) })
	return i
}

// contentKey names an content for good: a published one by its message, a draft by the position of its view.
type contentKey struct {
	threadID  string
	published publication
	draft     fold.Position
}

// mostContents is how many are remembered (BenchmarkPages/diff/cold).
const mostContents = 16

// Content returns what a version of the thread of a view holds; 0 is the empty artifact. NOT_FOUND: there
// is no such version.
func (s *Sessions) Content(ctx context.Context, now *fold.View, version int) (*Content, error) {
	key := contentKey{threadID: now.Fold.ThreadID()}
	if version > 0 {
		v, ok := now.Fold.Version(version)
		if !ok {
			return nil, noVersion(key.threadID, version)
		}
		key.published = publicationOf(v)
	}
	return s.contents.Of(key, func() (*Content, error) {
		v, err := s.at(ctx, now, version)
		if err != nil {
			return nil, err
		}
		return newContent(v), nil
	})
}

// DraftContent returns what the next version of the thread of a view would hold.
func (s *Sessions) DraftContent(now *fold.View) *Content {
	i, _ := s.contents.Of(contentKey{threadID: now.Fold.ThreadID(), draft: now.Position()}, func() (*Content, error) { return newContent(now), nil })
	return i
}
