package markup

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func FuzzFences(f *testing.F) {
	for _, s := range structures(f) {
		f.Add(s.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkFences(t, text)
		compareWithLibrary(t, text)
	})
}

func FuzzSections(f *testing.F) {
	for _, s := range structures(f) {
		f.Add(s.Text)
	}
	f.Add("# T\n\n## Context (x):\n\na\n\n**b**\n---\n\nc")
	f.Fuzz(checkSections)
}

func TestLaws(t *testing.T) {
	for _, s := range structures(t) {
		checkFences(t, s.Text)
		checkSections(t, s.Text)
	}
}

// checkFences: fences are in order and apart, and every byte of their content comes from
// the place that Offset names, except spaces that stand for a cut tab.
func checkFences(t *testing.T, text string) {
	t.Helper()
	d := Parse(text)
	end := 0
	for _, f := range d.Fences() {
		if f.Start < end || f.End < f.Start || f.End > len(text) {
			t.Fatalf("%q: fence %d–%d after %d", text, f.Start, f.End, end)
		}
		end = f.End
		if line, _ := d.Position(f.Start); line != f.Line || text[f.Start] != f.Char {
			t.Fatalf("%q: fence begins in line %d, not %d", text, line, f.Line)
		}
		for i := range len(f.Content) {
			at := f.Offset(i)
			if at >= f.End {
				if strings.Trim(f.Content[i:], "\r\n") != "" {
					t.Fatalf("%q: content %q maps beyond the fence", text, f.Content[i:])
				}
				break
			}
			if f.Content[i] != text[at] && (f.Content[i] != ' ' || text[at] != '\t') {
				t.Fatalf("%q: content byte %d is %q, text byte %d is %q", text, i, f.Content[i], at, text[at])
			}
		}
	}
	if again := Parse(text); !cmp.Equal(d, again, cmp.AllowUnexported(Document{}, Fence{}, piece{})) {
		t.Fatalf("%q: parsing twice differs", text)
	}
}

// checkSections: headings are in order, sections are what is under them, prose is
// disjoint from fences, and positions never go back.
func checkSections(t *testing.T, text string) {
	t.Helper()
	d := Parse(text)
	end := 0
	for _, h := range d.Headings() {
		if h.Start < end || h.End <= h.Start || h.End > len(text) {
			t.Fatalf("%q: heading %+v after %d", text, h, end)
		}
		end = h.End
		if line, column := d.Position(h.Start); line != h.Line || column != 1 {
			t.Fatalf("%q: heading %+v is at %d:%d", text, h, line, column)
		}
		if s, ok := d.Section(h.Text); ok && (text[s.Start:s.End] != s.Text || s.Start != s.Heading.End) {
			t.Fatalf("%q: section %+v", text, s)
		}
	}
	end = 0
	fences := d.Fences()
	for _, s := range d.Prose() {
		for len(fences) > 0 && fences[0].End <= s.Start {
			fences = fences[1:]
		}
		if s.Start < end || s.End <= s.Start || (len(fences) > 0 && fences[0].Start < s.End) {
			t.Fatalf("%q: prose %+v after %d", text, s, end)
		}
		end = s.End
	}
	line, column := 0, 0
	for i := range len(text) + 1 {
		l, c := d.Position(i)
		if l < line || l == line && c < column || l > line+1 {
			t.Fatalf("%q: %d:%d comes after %d:%d", text, l, c, line, column)
		}
		line, column = l, c
	}
}
