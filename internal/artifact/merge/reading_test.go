package merge_test

import (
	"sync"
	"testing"

	"brenner/internal/artifact/merge"
	"brenner/internal/artifact/merge/mergetest"
	"brenner/internal/protocol"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Messages that were read by any goroutine before the first was folded come to the same as those that are
// read when it is their turn.
func TestMessagesMayBeReadAhead(t *testing.T) {
	check(t, func(t *rapid.T) {
		thread := mergetest.Messages(mergetest.Thread(t, 25))
		whole, reports := foldAll(thread)
		readings := make([]merge.Reading, len(thread))
		var wg sync.WaitGroup
		for i := range thread {
			wg.Go(func() { readings[i] = merge.Read(&thread[i]) })
		}
		wg.Wait()
		s := merge.New(mergetest.ThreadID)
		for i, m := range thread {
			if diff := cmp.Diff(reports[i], s.FoldRead(m, readings[i]), exactly...); diff != "" {
				t.Fatalf("message %d (-in turn +ahead):\n%s", i, diff)
			}
		}
		if string(whole.Save()) != string(s.Save()) {
			t.Fatal("the state saves differently")
		}
	})
}

// Whether a version that a message refers to exists is known when it is folded, not when it is read.
func TestVersionsAreKnownAtTheFold(t *testing.T) {
	add := block(`{"operation":"ADD","section":"hypothesis_slate","target_id":null,"payload":{"name":"n","claim":"c","mechanism":"m",` +
		`"anchors":["inference"]},"rationale":"r"}`)
	first := post(1, "BlueLake", "DELTA[gpt]: a", add)
	based := post(2, "BlueLake", "DELTA[gpt]: b", "**Base Version**: v1\n\n"+add)
	compiled := post(2, "Operator", "COMPILED: v1 first", "# Compiled v1\n")
	for _, c := range []struct {
		name string
		with bool
		want string
	}{{"without", false, "warning " + string(protocol.AP009)}, {"with", true, ""}} {
		m, reading := based, merge.Read(&based)
		s := merge.New(mergetest.ThreadID)
		s.Fold(first)
		if c.with {
			s.Fold(compiled)
			m.ID = 3
		}
		if report := s.FoldRead(m, reading); codes(report.Notes) != c.want || report.Applied != 1 {
			t.Errorf("%s the version: %q, %d applied", c.name, codes(report.Notes), report.Applied)
		}
	}
}
