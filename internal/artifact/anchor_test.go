package artifact_test

import (
	"testing"

	"brenner/internal/artifact"

	"github.com/google/go-cmp/cmp"
)

func TestParseAnchor(t *testing.T) {
	section := func(first, last int) []artifact.Citation { return []artifact.Citation{{First: first, Last: last}} }
	evidence := func(id, excerpt string) []artifact.Citation {
		return []artifact.Citation{{Evidence: id, Excerpt: excerpt}}
	}
	tests := []struct {
		text string
		want artifact.Anchor
	}{
		{"§42", artifact.Anchor{Form: artifact.AnchorSection, Citations: section(42, 42)}},
		{"  §42 ", artifact.Anchor{Form: artifact.AnchorSection, Citations: section(42, 42)}},
		{"§42-45", artifact.Anchor{Form: artifact.AnchorSection, Citations: section(42, 45)}},
		{"§42-§45", artifact.Anchor{Form: artifact.AnchorSection, Citations: section(42, 45)}},
		{"§45-42", artifact.Anchor{}},
		{"§42-42", artifact.Anchor{}},
		{"§0", artifact.Anchor{}},
		{"§042", artifact.Anchor{}},
		{"§", artifact.Anchor{}},
		{"§4a", artifact.Anchor{}},
		{"§99999999999999999999", artifact.Anchor{}},
		{"§42, §57", artifact.Anchor{}},
		{"EV-001", artifact.Anchor{Form: artifact.AnchorEvidence, Citations: evidence("EV-001", "")}},
		{"EV-001#E2", artifact.Anchor{Form: artifact.AnchorEvidence, Citations: evidence("EV-001", "E2")}},
		{"EV-1234", artifact.Anchor{Form: artifact.AnchorEvidence, Citations: evidence("EV-1234", "")}},
		{"EV-12", artifact.Anchor{}},
		{"EV-001#2", artifact.Anchor{}},
		{"inference", artifact.Anchor{Form: artifact.AnchorInference}},
		{"inference [inference]", artifact.Anchor{Form: artifact.AnchorInference, Labelled: true}},
		{"[inference]", artifact.Anchor{Labelled: true}},
		{"[inference] from §42", artifact.Anchor{Form: artifact.AnchorInference, Labelled: true, Citations: section(42, 42)}},
		{"[inference] from EV-003", artifact.Anchor{Form: artifact.AnchorInference, Labelled: true, Citations: evidence("EV-003", "")}},
		{"[inference] from memory", artifact.Anchor{Labelled: true}},
		{"§42 [inference]", artifact.Anchor{Form: artifact.AnchorSection, Labelled: true, Citations: section(42, 42)}},
		{"EV-001[inference]", artifact.Anchor{Form: artifact.AnchorEvidence, Labelled: true, Citations: evidence("EV-001", "")}},
		{"[external: Smith 2020]", artifact.Anchor{Form: artifact.AnchorExternal}},
		{"[external: Smith 2020] [inference]", artifact.Anchor{Form: artifact.AnchorExternal, Labelled: true}},
		{"[external: ]", artifact.Anchor{}},
		{"[axiomatic]", artifact.Anchor{Form: artifact.AnchorAxiomatic}},
		{"Smith 2020", artifact.Anchor{}},
		{"Smith 2020 [inference]", artifact.Anchor{Labelled: true}},
		{"", artifact.Anchor{}},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, artifact.ParseAnchor(tt.text)); diff != "" {
				t.Errorf("ParseAnchor(%q) (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

func TestCitations(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"nothing here", nil},
		{"as in §42 and (§7-9; EV-001#E2).", []string{"§42", "§7-9", "EV-001#E2"}},
		{"§9-§7 runs backwards", []string{"§9", "§7"}},
		{"DEV-001 is no evidence, EV-12 neither, EV-0012 is", []string{"EV-0012"}},
		{"§§", nil},
	}
	for _, tt := range tests {
		var got []string
		for _, c := range artifact.Citations(tt.text) {
			got = append(got, c.String())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("Citations(%q) (-want +got):\n%s", tt.text, diff)
		}
	}
}

func FuzzAnchor(f *testing.F) {
	for _, seed := range []string{"§42-§45 [inference]", "[inference] from EV-001#E2", "[external: x]", "[inference][inference]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a := artifact.ParseAnchor(text)
		cites := a.Form == artifact.AnchorSection || a.Form == artifact.AnchorEvidence
		if cites != (len(a.Citations) == 1) && a.Form != artifact.AnchorInference {
			t.Errorf("ParseAnchor(%q) = %+v", text, a)
		}
		for _, c := range a.Citations {
			if again := artifact.ParseAnchor(c.String()); cmp.Diff([]artifact.Citation{c}, again.Citations) != "" {
				t.Errorf("%q cites %v, which reads back as %v", text, c, again.Citations)
			}
		}
	})
}
