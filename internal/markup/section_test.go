package markup

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSectionLabels(t *testing.T) {
	matching := []string{
		"## Research Question", "# Research Question", "### research question", "## RESEARCH  QUESTION",
		"## Research Question:", "## Research Question (optional)", "## Research Question (a (b)):", "## Research Question ##",
		"## Research Question ## ", "## **Research Question**", "## **Research Question:**", "## _Research Question_ (x)",
		"## __Research Question__ :", "   ##\tResearch Question\t", "Research Question\n---", "Research Question:\n===",
		"Research\nQuestion\n---",
	}
	for _, heading := range matching {
		if s, ok := Parse("# Title\n\n" + heading + "\n\nWhy?\n").Section("Research Question"); !ok || strings.TrimSpace(s.Text) != "Why?" {
			t.Errorf("%q: %v %q", heading, ok, s.Text)
		}
	}
	other := []string{
		"#### Research Question", "## My Research Question", "## Research", "## Research Question?", "##Research Question",
		"    ## Research Question", "> ## Research Question", "- ## Research Question", "```\n## Research Question\n```",
		"<!--\n## Research Question\n-->", "Research Question", "## (Research Question)", "\\## Research Question",
	}
	for _, heading := range other {
		if s, ok := Parse("# Title\n\n" + heading + "\n\nWhy?\n").Section("Research Question"); ok {
			t.Errorf("%q matches: %+v", heading, s)
		}
	}
}

func TestTitleIsNoSection(t *testing.T) {
	d := Parse("## Context\nfirst\n# Context\nunder the title\n# Context\nsecond\n")
	if title, ok := d.Title(); !ok || title.Line != 3 {
		t.Errorf("title %+v", title)
	}
	s, _ := d.Section("context")
	if s.Text != "first\n" || s.Heading.Line != 1 {
		t.Errorf("section %+v", s)
	}
	d = Parse("# Context\nunder the title\n")
	if s, ok := d.Section("Context"); ok {
		t.Errorf("the title is a section: %+v", s)
	}
	if _, ok := Parse("## A\n").Title(); ok {
		t.Error("a level 2 heading is a title")
	}
}

func TestSectionEnds(t *testing.T) {
	text := "# T\n## A\na\n### B\nb\n#### C\nc\n\n## D\n# E\ne\n## A\nz"
	tests := map[string]string{"A": "a\n### B\nb\n#### C\nc\n\n", "B": "b\n#### C\nc\n\n", "D": "", "E": "e\n## A\nz"}
	d := Parse(text)
	for name, want := range tests {
		s, ok := d.Section(name)
		if !ok || s.Text != want || text[s.Start:s.End] != want || s.Present() != (want != "") {
			t.Errorf("%s: %v %+v, want %q", name, ok, s, want)
		}
	}
	if s, ok := d.Section("none", "b"); !ok || s.Heading.Text != "B" {
		t.Errorf("second name: %v %+v", ok, s)
	}
	if s, _ := Parse("## A\n \n\t\n").Section("A"); s.Present() {
		t.Error("blank content is present")
	}
}

func TestHeadings(t *testing.T) {
	text := "# One #\nTwo\n  lines  \n===\n###### six\n#\n####### no\n[a]: /x\nafter\n---\n"
	want := []Heading{
		{Level: 1, Text: "One", Start: 0, End: 8, Line: 1},
		{Level: 1, Text: "Two lines", Start: 8, End: 26, Line: 2},
		{Level: 6, Text: "six", Start: 26, End: 37, Line: 5},
		{Level: 1, Text: "", Start: 37, End: 39, Line: 6},
		{Level: 2, Text: "####### no [a]: /x after", Start: 39, End: 68, Line: 7},
	}
	if diff := cmp.Diff(want, Parse(text).Headings()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	definition := Parse("[a]: /x\nafter\n---\n").Headings()
	if len(definition) != 1 || definition[0].Text != "after" || definition[0].Line != 2 || definition[0].Start != 8 {
		t.Errorf("a heading under a definition: %+v", definition)
	}
}

func TestProse(t *testing.T) {
	text := "a\n```\ncode\n```\nb\n\n> q\nlazy\n\n<div>\nh\n</div>\n\n- item\n\n      code\n> q2\n"
	d := Parse(text)
	var got []string
	for _, s := range d.Prose() {
		got = append(got, text[s.Start:s.End])
	}
	want := []string{"a\n", "b\n\n", "\n", "\n- item\n\n      code\n"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestPosition(t *testing.T) {
	long := strings.Repeat("é", 5000)
	text := "ab\r\né😀x\rend\n" + long + "!"
	d := Parse(text)
	tests := []struct{ offset, line, column int }{
		{-1, 1, 1}, {0, 1, 1}, {1, 1, 2}, {2, 1, 3}, {4, 2, 1}, {6, 2, 2}, {10, 2, 3}, {11, 2, 4}, {12, 3, 1},
		{16, 4, 1}, {16 + 2*3000, 4, 3001}, {len(text) - 1, 4, 5001}, {len(text), 4, 5002}, {len(text) + 9, 4, 5002},
	}
	for _, test := range tests {
		if line, column := d.Position(test.offset); line != test.line || column != test.column {
			t.Errorf("%d: %d:%d, want %d:%d", test.offset, line, column, test.line, test.column)
		}
	}
	if line, column := Parse("").Position(0); line != 1 || column != 1 {
		t.Errorf("empty text: %d:%d", line, column)
	}
	if line, column := Parse("a\n").Position(2); line != 2 || column != 1 {
		t.Errorf("after the last line: %d:%d", line, column)
	}
}
