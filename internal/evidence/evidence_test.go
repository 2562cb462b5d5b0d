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
	normal := evidence.NewText(text, evidence.Written)
	return &evidence.Source{
		ID: id, Indexed: true, Kind: evidence.KindSource, Excerpts: excerpts, Text: id + ".txt",
		Open: func() evidence.Content { return evidence.Content{Text: normal} },
	}
}

func library(sources ...*evidence.Source) *evidence.Library {
	return &evidence.Library{Pack: &evidence.Pack{Sources: sources}}
}

func TestCheck(t *testing.T) {
	l := library(
		source("EV-001", "Cells keep their fate when moved late.\nThey lose it when moved early.\n",
			evidence.Excerpt{ID: "E1", Text: "They lose it when moved early.", From: 2, To: 2},
			evidence.Excerpt{ID: "E2", Text: "They never lose anything at all.", From: 2, To: 2}),
		&evidence.Source{ID: "EV-002", Open: func() evidence.Content {
			return evidence.Content{}
		}, Excerpts: []evidence.Excerpt{{ID: "E1", Text: "Only this much is shared."}}},
		source("EV-005", "Something else is said here.\nIt goes on and on.",
			evidence.Excerpt{ID: "E2", Text: "It goes on and on.", From: 2, To: 2}),
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
		{`"keep their fate when moved early" (EV-001)`, evidence.NotFound, `The nearest passage (EV-001, line 1) is "keep their fate ` +
			`when moved late."; the first word that differs is "early", where the source has "late.".`},
		{`"keep their fate when moved early" (EV-005, EV-001)`, evidence.NotFound,
			`The nearest passage (EV-001, line 1) is "keep their fate when moved late."`},
		{`"Chance is what does it" (§1, §2)`, evidence.NotFound, "The nearest passage (§2)"},
		{`"moved late … Cells keep" (EV-001)`, evidence.NotFound, "not in this order"},
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
		got := l.CheckQuotes(evidence.Quotes(c.text))
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
