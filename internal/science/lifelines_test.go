package science_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"brenner/internal/artifact/merge"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

func step(place int, id int64, from string, kind protocol.MessageType, subject string, items ...merge.Touch) science.Step {
	return science.Step{
		Place: place, Message: &message.Message{ID: id, From: from, Subject: subject},
		Report: &merge.MessageReport{MessageID: id, From: from, Type: kind, Items: items},
	}
}

func TestRegister(t *testing.T) {
	var r science.Lifelines
	r.Advance(step(1, 7, "BlueLake", protocol.TypeDelta, "DELTA[gpt]: x", merge.Touch{Item: "H2", Kind: merge.KindAdded},
		merge.Touch{Item: "H2", Kind: merge.KindEdited}, merge.Touch{Item: "T1", Kind: merge.KindAdded}))
	r.Advance(step(2, 9, "Operator", protocol.TypeCompiled, "COMPILED: v1 first"))
	r.Advance(step(3, 12, "Operator", protocol.TypeInfo, "INFO: v9 is near"))
	before := r.Snapshot()
	r.Advance(step(4, 20, "RedSky", protocol.TypeDelta, "DELTA[gpt]: y", merge.Touch{Item: "H2", Kind: merge.KindOverruled},
		merge.Touch{Item: "H2", Kind: merge.KindKilled}))

	added := science.Touch{Place: 1, MessageID: 7, By: "BlueLake", Kind: merge.KindAdded}
	killed := science.Touch{Place: 4, MessageID: 20, By: "RedSky", Kind: merge.KindKilled}
	if diff := cmp.Diff([]science.Touch{added, killed}, r.Lives().Of("H2")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]science.Touch{added}, before.Lives().Of("H2")); diff != "" {
		t.Errorf("a snapshot changed: %s", diff)
	}
	if len(r.Lives().Of("H1")) != 0 || len(r.Lives().Of("H9")) != 0 {
		t.Error("hypotheses that nothing happened to have a life")
	}
	if diff := cmp.Diff([]science.Version{{Number: 1, Place: 2, MessageID: 9}}, r.Versions.All(), cmpopts.EquateApproxTime(0)); diff != "" {
		t.Error(diff)
	}
	for id, want := range map[int64]int{7: 1, 9: 2, 20: 4, 8: 0} {
		if got := r.Lives().Place(id); got != want {
			t.Errorf("message %d at %d, want %d", id, got, want)
		}
	}
}

// A hypothesis that is edited again and again costs each edit once: lists grow in place between snapshots.
func TestEditsCostTheirOwn(t *testing.T) {
	const edits = 2000
	allocs := testing.AllocsPerRun(1, func() {
		var r science.Lifelines
		s := step(0, 0, "BlueLake", protocol.TypeDelta, "DELTA[gpt]: x", merge.Touch{Item: "H1", Kind: merge.KindEdited})
		for i := range edits {
			s.Place, s.Message.ID = i+1, int64(i+1)
			r.Advance(s)
		}
	})
	if allocs > edits/10 {
		t.Errorf("%d edits take %.0f allocations", edits, allocs)
	}
}

// Copies of one register go on without touching each other.
func TestCopiesGoTheirOwnWay(t *testing.T) {
	var r science.Lifelines
	edit := func(r *science.Lifelines, id int64) {
		r.Advance(step(r.Latest.At(1)+1, id, "BlueLake", protocol.TypeDelta, "DELTA[gpt]: x",
			merge.Touch{Item: "H1", Kind: merge.KindEdited}))
	}
	for id := range int64(5) {
		edit(&r, id+1)
	}
	first := r.Snapshot()
	second := r
	edit(&r, 6)
	edit(first, 60)
	edit(&second, 600)
	for want, r := range map[int64]*science.Lifelines{6: &r, 60: first, 600: &second} {
		if lives := r.Lives(); lives.Place(want) != 6 || len(lives.Of("H1")) != 6 || lives.Of("H1")[5].MessageID != want {
			t.Errorf("message %d is at %d, %+v", want, lives.Place(want), lives.Of("H1"))
		}
	}
}
