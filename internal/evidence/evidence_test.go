package evidence_test

import (
	"strings"
	"testing"

	"brenner/internal/artifact"
	"brenner/internal/evidence"
	"brenner/internal/transcript"
)

// source makes a source of a text.
func source(id, text string, excerpts ...evidence.Excerpt) *evidence.Source {
	normal := evidence.Normalise(text)
	return &evidence.Source{
		ID: id, Indexed: true, Kind: evidence.KindSource, Excerpts: excerpts, Text: id + ".txt",
		Open: func() evidence.Content { return evidence.Content{Text: normal} },
	}
}

func library(sources ...*evidence.Source) *evidence.Library {
	return &evidence.Library{Pack: &evidence.Pack{Sources: sources}}
}

func TestQuotesAreFoundFromTheirCitation(t *testing.T) {
	for text, want := range map[string]string{
		`"cells keep their fate" (EV-001)`:                              "cells keep their fate|EV-001",
		`“cells keep their fate.” [EV-001#E2]`:                          "cells keep their fate.|EV-001#E2",
		`He said: "cells keep their fate", (see EV-001, p. 4; §3-4)`:    "cells keep their fate|EV-001, §3-4",
		"“cells “keep” their\nfate” (§12)":                              "cells “keep” their\nfate|§12",
		`"cells keep" (EV-001)`:                                         "",
		`"細胞は運命を保つ" （EV-001）`:                                           "細胞は運命を保つ|EV-001",
		`"細胞は運命" (EV-001)`:                                              "",
		`"cells keep their fate" as stated (EV-001)`:                    "",
		"\"cells keep\n\ntheir fate here\" (EV-001)":                    "",
		"`\"cells keep their fate\" (EV-001)`":                          "",
		"```\n\"cells keep their fate\" (EV-001)\n```":                  "",
		"<div>\n\"cells keep their fate\" (EV-001)\n</div>":             "",
		`<a title='"cells keep their fate" (EV-001)'>`:                  "",
		"\"cells `keep` their fate\" (EV-001)":                          "cells `keep` their fate|EV-001",
		"> cells keep their fate\n> when moved (EV-001)":                "cells keep their fate\nwhen moved|EV-001",
		"> **§2** Title\n>\n> cells keep their fate\n> (§2)":            "cells keep their fate|§2",
		"> \"cells keep their fate\" (EV-001)":                          "cells keep their fate|EV-001",
		"> cells keep their fate (EV-001) when moved":                   "",
		"> cells (EV-001)":                                              "",
		`[a :( smile] "cells keep their fate" [EV-001]`:                 "cells keep their fate|EV-001",
		`"one two three" (EV-001) and "four five six" (EV-002)`:         "one two three|EV-001;four five six|EV-002",
		`"cells keep their fate" (see [EV-001])`:                        "cells keep their fate|EV-001",
		`("cells keep their fate" [EV-001])`:                            "cells keep their fate|EV-001",
		`"cells keep their fate"** (EV-001)`:                            "cells keep their fate|EV-001",
		`“cells keep their fate" (EV-001)`:                              "cells keep their fate|EV-001",
		"- 5\" pipe\n- holds \"cells keep their fate\" (EV-001)":        "cells keep their fate|EV-001",
		`"cells keep their fate" (EV-1)`:                                "",
		`"cells keep their fate" (p. 4)`:                                "",
		"# A heading\n\"cells keep their fate\" ([EV-001](x.txt) p. 2)": "cells keep their fate|EV-001",
	} {
		var got []string
		for _, q := range evidence.Quotes(text) {
			got = append(got, q.Text+"|"+q.Citation())
			if !strings.HasPrefix(text[q.Offset:], strings.SplitN(q.Text, "\n", 2)[0]) && !strings.HasPrefix(text, ">") {
				t.Errorf("%q: the quote is not at %d", text, q.Offset)
			}
		}
		if strings.Join(got, ";") != want {
			t.Errorf("%q: quotes are %q, want %q", text, strings.Join(got, ";"), want)
		}
	}
}

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
		{"from 10-\n15 cells here", "from 1015 cells here", false},
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
		got := evidence.Normalise(c.source).Find([]evidence.Query{{Pattern: evidence.NewPattern(c.quote)}})[0]
		if got.Found != c.found {
			t.Errorf("%q in %q: found is %v", c.quote, c.source, got.Found)
		}
	}
}

