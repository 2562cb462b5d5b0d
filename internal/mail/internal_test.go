package mail

import (
	"fmt"
	"testing"

	"brenner/internal/protocol"
)

func TestGlobsOverlap(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"a.go", "a.go", true}, {"a.go", "b.go", false}, {"*.go", "a.go", true}, {"*.go", "a.md", false}, {"src/*.go", "src/a.go", true},
		{"src/*.go", "src/x/a.go", false}, {"src/**", "src/x/a.go", true}, {"src/**", "doc/x", false}, {"**/a.go", "x/y/a.go", true},
		{"**/a.go", "a.go", true}, {"src/**/t.go", "src/t.go", true}, {"src/**/t.go", "src/a/b/t.go", true},
		{"src/**/t.go", "src/a/b/u.go", false},
		{"a*b", "ac*", true}, {"a*b", "*c", false}, {"a?c", "abc", true}, {"a?c", "abbc", false}, {"a[bx]c", "abc", true},
		{"a[b", "a[b", true},
		{"src/", "src/deep/file", true}, {"src/", "src2/file", false}, {"./src/a", "/src/a", true}, {"**", "anything/at/all", true},
		{"*", "a/b", false}, {"", "a", true}, {`a\*b`, "a*b", true}, {`a\*b`, "axb", false}, {"ä*", "äb", true}, {"*a*", "*b*", true},
		{"x*y", "x*z", false},
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
