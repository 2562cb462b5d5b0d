package markup_test

import (
	"strings"
	"testing"

	"brenner/internal/markup"
)

func TestParagraphs(t *testing.T) {
	text := "# Title\none\ntwo\n\n> quoted\n> more\nlazy\n>\n> > inner\n\n- item\n  goes on\n- " +
		"next\n\n```\ncode\n```\n<div>\nhtml\n</div>\n\n    indented\n\nunder\n===\n> again"
	want := []string{"0:# Title", "0:one|two", "1:quoted|more|lazy", "1:inner", "0:item|goes on", "0:next", "0:indented", "0:under",
		"2:again"}
	var got []string
	for _, p := range markup.Paragraphs(text) {
		var lines []string
		for _, l := range p.Lines {
			lines = append(lines, text[l.Start:l.End])
		}
		got = append(got, string(rune('0'+p.Quote))+":"+strings.Join(lines, "|"))
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("paragraphs are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
