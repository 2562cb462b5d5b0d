package markdown

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"
)

// FuzzParse reads anything: it never panics, and what it read survives a round trip.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/read/*.txtar", "testdata/golden/*.md", "../../../examples/*.md"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			f.Fatal("no seeds", pattern, err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			if strings.HasSuffix(path, ".txtar") {
				data = txtar.Parse(data).Files[0].Data
			}
			f.Add(string(data))
		}
	}
	f.Fuzz(func(t *testing.T, text string) { checkStable(t, text) })
}

// TestSoup reads lines of our form and of the hostile texts in any order.
func TestSoup(t *testing.T) {
	line := rapid.OneOf(rapid.SampledFrom(soup), rapid.SampledFrom(soup), rapid.SampledFrom(soup), rapid.SampledFrom(hostile))
	rapid.Check(t, func(t *rapid.T) {
		checkStable(t, strings.Join(rapid.SliceOfN(line, 1, 30).Draw(t, "lines"), "\n"))
	})
}

var soup = []string{
	"---", "session_id: x", "version: 2", "contributors: [a, {agent: b}]", "# Brenner Protocol Artifact: x", "## 1. Research Thread",
	"# Hypothesis Slate",
	"## 3. Predictions Table", "## 4. Discriminative Tests", "## Assumption Ledger", "## 6. Anomaly Register", "## 7. Adversarial Critique",
	"## Other",
	"### H1: one", "### H2: ~~two~~ [KILLED]", "### ~~H3: three~~", "### H1", "### T1: test (Score: 4/12)", "### P1", "### P2 [KILLED]",
	"### A1: a", "### X1: x",
	"### C1: c (real third alternative)", "### bad", "### RT: statement", "#### small", "**Claim**: text", "**Claim**:",
	"**Anchors**: §1, §2", "**Anchors**:",
	"**Expected outcomes**:", "**Predictions**:", "- H1: up", "- H2: N/A ~~down~~", "* key: text", "  continued", "  - nested",
	"**References**:",
	"- refines RS-20251230-bio-rrp#H2", "- `{\"session\":\"a\",\"item\":\"b\",\"relation\":\"c\",\"d\":1}`", "**Extra**:", "```json",
	"{\"a\": 1}", "```", "**Last run**: {\"n\":1}",
	"**Killed by**: someone", "**Killed**: by x on 2025-12-30 — why", "**Conflicts**: claim", "**Evidence-per-week score**: LR=3, cost 2",
	"**Status**: Active",
	"**Scale check**: yes", "**Third alternative**: no", "**Confidence**: high", "| ID | Condition | H1 | H2 | other |",
	"|---|---|---|---|---|",
	"| P1 | wet | a | N/A ~~b~~ | c |", "| P2 [KILLED] | ~~dry~~ | ~~x~~ | N/A | |", "| | no id | y |", "| P1 | again |",
	"None registered.", "", "", "Some prose.",
}

// checkStable reads a text and holds what it read to a round trip.
func checkStable(t interface {
	Fatalf(string, ...any)
	Helper()
}, text string) {
	t.Helper()
	doc, _, findings := Parse(text)
	for _, finding := range findings {
		if finding.Line < 0 || finding.Line > strings.Count(text, "\n")+1 {
			t.Fatalf("finding outside the text: %+v", finding)
		}
	}
	first := Render(doc)
	read, outline, _ := Parse(first)
	if !read.Artifact.EqualContent(doc.Artifact) {
		t.Fatalf("what was read does not survive: %s\n%s", cmp.Diff(describe(doc), describe(read)), first)
	}
	if diff := cmp.Diff(doc.Metadata, read.Metadata); diff != "" {
		t.Fatalf("front matter changed: %s\n%s", diff, first)
	}
	if second := Render(read); second != first {
		t.Fatalf("render is not stable: %s", cmp.Diff(first, second))
	}
	if faults := outline.Findings(); len(faults) > 0 {
		t.Fatalf("our own text has faults: %v\n%s", faults, first)
	}
	if strings.Contains(HTML(doc), "<script") {
		t.Fatalf("a script stands in the page of %q", text)
	}
}
