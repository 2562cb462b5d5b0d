package message

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/markup"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

const threadID = "RS-20251230-cell-fate-map"

func sampleCompiled() Compiled {
	return Compiled{
		ThreadID: threadID, Version: 3, Previous: 2,
		CompiledAt: time.Date(2025, 12, 30, 14, 0, 0, 5000, time.UTC), Compiler: "Operator", Through: 12,
		Contributors: []Contribution{{Agent: "BlueLake", Deltas: 2, Items: []string{"H3", "T2"}}, {Agent: "GreenValley", Deltas: 1}},
		Changes: Changes{
			Added:  []Change{{"H3", "Epigenetic memory"}, {"T2", "Chromatin assay"}},
			Edited: []Change{{"H2", "anchors, mechanism"}},
			Killed: []Change{{"H1", "refuted by T1"}},
		},
		Stats:      artifact.Stats{Hypotheses: 2, Predictions: 1, Tests: 2, Assumptions: 3, Critiques: 1},
		Validation: Validation{Pass, 4, 2, Missing},
		Artifact:   artifactText(3, "### H3: Epigenetic memory\n\n```json\n{\"operation\": \"ADD\", \"section\": \"x\"}\n```\n"),
		Hash:       strings.Repeat("ab", 32),
		Conflicts:  []string{"H2.claim: BlueLake “a” over RedSky “b” (message 9)"},
		Rejected:   []string{"message 8, block 2 (RedSky): INVALID_JSON"},
	}
}

func artifactText(version int, items string) string {
	return fmt.Sprintf("---\nsession_id: %q\nversion: %d\n---\n\n# Brenner Protocol Artifact: %s\n\n## 2. Hypothesis Slate\n\n%s", threadID,
		version, threadID, items)
}

// checkCompiled fails if the rendered message has any finding.
func checkCompiled(t testing.TB, c Compiled) *markup.Document {
	t.Helper()
	latest := c.Version - 1
	report := Check(Draft{ThreadID: c.ThreadID, Subject: c.Subject(), Body: RenderCompiled(c)}, Facts{LatestVersion: &latest})
	if len(report.Findings) > 0 || report.Receipt != nil {
		t.Fatalf("subject %s\n%s\n%s", c.Subject(), describe(report), clip(RenderCompiled(c), 4000))
	}
	if report.References.Compiled != c.Version {
		t.Fatalf("version %d, want %d", report.References.Compiled, c.Version)
	}
	return report.Document
}

func TestRenderCompiled(t *testing.T) {
	c := sampleCompiled()
	got := "Subject: " + c.Subject() + "\n\n" + RenderCompiled(c)
	const file = "testdata/compiled.golden"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	checkCompiled(t, c)
}

// TestCompiledRoundTrip: whatever texts a thread holds, the body passes the checks and can be
// read back.
func TestCompiledRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Map(hostile(), oneLine)
		item := rapid.StringMatching(`[HPTAXC][1-9][0-9]?`)
		changes := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Change { return Change{item.Draw(t, "item"), text.Draw(t, "text")} }), 0, 3)
		want := sampleCompiled()
		want.Summary = text.Draw(t, "summary") + "."
		want.Contributors = []Contribution{{Agent: rapid.StringMatching(`[A-Za-z0-9_-]{1,9}`).Draw(t, "agent"), Deltas: 1,
			Items: rapid.SliceOfN(item, 0, 3).Draw(t, "items"), Model: rapid.StringMatching(`([a-z][a-z0-9|.-]{0,8})?`).Draw(t, "model")}}
		want.Changes = Changes{changes.Draw(t, "added"), changes.Draw(t, "edited"), changes.Draw(t, "killed")}
		want.Conflicts = rapid.SliceOfN(text.Filter(notBlank), 0, 3).Draw(t, "conflicts")
		want.Rejected = rapid.SliceOfN(text.Filter(notBlank), 0, 3).Draw(t, "rejected")
		want.Artifact = artifactText(want.Version, hostile().Draw(t, "artifact")+"\n")
		doc := markup.Parse(RenderCompiled(want))
		got, ok := ParseCompiled(doc)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || !ok {
			t.Fatalf("ok %t (-want +got):\n%s\n%s", ok, diff, doc.Text())
		}
		latest := want.Version - 1
		report := Check(Draft{ThreadID: threadID, Subject: want.Subject(), Body: doc.Text()}, Facts{LatestVersion: &latest})
		if len(report.Findings) > 0 {
			t.Fatalf("%s\n%s", describe(report), doc.Text())
		}
	})
}