func TestCheck(t *testing.T) {
	l := library(
		source("EV-001", "Cells keep their fate when moved late.\nThey lose it when moved early.\n", evidence.Excerpt{ID: "E1", Text: "They lose it when moved early.", From: 2, To: 2},
			evidence.Excerpt{ID: "E2", Text: "They never lose anything at all.", From: 2, To: 2}),
		&evidence.Source{ID: "EV-002", Open: func() evidence.Content { return evidence.Content{} }, Excerpts: []evidence.Excerpt{{ID: "E1", Text: "Only this much is shared."}}},
		source("EV-005", "Something else is said here.\nIt goes on and on.", evidence.Excerpt{ID: "E2", Text: "It goes on and on.", From: 2, To: 2}),
	)
	l.Transcript = transcript.Parse("§1 On fate\nFate is what happens.\n§2 On chance\nChance is what does not.\n")
	for _, c := range []struct {
		text    string
		verdict evidence.Verdict
		fix     string
	}{
		{`"keep their fate when" (EV-001)`, evidence.Found, ""},
		{`"lose it when moved" (EV-001#E1)`, evidence.Found, ""},
		{`"keep their fate when" (EV-001#E1)`, evidence.NotFound, "Cite EV-001."},
		{`"They never lose anything" (EV-001#E2)`, evidence.NotFound, "nearest"},
		{`"keep their fate when" (EV-005, EV-001)`, evidence.Found, ""},
		{`"It goes on and" (EV-001)`, evidence.NotFound, "Cite EV-005#E2."},
		{`"Something else is said" (EV-001)`, evidence.NotFound, "Cite EV-005."},
		{`"keep their fate when moved early" (EV-001)`, evidence.NotFound, `The nearest passage (EV-001, line 1) is "keep their fate when moved late."; the first word that differs is "early", where the source has "late.".`},
		{`"keep their fate when moved early" (EV-005, EV-001)`, evidence.NotFound, `The nearest passage (EV-001, line 1) is "keep their fate when moved late."`},
		{`"Chance is what does it" (§1, §2)`, evidence.NotFound, "The nearest passage (§2)"},
		{`"moved late … Cells keep" (EV-001)`, evidence.NotFound, "another order"},
		{`"nothing like this anywhere" (EV-001)`, evidence.NotFound, "Nothing in EV-001"},
		{`"keep their fate when" (EV-009)`, evidence.Undecided, ""},
		{`"keep their fate when" (EV-001#E9)`, evidence.Undecided, ""},
		{`"keep their fate when" (EV-002)`, evidence.Undecided, ""},
		{`"this much is shared" (EV-002)`, evidence.Found, ""},
		{`"this much is shared" (EV-002#E1)`, evidence.Found, ""},
		{`"On fate Fate is what" (§1)`, evidence.Found, ""},
		{`"Chance is what does" (§1)`, evidence.NotFound, "Cite §2."},
		{`"what happens. On chance" (§1-2)`, evidence.Found, ""},
		{`"Chance is what happens" (§2)`, evidence.NotFound, `"happens"`},
	} {
		got := l.Check(evidence.Quotes(c.text))
		if len(got) != 1 || got[0].Verdict != c.verdict || !strings.Contains(got[0].Fix, c.fix) {
			t.Errorf("%s: %+v, want verdict %d, fix %q", c.text, got, c.verdict, c.fix)
		}
	}
}

func TestSupport(t *testing.T) {
	l := library(source("EV-001", "Cells keep their fate when moved late."))
	for _, c := range []struct {
		claim   string
		anchors artifact.List
		want    evidence.Support
	}{
		{`"keep their fate when" (EV-001)`, artifact.List{"inference"}, evidence.SupportQuoted},
		{`"keep their fate if" (EV-001)`, nil, evidence.SupportCited},
		{"plain", artifact.List{"EV-001"}, evidence.SupportCited},
		{"plain", artifact.List{"§4"}, evidence.SupportCited}, // there is no transcript
		{"plain", artifact.List{"[external: Smith 2020]"}, evidence.SupportCited},
		{"plain", artifact.List{"EV-009"}, evidence.SupportBare},
		{"plain", artifact.List{"EV-001 [inference]"}, evidence.SupportInference},
		{"plain", artifact.List{"[inference] from EV-001"}, evidence.SupportInference},
		{"plain", artifact.List{"inference"}, evidence.SupportInference},
		{"plain", artifact.List{"[axiomatic]"}, evidence.SupportInference},
		{"plain", artifact.List{"EV-001 [inference]", "EV-001"}, evidence.SupportCited},
		{"plain", nil, evidence.SupportBare},
	} {
		a := artifact.New()
		it := artifact.NewItem("H1", artifact.HypothesisSlate)
		it.Set(artifact.Claim, artifact.Text(c.claim))
		if c.anchors != nil {
			it.Set(artifact.Anchors, c.anchors)
		}
		a.Add(it)
		got, _ := l.Judge(a).Item("H1")
		if got.Support != c.want {
			t.Errorf("%q with %q is %q, want %q", c.claim, c.anchors, got.Support, c.want)
		}
	}
}
