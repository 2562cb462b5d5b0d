package merge_test

import (
	"fmt"
	"testing"

	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
	"brenner/internal/artifact/merge/mergetest"
	"brenner/internal/message"
	"brenner/internal/protocol"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// exactly compares reports with everything that is kept of them.
var exactly = []cmp.Option{cmpopts.IgnoreUnexported(merge.MessageReport{}), cmpopts.IgnoreFields(merge.MessageReport{}, "Text", "Convener"),
	cmpopts.EquateEmpty()}

// check checks a law on random threads, as they are and with all that large threads need.
func check(t *testing.T, law func(t *rapid.T)) {
	t.Run("plain", func(t *testing.T) { rapid.Check(t, law) })
	t.Run("large", func(t *testing.T) {
		defer merge.Small()()
		rapid.Check(t, law)
	})
}

func foldAll(thread []message.Message) (*merge.State, []merge.MessageReport) {
	s := merge.New(mergetest.ThreadID)
	reports := make([]merge.MessageReport, len(thread))
	for i, m := range thread {
		reports[i] = s.Fold(m)
	}
	return s, reports
}

func hash(t interface{ Fatal(...any) }, s *merge.State) string {
	h, err := s.Artifact().Hash()
	if err != nil {
		t.Fatal(err)
	}
	return h.String()
}

// One thread folded a thousand times: one hash, one saved state.
func TestFoldIsDeterministic(t *testing.T) {
	thread := mergetest.Messages(rapid.Custom(func(t *rapid.T) []mergetest.Message { return mergetest.Thread(t, 60) }).Example(7))
	first, _ := foldAll(thread)
	want, saved := hash(t, first), string(first.Save())
	for range 1000 {
		s, _ := foldAll(thread)
		if hash(t, s) != want || string(s.Save()) != saved {
			t.Fatal("two folds of one thread differ")
		}
	}
}

// A state saved at any place and folded on gives the same reports and the same bytes.
func TestEveryCutGivesTheSame(t *testing.T) {
	check(t, func(t *rapid.T) {
		thread := mergetest.Messages(mergetest.Thread(t, 25))
		whole, reports := foldAll(thread)
		resumed := merge.New(mergetest.ThreadID)
		for i, m := range thread {
			var err error
			saved := resumed.Save()
			if resumed, err = merge.Load(saved); err != nil {
				t.Fatal(err)
			}
			if again := string(resumed.Save()); again != string(saved) {
				t.Fatalf("before message %d: a loaded state saves differently", i)
			}
			if diff := cmp.Diff(reports[i], resumed.Fold(m), exactly...); diff != "" {
				t.Fatalf("message %d (-whole +resumed):\n%s", i, diff)
			}
		}
		if string(whole.Save()) != string(resumed.Save()) {
			t.Fatal("the resumed state saves differently")
		}
		if diff := cmp.Diff(whole.Window(), resumed.Window(), exactly...); diff != "" {
			t.Fatalf("window (-whole +resumed):\n%s", diff)
		}
		if diff := cmp.Diff(toText(t, whole), toText(t, resumed)); diff != "" {
			t.Fatalf("document (-whole +resumed):\n%s", diff)
		}
	})
}

func toText(t *rapid.T, s *merge.State) string {
	text, err := s.Document().MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The place of COMPILED messages never changes the artifact (PROTOCOL 1).
func TestCompiledMessagesChangeNothing(t *testing.T) {
	check(t, func(t *rapid.T) {
		thread := mergetest.Messages(mergetest.Thread(t, 30))
		var bare []message.Message
		for _, m := range thread {
			if s, _ := protocol.ParseSubject(m.Subject, m.Intake); s.Prefix != protocol.TypeCompiled {
				bare = append(bare, m)
			}
		}
		with, _ := foldAll(thread)
		without, _ := foldAll(bare)
		if hash(t, with) != hash(t, without) {
			t.Fatal("COMPILED messages change the hash")
		}
		for _, section := range artifact.Sections() {
			for i, item := range with.Artifact().Items(section) {
				other := without.Artifact().Items(section)[i]
				for _, path := range item.SourcePaths() {
					if *item.Source(path) != *other.Source(path) {
						t.Fatalf("COMPILED messages change the source of %s.%s", item.ID, path)
					}
				}
			}
		}
	})
}

// Ids are given in order and never again, counts add up, and conflicts name what is kept.
func TestReportsAddUp(t *testing.T) {
	check(t, func(t *rapid.T) {
		s := merge.New(mergetest.ThreadID)
		added := map[artifact.ItemID]bool{}
		for _, m := range mergetest.Messages(mergetest.Thread(t, 30)) {
			r := s.Fold(m)
			checkCounts(t, r)
			for _, touch := range r.Items {
				if touch.Kind == merge.KindAdded {
					if added[touch.Item] {
						t.Fatalf("%s was added twice", touch.Item)
					}
					added[touch.Item] = true
				}
			}
			for _, section := range artifact.Sections()[1:] {
				for i, item := range s.Artifact().Items(section) {
					if item.ID != artifact.NewItemID(section, i+1) || !added[item.ID] {
						t.Fatalf("%s stands at place %d", item.ID, i+1)
					}
				}
			}
			checkConflicts(t, s)
		}
		w := s.Window()
		if w.Deltas.Found != w.Deltas.Accepted+w.Deltas.Rejected || w.Deltas.Accepted != w.Deltas.Applied+w.Deltas.Skipped {
			t.Fatalf("the window's counts do not add up: %+v", w.Deltas)
		}
	})
}

func checkCounts(t *rapid.T, r merge.MessageReport) {
	if r.Receipt == nil {
		return
	}
	accepted := 0
	for _, b := range r.Receipt.Blocks {
		if b.Status == "accepted" {
			accepted++
			if b.ItemID == "" {
				t.Fatalf("message %d, block %d: accepted without an item", r.MessageID, b.Index)
			}
		} else if b.ItemID != "" || !protocol.HasErrors(b.Findings) {
			t.Fatalf("message %d, block %d: rejected with an item or without an error", r.MessageID, b.Index)
		}
	}
	if r.Receipt.Found != len(r.Receipt.Blocks) || r.Receipt.Found != r.Receipt.Accepted+r.Receipt.Rejected ||
		r.Receipt.Accepted != accepted || accepted != r.Applied+r.Skipped {
		t.Fatalf("message %d: counts do not add up: %+v, applied %d, skipped %d", r.MessageID, r.Receipt, r.Applied, r.Skipped)
	}
}

func checkConflicts(t *rapid.T, s *merge.State) {
	units := unitsOf(s.Artifact())
	for _, c := range s.Window().Conflicts {
		stands := text(c.Winner.Value)
		if named, unknown := units[fmt.Sprintf("%s.%s", c.Item, c.Field)], units[fmt.Sprintf("%s.+%s", c.Item, c.Field)]; stands != named &&
			stands != unknown {
			t.Fatalf("%s.%s: the winner's %s does not stand", c.Item, c.Field, stands)
		}
		for i, l := range c.Losers {
			if text(l.Value) == stands {
				t.Fatalf("%s.%s: %s lost with the winner's value", c.Item, c.Field, l.Agent)
			}
			if i > 0 && c.Losers[i-1].MessageID < l.MessageID {
				t.Fatalf("%s.%s: losers are not the most recent first", c.Item, c.Field)
			}
		}
	}
}
