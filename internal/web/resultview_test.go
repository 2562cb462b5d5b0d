package web

import (
	"testing"

	"brenner/internal/science"
	"brenner/internal/study"
)

// TestResultsOfATest: a page lists the latest results, each with its own author, and counts the others.
func TestResultsOfATest(t *testing.T) {
	b := &binder{thread: "RS-20260110-cells-turn"}
	by := int64(9)
	list := make([]study.Result, maxResults+2)
	for i := range list {
		list[i] = study.Result{ResultRow: science.ResultRow{MessageID: int64(i), Standing: science.Replaced, ReplacedBy: &by}, Said: "up"}
	}
	last := &list[len(list)-1]
	last.Standing, last.ReplacedBy, last.Uncounted = science.Main, nil, "no label"
	views, more := b.found(list)
	if more != 2 || len(views) != maxResults || views[0].MessageID != 2 {
		t.Fatalf("%d views from #%d, %d more", len(views), views[0].MessageID, more)
	}
	if v := views[0]; v.Fate != "replaced by #9" || !v.Gone || v.Href != "/t/RS-20260110-cells-turn?at=2#m2" {
		t.Errorf("%+v", v)
	}
	if v := views[len(views)-1]; v.Fate != "main result, not counted: no label" || v.Gone {
		t.Errorf("%+v", v)
	}
}
