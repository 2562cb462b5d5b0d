package web

import (
	"slices"
	"sync"

	"brenner/internal/artifact/diff"
	"brenner/internal/session"
	"brenner/internal/textdiff"
)

// comparison is what changed between two issues. It never changes, so that a page of it is all that is
// made for a request.
type comparison struct {
	changes []*changeView // in the order of the artifact
	counts  []countView
	empty   bool
	regions func() []textdiff.Region // of the texts beside each other
}

func compare(a, b *session.Content) *comparison {
	d := diff.Between(a.Document.Artifact, b.Document.Artifact)
	list := changeList{now: b.Document.Artifact, items: map[diff.Ref]*changeView{}}
	list.take(d)
	c := &comparison{changes: list.sorted(), empty: d.Empty()}
	c.counts = slices.DeleteFunc([]countView{
		{"added", len(d.Added)}, {"edited", list.edited()}, {"killed", len(d.Killed)}, {"revived", len(d.Revived)},
		{"removed", len(d.Removed)},
	}, func(v countView) bool { return v.N == 0 })
	c.regions = sync.OnceValue(func() []textdiff.Region {
		return textdiff.Fold(textdiff.Rows(textOf(a), textOf(b)), contextLines)
	})
	return c
}

// textOf is the Markdown of an issue; before the first version there is none.
func textOf(i *session.Content) string {
	if i.View.Messages == 0 {
		return ""
	}
	return i.Text()
}

// comparisonOf compares two contents, once.
func comparisonOf(from, to *session.Content) *comparison {
	return session.Compared(from, to, func() *comparison { return compare(from, to) })
}
