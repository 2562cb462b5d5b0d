package session

import (
	"context"
	"sync"

	"brenner/artifact"
	"brenner/artifact/markdown"
	"brenner/session/live"
)

// Issue is an artifact as it stood when a version was published, or as it stands in a draft, with what
// never changes about it: whoever reads it again does not make it again. It is shared and read only.
type Issue struct {
	View     *View
	Document artifact.Document // of the view; closed or not is another matter
	Text     func() string     // the document as Markdown
}

func newIssue(v *View) *Issue {
	i := &Issue{View: v, Document: v.Document()}
	i.Text = sync.OnceValue(func() string { return markdown.Render(i.Document) })
	return i
}

// issueKey names an issue for good: a published one by its message, a draft by the position of its view.
type issueKey struct {
	threadID  string
	published publication
	draft     live.Position
}

// mostIssues is how many are remembered (BenchmarkPages/artifact/cold).
const mostIssues = 16

// Issue returns what a version of the thread of a view holds; 0 is the empty artifact. NOT_FOUND: there
// is no such version.
func (s *Sessions) Issue(ctx context.Context, now *View, version int) (*Issue, error) {
	key := issueKey{threadID: now.Fold.ThreadID()}
	if version > 0 {
		v, ok := now.Fold.Version(version)
		if !ok {
			return nil, noVersion(key.threadID, version)
		}
		key.published = publicationOf(v)
	}
	return s.issues.Of(key, func() (*Issue, error) {
		v, err := s.at(ctx, now, version)
		if err != nil {
			return nil, err
		}
		return newIssue(v), nil
	})
}

// DraftIssue returns what the next version of the thread of a view would hold.
func (s *Sessions) DraftIssue(now *View) *Issue {
	i, _ := s.issues.Of(issueKey{threadID: now.Fold.ThreadID(), draft: now.Position()}, func() (*Issue, error) { return newIssue(now), nil })
	return i
}
