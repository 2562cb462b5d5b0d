package planner

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// TestPlanUndo: a call that fails leaves a plan as if it had never been made.
func TestPlanUndo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		newPlan := func() *Plan {
			p := New(10, time.Unix(1, 0).UTC(), 5)
			for i, name := range []string{"a", "b"} {
				p.KnowAgent(1, name, &mail.Agent{ID: mail.AgentID(i + 1), Project: 1, Name: name})
			}
			for _, name := range []string{"new1", "new2", "nobody"} {
				p.KnowAgent(1, name, nil)
			}
			p.KnowThread(1, "t1", &mail.Thread{Project: 1, ID: "t1", Messages: 3, HeadID: 7, LatestVersion: 1})
			p.KnowThread(1, "t2", nil)
			p.KnowKey(1, "k1", &mail.Message{Message: message.Message{ID: 4}, Key: "k1", Payload: canon.Hash{1}})
			p.KnowKey(1, "k2", nil)
			return p
		}
		entry := func(t *rapid.T) mail.Entry {
			return mail.Entry{
				Type: protocol.TypeInfo, Version: rapid.IntRange(0, 2).Draw(t, "version"), Gapless: rapid.IntRange(0, 9).
					Draw(t, "gapless") == 0,
				Opens: rapid.IntRange(0, 9).Draw(t, "opens") == 0, Imported: rapid.Bool().Draw(t, "imported"),
				Key:     rapid.SampledFrom([]string{"", "", "k1", "k2"}).Draw(t, "key"),
				Payload: canon.Hash{rapid.SampledFrom([]byte{1, 1, 1, 2}).Draw(t, "payload")},
				Message: message.Message{
					ThreadID: rapid.SampledFrom([]string{"", "t1", "t2"}).Draw(t, "thread"),
					From:     rapid.SampledFrom([]string{"a", "b", "new1"}).Draw(t, "from"),
					To:       []string{rapid.SampledFrom([]string{"a", "b", "new2", "nobody"}).Draw(t, "to")},
				},
			}
		}
		calls := rapid.SliceOfN(rapid.SliceOfN(rapid.Custom(entry), 1, 3), 1, 5).Draw(t, "calls")
		all, accepted := newPlan(), newPlan()
		for _, call := range calls {
			got, err := all.Append(1, time.Unix(2, 0), Prepare(call))
			if err != nil {
				continue
			}
			want, err := accepted.Append(1, time.Unix(2, 0), Prepare(call))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatal(diff)
			}
		}
		if diff := cmp.Diff(accepted.Take(), all.Take()); diff != "" {
			t.Fatal(diff)
		}
	})
}
