package web

import (
	"strings"
	"testing"
	"unicode/utf8"

	"brenner/internal/protocol"
)

func TestSettleHeadings(t *testing.T) {
	for _, test := range []struct{ name, html, want string }{
		{"none", "<p>a</p>", "<p>a</p>"},
		{"below the page", "<h1>a</h1><h2>b</h2><h2>c</h2>", "<h4>a</h4><h5>b</h5><h5>c</h5>"},
		{"gaps close", "<h1>a</h1><h5>b</h5><h3>c</h3><h1>d</h1>", "<h4>a</h4><h5>b</h5><h5>c</h5><h4>d</h4>"},
		{"no deeper than six", "<h1>a</h1><h2>b</h2><h3>c</h3><h4>d</h4>", "<h4>a</h4><h5>b</h5><h6>c</h6><h6>d</h6>"},
		{"empty ones go", "<h1></h1><p>a</p>", "<p>a</p>"},
		{"other tags stay", "<hr><p>a</p><h", "<hr><p>a</p><h"},
		{"with markup inside", "<h2><em>a</em></h2>", "<h4><em>a</em></h4>"},
	} {
		if got := settleHeadings(test.html, 3); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestCutText(t *testing.T) {
	for _, test := range []struct {
		text string
		most int
		want string
	}{
		{"short", 10, "short"},
		{"one line\nanother line\nand more", 23, "one line\nanother line\n"},
		{"a\n" + strings.Repeat("b", 30), 20, "a\n" + strings.Repeat("b", 18)},
		{strings.Repeat("é", 10), 5, "éé"},
	} {
		got := cutText(test.text, test.most)
		if got != test.want || !utf8.ValidString(got) {
			t.Errorf("%q cut to %d: %q", test.text, test.most, got)
		}
	}
	if b := bodyOf("# A\n\n```go\nx := 1\n"+strings.Repeat("y\n", 2000), setting{100, 3, 20}, nil); b.Left == 0 || !b.Long ||
		!strings.HasSuffix(strings.TrimSpace(string(b.HTML())), "</pre>") {
		t.Errorf("a cut fence: %+v", b)
	}
}

// TestTextsBesideTheirHeads: what stands beside a text is not said again in it, and times are as people write them.
func TestTextsBesideTheirHeads(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"# Question\n\n## Question\n\nWhich dish?\n", "Which dish?"},
		{"## Plan\n\nWait.\n", "## Plan\n\nWait.\n"},
		{"Before.\n\n# Question\n\nWhich?\n", "Before.\n\n# Question\n\nWhich?\n"},
	} {
		if got := untitled(test.text, protocol.TypeQuestion); got != test.want {
			t.Errorf("%q: %q", test.text, got)
		}
	}
	if got := plainTimes("by 2025-12-30T14:00:00.000000Z, not 1.000000Z"); got != "by 2025-12-30 14:00 UTC, not 1.000000Z" {
		t.Error(got)
	}
}
