package evidence_test

import (
	"brenner/internal/evidence"
	"testing"
)

func TestBothSidesAreNormalised(t *testing.T) {
	for _, c := range []struct {
		source, quote string
		found         bool
	}{
		{"The experi-\nment went well.", "The experiment went well", true},
		{"The experi-\nment went well.", "The experi-ment went well", true},
		{"The experi-\nment went well.", "The experi- ment went well", true},
		{"The experiment went well.", "The experi-\nment went well", true},
		{"A well-known old fact.", "A wellknown old fact", false},
		{"A well-known old fact.", "A well-\nknown old fact", true},
		{"A pre- and post-war fact.", "A pre-\nand post-war fact", true},
		{"from 10-\n15 cells here", "from 1015 cells here", true},
		{"pre-\n“it’s” A don't", "'it's' A don't", true},
		{"pre-“it’s” A don't", "“it’s” A don't", true},
		{"ﬁrst ﬂow of ofﬁce", "first flow of office", true},
		{"“It’s” a ‘thing’ here", `"It's" a "thing" here`, true},
		{"one – two — three", "one - two - three", true},
		{"one--two three four", "one—two three four", true},
		{"so\u00adft hy\u200bphens go away", "soft hyphens go away", true},
		{"e\u0301tude of the cells", "étude of the cells", true},
		{"the *very* `best` _cells_ here", "the very best cells here", true},
		{"Cells keep their fate when moved late.", "Cells … moved late", true},
		{"Cells keep their fate when moved late.", "moved late . . . Cells keep", false},
		{"Cells keep their fate when moved late.", "Cells keep [...] when moved", true},
		{"Cells keep their fat when moved.", "keep their fat [sic] when moved", true},
		{"Cells keep their fat [sic], when moved.", "keep their fat, when moved", true},
		{"Cells keep [all] their fate.", "Cells keep their fate", false},
		{"Cells keep their fate.", "Cells [always] keep their fate", false},
		{"Cells keep their fate.", "cells keep their fate", false},
		{"Cells keep their fates.", "Cells keep their fate", false},
		{"Cells, keep their fate", "Cells keep their fate", false},
		{"Cells keep their fate", "“Cells keep their fate!”", true},
		{"They don't keep their fate", "They don", false},
		{"They had 1.5 cells of it", "5 cells of it", false},
		{"the non-toxic kind of it", "toxic kind of it", true},
		{"細胞は遅く移されると\n運命を保つ。", "遅く移されると 運命を保つ", true},
		{"細胞は遅く移されると運命を保つ。", "遅く移されると運命を失う", false},
		{"الخلايا تحتفظ بمصيرها عند النقل", "الخلايا تحتفظ بمصيرها", true},
		{"a\u00a0b   c\td e", "b c d", true},
	} {
		got := evidence.NewText(c.source, evidence.Written).Find([]evidence.Query{{Pattern: evidence.NewPattern(c.quote)}})[0]
		if got.Found != c.found {
			t.Errorf("%q in %q: found is %v", c.quote, c.source, got.Found)
		}
	}
}
