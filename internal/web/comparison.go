package web

import (
	"slices"
	"sync"

	"brenner/artifact/diff"
	"brenner/internal/textdiff"
	"brenner/session"
)

// comparison is what changed between two issues. It never changes, so that a page of it is all that is
// made for a request.
type comparison struct {
	changes []*changeView // in the order of the artifact
	counts  []countView
	empty   bool
	regions func() []textdiff.Region // of the texts beside each other
}

func compare(a, b *session.Issue) *comparison {
	d := diff.Between(a.Document.Artifact, b.Document.Artifact)
	list := changeList{now: b.Document.Artifact, items: map[diff.Ref]*changeView{}}
	list.take(d)
	c := &comparison{changes: list.sorted(), empty: d.Empty()}
	c.counts = slices.DeleteFunc([]countView{
		{"added", len(d.Added)}, {"edited", list.edited()}, {"killed", len(d.Killed)}, {"revived", len(d.Revived)}, {"removed", len(d.Removed)},
	}, func(v countView) bool { return v.N == 0 })
	c.regions = sync.OnceValue(func() []textdiff.Region {
		return textdiff.Fold(textdiff.Rows(textOf(a), textOf(b)), contextLines)
	})
	return c
}

// textOf is the Markdown of an issue; before the first version there is none.
func textOf(i *session.Issue) string {
	if i.View.Messages == 0 {
		return ""
	}
	return i.Text()
}

// comparisons remembers a few that somebody looked at. Safe for concurrent use.
type comparisons struct {
	mu   sync.Mutex
	kept map[sides]*comparison
}

type sides struct{ from, to *session.Issue }

// mostComparisons is how many are remembered.
const mostComparisons = 8

func (c *comparisons) of(from, to *session.Issue) *comparison {
	at := sides{from, to}
	c.mu.Lock()
	found := c.kept[at]
	c.mu.Unlock()
	if found != nil {
		return found
	}
	found = compare(from, to)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil || len(c.kept) >= mostComparisons {
		c.kept = map[sides]*comparison{}
	}
	c.kept[at] = found
	return found
}
