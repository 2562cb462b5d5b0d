package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/protocol"
)

// showFinding renders one finding about a text, as a terminal of 60 columns would see it.
func showFinding(text string, line, column int) string {
	var out bytes.Buffer
	p := newPrinter(&app{streams: Streams{Out: &out, Err: &out, Width: 60, Getenv: func(string) string { return "" }}})
	f := protocol.NewFinding(protocol.InvalidJSON, "no").At(line, column).WithFix("yes")
	p.findings([]protocol.Finding{f}, newSource(text))
	p.flush()
	return out.String()
}

func TestCaret(t *testing.T) {
	long := strings.Repeat("a", 100) + "X" + strings.Repeat("b", 100)
	for _, test := range []struct {
		name         string
		text         string
		line, column int
		want         string // the line and the caret below it
	}{
		{"ascii", "one\ntwo", 2, 3, "    2 | two\n      |   ^\n"},
		{"tab", "\tx", 1, 2, "    1 |     x\n      |     ^\n"},
		{"wide", "日本x", 1, 3, "    1 | 日本x\n      |     ^\n"},
		{"combining", "e\u0301x", 1, 3, "    1 | e\u0301x\n      |  ^\n"},
		{"escape sequence", "\x1b[2Jx", 1, 5, "    1 | \\x1b[2Jx\n      |        ^\n"},
		{"behind the end", "ab", 1, 9, "    1 | ab\n      |   ^\n"},
		{"crlf", "a\r\nbc\r\n", 2, 2, "    2 | bc\n      |  ^\n"},
		{"long", long, 1, 101, "    1 | …" + strings.Repeat("a", 34) + "X" + strings.Repeat("b", 15) + "…\n      | " +
			strings.Repeat(" ", 35) + "^\n"},
		{"no column", "one\ntwo", 2, 0, "    2 | two\n"},
		{"no such line", "a", 7, 1, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := showFinding(test.text, test.line, test.column)
			_, got, _ = strings.Cut(got, "\n")
			if diff := cmp.Diff(test.want+"  fix: yes\n", got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTally(t *testing.T) {
	f := func(s protocol.Severity) protocol.Finding { return protocol.Finding{Severity: s} }
	list := []protocol.Finding{f("warning"), f("error"), f("error"), f("info")}
	if got := tally(list); got != "2 errors, 1 warning, 1 info" {
		t.Error(got)
	}
	if got := tally(nil); got != "no findings" {
		t.Error(got)
	}
}

// BenchmarkFindings shows that looking up many findings in one long line costs one pass.
func BenchmarkFindings(b *testing.B) {
	const step = 50
	text := strings.Repeat("x", 1<<20)
	for b.Loop() {
		src := newSource(text)
		for column := 1; column < len(text); column += step {
			line, offset, _ := src.at(1, column)
			excerpt(line, offset, 80)
		}
	}
}
