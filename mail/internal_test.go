package mail

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"brenner/canon"
	"brenner/message"
	"brenner/protocol"
)

func TestGlobsOverlap(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"a.go", "a.go", true}, {"a.go", "b.go", false}, {"*.go", "a.go", true}, {"*.go", "a.md", false}, {"src/*.go", "src/a.go", true},
		{"src/*.go", "src/x/a.go", false}, {"src/**", "src/x/a.go", true}, {"src/**", "doc/x", false}, {"**/a.go", "x/y/a.go", true},
		{"**/a.go", "a.go", true}, {"src/**/t.go", "src/t.go", true}, {"src/**/t.go", "src/a/b/t.go", true}, {"src/**/t.go", "src/a/b/u.go", false},
		{"a*b", "ac*", true}, {"a*b", "*c", false}, {"a?c", "abc", true}, {"a?c", "abbc", false}, {"a[bx]c", "abc", true}, {"a[b", "a[b", true},
		{"src/", "src/deep/file", true}, {"src/", "src2/file", false}, {"./src/a", "/src/a", true}, {"**", "anything/at/all", true},
		{"*", "a/b", false}, {"", "a", true}, {`a\*b`, "a*b", true}, {`a\*b`, "axb", false}, {"ä*", "äb", true}, {"*a*", "*b*", true}, {"x*y", "x*z", false},
	} {
		if got := globsOverlap(c.a, c.b); got != c.want {
			t.Errorf("%q and %q overlap: %v", c.a, c.b, got)
		}
		if got := globsOverlap(c.b, c.a); got != c.want {
			t.Errorf("%q and %q overlap: %v", c.b, c.a, got)
		}
	}
	long := ""
	for len(long)+3 < maxGlob {
		long += "**/"
	}
	globsOverlap(long+"a", long+"b") // ends, and soon
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"BlueLake": "BlueLake", "a b/c": "abc", "Ünal": "nal", "": "", "--": "", "_-_": "", "x_1-y": "x_1-y", "🧪": "",
		fmt.Sprintf("%0100d", 1): fmt.Sprintf("%064d", 0),
	} {
		if got := SafeName(name); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
	pick := func(int) int { return 0 }
	var taken []Agent
	total := len(nameAdjectives) * len(nameNouns)
	for i := range total + 3 {
		name := assignName(pick, taken)
		if !protocol.ValidAgentName(name) {
			t.Fatalf("the name %q", name)
		}
		for _, a := range taken[max(0, i-3):] {
			if NameKey(a.Name) == NameKey(name) {
				t.Fatalf("%q was assigned twice", name)
			}
		}
		taken = append(taken, Agent{Name: name})
	}
	if last := taken[total].Name; last != nameAdjectives[0]+nameNouns[0]+"2" {
		t.Errorf("when all names are taken comes %q", last)
	}
}

// TestPlanUndo: a call that fails leaves a plan as if it had never been made.
func TestPlanUndo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		newPlan := func() *Plan {
			p := NewPlan(10, time.Unix(1, 0).UTC(), 5)
			for i, name := range []string{"a", "b"} {
				p.KnowAgent(1, name, &Agent{ID: AgentID(i + 1), Project: 1, Name: name})
			}
			for _, name := range []string{"new1", "new2", "nobody"} {
				p.KnowAgent(1, name, nil)
			}
			p.KnowThread(1, "t1", &Thread{Project: 1, ID: "t1", Messages: 3, HeadID: 7, LatestVersion: 1})
			p.KnowThread(1, "t2", nil)
			p.KnowKey(1, "k1", &Message{Message: message.Message{ID: 4}, Key: "k1", Payload: canon.Hash{1}})
			p.KnowKey(1, "k2", nil)
			return p
		}
		entry := func(t *rapid.T) Entry {
			return Entry{
				Type: protocol.TypeInfo, Version: rapid.IntRange(0, 2).Draw(t, "version"), Gapless: rapid.IntRange(0, 9).Draw(t, "gapless") == 0,
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