func notBlank(s string) bool { return s != "" && !strings.HasPrefix(s, moreMark) }

// TestCompiledLimits: a version of any size fits a message, and what is left out is counted.
func TestCompiledLimits(t *testing.T) {
	c := sampleCompiled()
	c.Artifact = artifactText(3, strings.Repeat("long\n", 60<<10))
	long := strings.Repeat("😀{operation section", 5000)
	for i := range 350 {
		c.Contributors = append(c.Contributors,
			Contribution{Agent: fmt.Sprintf("Agent%d", i), Deltas: 1, Items: strings.Fields(strings.Repeat("H10000 ", 10_000))})
		c.Changes.Added = append(c.Changes.Added, Change{"H9", long})
		c.Changes.Killed = append(c.Changes.Killed, Change{"T9", long})
		c.Conflicts, c.Rejected = append(c.Conflicts, long), append(c.Rejected, long)
	}
	c.Summary = long
	doc := checkCompiled(t, c)
	if _, ok := ExtractArtifact(doc); ok {
		t.Error("an artifact over 256 KiB stands inline")
	}
	for _, want := range []string{"[Artifact v3](brenner://artifact/" + threadID + "?version=3)", c.Hash, "### Added (352)",
		"- … and 152 more\n", "| … and 152 more |", "… and 9950 more"} {
		if !strings.Contains(doc.Text(), want) {
			t.Errorf("%q is missing", want)
		}
	}
	if got, _ := ParseCompiled(doc); len(got.Changes.Added) != maxLines || len(got.Rejected) != maxLines {
		t.Errorf("%d added, %d rejected, want %d lines each", len(got.Changes.Added), len(got.Rejected), maxLines)
	}
	c.Artifact = artifactText(3, strings.Repeat("x", maxInlineArtifact-len(artifactText(3, ""))-1)+"\n")
	if _, ok := ExtractArtifact(checkCompiled(t, c)); !ok {
		t.Error("an artifact of 256 KiB does not stand inline")
	}
}

// TestExtractArtifact: the fence is longer than any inside it, so the text comes back whole.
func TestExtractArtifact(t *testing.T) {
	for _, inside := range []string{"text\n", "```delta\n{}\n```\n", "~~~~~~\n`````\n", "````` x\n## Full Artifact\n"} {
		c := sampleCompiled()
		c.Artifact = artifactText(3, inside)
		if got, ok := ExtractArtifact(checkCompiled(t, c)); !ok || got != c.Artifact {
			t.Errorf("ok %t (-want +got):\n%s", ok, cmp.Diff(c.Artifact, got))
		}
	}
	for body, want := range map[string]string{
		"## Full Artifact\n---\nversion: 2\n---\n\n# A\n":      "---\nversion: 2\n---\n\n# A\n",
		"# C v1\n\n## Full Artifact\n\n# A\n\n## 1. RT\n\nx\n": "# A\n\n## 1. RT\n\nx\n",
		"## Full Artifact\nsee artifacts/x.md\n":               "",
		"## Full Artifact\n\n## Conflicts\nNone.\n":            "",
		"## Summary\nnone\n":                                   "",
	} {
		if got, ok := ExtractArtifact(markup.Parse(body)); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %t", body, got, ok)
		}
	}
}

func TestDefaultSummary(t *testing.T) {
	c := sampleCompiled()
	if got, want := c.DefaultSummary(), "added H3, T2; edited H2; killed H1 by 2 agents"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	c.Changes = Changes{Added: make([]Change, 12)}
	c.Contributors = c.Contributors[:1]
	if got, want := c.Subject(), "COMPILED: v3 added 12 items by 1 agent"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
