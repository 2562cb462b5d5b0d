package report_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/evidence"
	"brenner/internal/figure"
	"brenner/internal/report"
	"brenner/internal/science"
	"brenner/internal/study/studytest"
)

func sample() *report.Report {
	s, a := studytest.Sample()
	lake, sky := figure.Agent{Name: "BlueLake", Initials: "BL", Hue: 1}, figure.Agent{Name: "RedSky", Initials: "RS", Hue: 2}
	at := time.Date(2026, 1, 10, 10, 9, 0, 0, time.UTC)
	return &report.Report{
		ThreadID: "RS-20260110-cells-turn", Question: "Why do the cells turn?", Version: 2, Published: at, Hash: strings.Repeat("ab", 32),
		Chain:     strings.Repeat("cd", 32),
		Generator: "brenner test", Artifact: a, Study: s,
		Members: []report.Member{{Agent: lake, Program: "codex-cli", Model: "gpt-5", Family: "openai", Role: "hypothesis generator",
			Messages: 4}, {Agent: sky, Program: "gemini-cli", Messages: 2}},
		Reviews: map[artifact.ItemID]report.Review{"H2": {State: "contested", Why: "in #70"},
			"H1": {State: "unreviewed", Why: "never attacked"}},
		Attacks: []report.Attack{{Targets: []artifact.ItemID{"H2"}, Title: "Too easy", Text: "It explains everything.", From: sky,
			Severity: "Critical", State: science.AttackOpen, MessageID: 70}},
		Evidence: (&evidence.Library{}).Judge(a),
		Sources: []report.Source{{ID: "EV-001", Title: "Notes", Origin: "https://example.org/notes", SHA256: strings.Repeat("0f", 32),
			Standing: "retracted (by its editors)", Reference: "Jane Doe (2010). Notes.", Link: "https://doi.org/10.1000/x"},
			{ID: "EV-002", Title: "Run", Origin: "javascript:alert(1)", SHA256: "x", Kind: "run"}},
		Versions: []report.Version{{Number: 2, Summary: "killed H3", At: at, Hash: strings.Repeat("ab", 32)},
			{Number: 1, Summary: "first", At: at}},
		Log: []report.Entry{{ID: 20, At: at, From: lake, Subject: "DELTA[gpt]: slate"},
			{ID: 70, At: at, From: sky, Subject: "CRITIQUE: Too easy"}},
		Cite: "BlueLake and RedSky (2026).",
	}
}

func render(t *testing.T, r *report.Report) string {
	t.Helper()
	html, err := r.Render()
	if err != nil {
		t.Fatal(err)
	}
	if path := os.Getenv("REPORT_SAMPLE"); path != "" {
		if err := os.WriteFile(filepath.Clean(path), html, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return string(html)
}

func TestReportSaysWhatTheStudySays(t *testing.T) {
	html := render(t, sample())
	for _, want := range []string{
		"<b>two</b> leads with", "3 of 8 predictions revealed: 2 locked, 1 after the result.",
		"✕ Given up</b> by version 2, by BlueLake", "It says nothing.", "None of these", "The numbers behind the numbers",
		"◆ contested", "Found: Lost", "rewritten after a look (registered: kept)", "recorded by Operator", "Too easy",
		"default-src &#39;none&#39;", `content:"RS-20260110-cells-turn  ·  v2  ·  abababababab"`,
		`<a href="https://example.org/notes">`, "T2</a> would settle", "Bibliography</h2>", "What is proved, and what is only claimed",
		`Jane Doe (2010). Notes. <a href="https://doi.org/10.1000/x">`,
		"retracted (by its editors)",
	} {
		if !strings.Contains(html, want) && !strings.Contains(strings.ReplaceAll(html, "'", "&#39;"), want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	if render(t, sample()) != html {
		t.Error("the same session gives other bytes")
	}
}

var address = regexp.MustCompile(`(?:src|href|action|url)\s*[=(]\s*["']?([^"')\s>]+)`)

// TestReportRequestsNothing: http is only in links, every other address is inside the page, and nothing runs.
func TestReportRequestsNothing(t *testing.T) {
	html := render(t, sample())
	for _, m := range address.FindAllStringSubmatch(html, -1) {
		if !strings.HasPrefix(m[1], "#") && m[1] != "https://example.org/notes" && m[1] != "https://doi.org/10.1000/x" {
			t.Errorf("the report leads to %s", m[0])
		}
	}
	if outside := regexp.MustCompile(`<a href="[^"]*"`).ReplaceAllString(html, ""); strings.Contains(outside, "http") &&
		strings.Contains(outside, "://") {
		t.Error("an address stands outside of a link")
	}
	for _, forbidden := range []string{"<script", "<img", "<iframe", "<link", "@import", "javascript:alert(1)\""} {
		if strings.Contains(html, forbidden) {
			t.Errorf("the report holds %s", forbidden)
		}
	}
}

// TestLinksResolve: whatever the report leads to inside itself is there.
func TestLinksResolve(t *testing.T) {
	r := sample()
	for id := int64(10); id <= 100; id += 10 {
		r.Log = append(r.Log, report.Entry{ID: id})
	}
	html := render(t, r)
	for _, m := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(html, -1) {
		if !strings.Contains(html, `id="`+m[1]+`"`) {
			t.Errorf("#%s is not in the report", m[1])
		}
	}
}

func TestHostileTextsAreTexts(t *testing.T) {
	r := sample()
	hostile := `</style></title><script>alert(1)</script>";}`
	r.Question, r.ThreadID, r.Members[0].Model, r.Attacks[0].Text, r.Log[0].Subject, r.Generator = hostile, hostile, hostile, hostile,
		hostile, hostile
	if html := render(t, r); strings.Contains(html, "<script") || strings.Count(html, "</style>") != 1 {
		t.Error("a text became markup")
	}
}
