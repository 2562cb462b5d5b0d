package web

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/artifact"
)

func TestReferencesInTexts(t *testing.T) {
	for text, want := range map[string][]string{
		"H2 beats (H4), see #21; EV-003#E1, EV-004 and §12–§14.": {"H2", "H4", "#21", "EV-003#E1", "EV-004", "§12", "§14"},
		"H2's claim, T1…, §7":                                    {"H2", "T1", "§7"},
		"SHH2 H2O H0 H02 a#21 ##3 EV-x EV-3x #0 C# 1H2":          nil,
		"#1234567890123 H99999999999":                            nil,
		"&#39;H2&#39; é#4":                                       {"H2"},
	} {
		var got []string
		for _, r := range referencesIn(text) {
			got = append(got, r.Name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestLinkedTextsStayInert(t *testing.T) {
	l := &linker{thread: `RS-1"><script>`, item: func(id artifact.ItemID) (string, bool, bool) {
		return "/t/x#" + string(id), id == "H1", id != "H9"
	}}
	text := `<b>H2</b> & H1 "H9" #21`
	got := string(linked(text, l.links(text)))
	for _, want := range []string{`&lt;b&gt;<a class="ref" href="/t/x#H2" data-ref="H2">H2</a>&lt;/b&gt; &amp; <a class="ref gone"`,
		`&#34;H9&#34;`, `data-ref="#21"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %s", got, want)
		}
	}
	if strings.Contains(got, "<script") || strings.Contains(got, "<b>") {
		t.Errorf("live markup: %s", got)
	}
	body := bodyOf("See H2, `H2`, [H2](https://example.org/H2) and <i>H1</i>\n\n```\nH2\n```\n", onTimeline, l)
	html := string(body.HTML())
	if n := strings.Count(html, `data-ref="H2"`); n != 1 {
		t.Errorf("%d links to H2 in %s", n, html)
	}
	if strings.Contains(html, "<i>") {
		t.Errorf("live markup: %s", html)
	}
}

func TestProseWithoutBlocks(t *testing.T) {
	got := proseOf("# Delta Contribution\n\nThe critic is right.\n\n## Deltas\n\n```delta\n{\"operation\": " +
		"\"KILL\"}\n```\n\n```delta\n{}\n```\n")
	if got != "The critic is right." {
		t.Errorf("%q", got)
	}
	if got := proseOf("# Delta\n\n## Deltas\n\n```delta\n{}\n```\n"); got != "" {
		t.Errorf("%q", got)
	}
	if got := proseOf("# D\n\nText.\n\n## Why\n\nSo.\n\n```json\n{}\n```\n"); !strings.Contains(got, "```json") ||
		!strings.Contains(got, "## Why") {
		t.Errorf("%q", got)
	}
}
