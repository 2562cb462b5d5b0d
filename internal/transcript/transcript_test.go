package transcript_test

import (
	"slices"
	"strings"
	"testing"

	"brenner/internal/protocol"
	"brenner/internal/transcript"
)

const sample = "preface\n§1 First\none\n\n## §2: Second ##\ntwo\r\nmore\n§3\nthree\n§2 again\nnever\n§4 Empty\n"

func TestParse(t *testing.T) {
	tr := transcript.Parse(sample)
	for number, want := range map[int]transcript.Section{
		1: {Number: 1, Title: "First", Text: "one", Line: 2},
		2: {Number: 2, Title: "Second", Text: "two\r\nmore", Line: 5},
		3: {Number: 3, Text: "three", Line: 8},
	} {
		if got, ok := tr.Section(number); !ok || got != want {
			t.Errorf("§%d is %+v, %v; want %+v", number, got, ok, want)
		}
	}
	if numbers := tr.Numbers(); len(numbers) != 4 || numbers[5] {
		t.Errorf("sections are %v", numbers)
	}
	if n := transcript.Parse("# Talk\n## 1. One\na\n## 2 Two\nb\n## Three\nc\n"); n.Len() != 2 || !n.Numbers()[2] {
		t.Errorf("numbered headings give %d sections, want 2", n.Len())
	}
}

func TestParseSelection(t *testing.T) {
	for text, want := range map[string][]int{
		"12": {12}, "12,14-16": {12, 14, 15, 16}, "2,1,2": {2, 1},
		" §3-§4 , 3": {3, 4}, //nolint:gocritic // space is what this case is about
		"":           nil, "a": nil, "3-1": nil, "1-": nil, "0-99999": nil, "-1": nil,
	} {
		got, err := transcript.ParseSelection(text)
		if !slices.Equal(got, want) || (err == nil) != (want != nil) {
			t.Errorf("%q gives %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestExcerpt(t *testing.T) {
	tr := transcript.Parse(sample)
	text, findings := tr.Excerpt([]int{2, 3})
	if want := "> **§2** Second\n>\n> two\n> more\n> (§2)\n\n> three\n> (§3)"; text != want || len(findings) != 0 {
		t.Errorf("got %q, %v; want %q", text, findings, want)
	}
	for _, c := range []struct {
		sections []int
		code     protocol.Code
	}{
		{[]int{1, 9}, protocol.SectionNotFound},
		{[]int{4}, protocol.ExcerptEmpty},
	} {
		_, findings := tr.Excerpt(c.sections)
		if len(findings) != 1 || findings[0].Code != c.code || findings[0].Fix == "" {
			t.Errorf("sections %v: findings %v, want %s with a fix", c.sections, findings, c.code)
		}
	}
	for size, code := range map[int]protocol.Code{20 << 10: protocol.ExcerptLong, 300 << 10: protocol.ExcerptTooLong} {
		long := transcript.Parse("§1\n" + strings.Repeat("x", size))
		if _, findings := long.Excerpt([]int{1}); len(findings) != 1 || findings[0].Code != code {
			t.Errorf("%d bytes: findings %v, want %s", size, findings, code)
		}
	}
}
