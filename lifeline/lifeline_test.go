package lifeline_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"brenner/artifact/merge"
	"brenner/experiment"
	"brenner/lifeline"
	"brenner/message"
	"brenner/protocol"
)

func step(place int, id int64, from string, kind protocol.MessageType, subject string, items ...merge.Touch) experiment.Step {
	return experiment.Step{
		Place: place, Message: &message.Message{ID: id, From: from, Subject: subject},
		Report: &merge.MessageReport{MessageID: id, From: from, Type: kind, Items: items},
	}
}

func TestRegister(t *testing.T) {
	var r lifeline.Register
	r.Advance(step(1, 7, "BlueLake", protocol.TypeDelta, "DELTA[gpt]: x", merge.Touch{Item: "H2", Kind: merge.KindAdded}, merge.Touch{Item: "H2", Kind: merge.KindEdited}, merge.Touch{Item: "T1", Kind: merge.KindAdded}))
	r.Advance(step(2, 9, "Operator", protocol.TypeCompiled, "COMPILED: v1 first"))
	r.Advance(step(3, 12, "Operator", protocol.TypeInfo, "INFO: v9 is near"))
	before := r.Snapshot()
	r.Advance(step(4, 20, "RedSky", protocol.TypeDelta, "DELTA[gpt]: y", merge.Touch{Item: "H2", Kind: merge.KindOverruled}, merge.Touch{Item: "H2", Kind: merge.KindKilled}))

	added := lifeline.Touch{Place: 1, MessageID: 7, By: "BlueLake", Kind: merge.KindAdded}
	killed := lifeline.Touch{Place: 4, MessageID: 20, By: "RedSky", Kind: merge.KindKilled}
	if diff := cmp.Diff([]lifeline.Touch{added, killed}, r.Of("H2")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]lifeline.Touch{added}, before.Of("H2")); diff != "" {
		t.Errorf("a snapshot changed: %s", diff)
	}
	if len(r.Of("H1")) != 0 || len(r.Of("H9")) != 0 {
		t.Error("hypotheses that nothing happened to have a life")
	}
	if diff := cmp.Diff([]lifeline.Version{{Number: 1, Place: 2, MessageID: 9}}, r.Versions, cmpopts.EquateApproxTime(0)); diff != "" {
		t.Error(diff)
	}
	for id, want := range map[int64]int{7: 1, 9: 2, 20: 4, 8: 0} {
		if got := r.Place(id); got != want {
			t.Errorf("message %d at %d, want %d", id, got, want)
		}
	}
}

// TestForksDoNotShareGrowth: a register and its snapshot may both take more messages.
func TestForksDoNotShareGrowth(t *testing.T) {
	edit := func(place int, from string) experiment.Step {
		return step(place, int64(place), from, protocol.TypeDelta, "DELTA[gpt]: x", merge.Touch{Item: "H1", Kind: merge.KindEdited})
	}
	var r lifeline.Register
	for place := 1; place <= 5; place++ {
		r.Advance(edit(place, "BlueLake"))
	}
	fork := r.Snapshot()
	r.Advance(edit(6, "BlueLake"))
	fork.Advance(edit(6, "RedSky"))
	if a, b := r.Of("H1")[5].By, fork.Of("H1")[5].By; a != "BlueLake" || b != "RedSky" {
		t.Errorf("%s and %s", a, b)
	}
}
