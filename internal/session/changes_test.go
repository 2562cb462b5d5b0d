package session_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/fold"
	"brenner/internal/session"
)

// TestTimelineSaysWhatChanged: a message shows what it did, old and new, before a version takes it in and after.
func TestTimelineSaysWhatChanged(t *testing.T) {
	b := newBench(t)
	b.start()
	b.send("BlueLake", "DELTA[gpt]: One", hypothesis("Gravity", "It pulls."), 0)
	b.send("BlueLake", "DELTA[gpt]: Two", edit("H1", "claim", "It pulls hard."), 0)
	b.send("BlueLake", "DELTA[gpt]: Three", "# Delta Contribution\n\n## Deltas\n\n```delta\n"+
		`{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","payload":{"reason":"It floats."},"rationale":"Seen."}`+
		"\n```\n", 0)
	want := []fold.Change{
		{Item: "H1", Kind: fold.Added, Name: "Gravity", New: "It pulls.", Rationale: "r"},
		{Item: "H1", Kind: fold.Edited, Name: "Gravity", Field: "Claim", Path: "claim", Old: "It pulls.", New: "It pulls hard.",
			Rationale: "r"},
		{Item: "H1", Kind: fold.Killed, Name: "Gravity", New: "It floats.", Rationale: "Seen."},
	}
	check := func(when string) {
		t.Helper()
		page := b.timeline(session.TimelineQuery{Limit: 50})
		var got []fold.Change
		for i := range page.Entries {
			got = append(page.Entries[i].Changes, got...)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", when, diff)
		}
	}
	check("pending")
	b.compile()
	check("published")
	if err := b.mail.Store().Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("folded again")
}
