package merge_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"brenner/artifact/merge"
	"brenner/artifact/merge/mergetest"
	"brenner/message"
)

// A message folded beside a state gives what folding it gives, and leaves the state as it was, also when
// the new one is folded on.
func TestBeside(t *testing.T) {
	check(t, func(t *rapid.T) {
		thread := mergetest.Messages(mergetest.Thread(t, 20))
		s, plain := merge.New(mergetest.ThreadID), merge.New(mergetest.ThreadID)
		for _, m := range thread {
			s.Fold(m)
			plain.Fold(m)
		}
		s.Window()
		before := string(s.Save())
		for _, subject := range []string{"INFO: a note", "CRITIQUE: of all", "no prefix", "INFO: Session complete at v1", "Re: INFO: again"} {
			note := thread[len(thread)-1]
			note.ID++
			note.From, note.Subject, note.Body = "NewName", subject, "```delta\nnot at all\n```\n"
			next, report, ok := s.Beside(note)
			if !ok {
				t.Fatalf("%q is not folded", subject)
			}
			if want := plain.Fold(note); cmp.Diff(want, report, exactly...) != "" || string(plain.Save()) != string(next.Save()) {
				t.Fatalf("%q: another state or report", subject)
			}
			if string(s.Save()) != before {
				t.Fatalf("%q changed what it was folded beside", subject)
			}
			s, before = next, string(next.Save())
		}
		kept := string(s.Save())
		on, _, _ := s.Beside(message.Message{ID: 1 << 40, From: "NewName", Subject: "INFO: one more", CreatedAt: thread[0].CreatedAt})
		for _, m := range thread {
			on.Fold(m)
		}
		if string(s.Save()) != kept {
			t.Fatal("folding on changed what it was folded beside")
		}
		for _, subject := range []string{"KICKOFF: x", "DELTA[gpt]: x", "COMPILED: v1", "Re: DELTA[gpt]: x"} {
			if _, _, ok := s.Beside(message.Message{Subject: subject}); ok {
				t.Fatalf("%q is folded beside", subject)
			}
		}
	})
}
