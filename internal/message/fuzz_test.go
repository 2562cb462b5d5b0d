package message

import (
	"strings"
	"testing"
	"unicode/utf8"

	"brenner/internal/protocol"

	"github.com/google/go-cmp/cmp"
)

// FuzzCheck: whatever arrives, the verdict is the same twice, its codes are in the table and
// its places inside the text.
func FuzzCheck(f *testing.F) {
	for _, root := range []string{"testdata/rules", "testdata/specs"} {
		for _, v := range vectors(f, root) {
			if len(v.draft.Body) < 16<<10 {
				f.Add(v.draft.ThreadID, v.draft.Subject, v.draft.Body, v.facts.Intake == protocol.Lenient)
			}
		}
	}
	f.Fuzz(func(t *testing.T, thread, subject, body string, lenient bool) {
		draft := Draft{ThreadID: thread, Subject: subject, Body: body}
		facts := everythingKnown()
		if lenient {
			facts.Intake, facts.Existing = protocol.Lenient, true
		}
		report := Check(draft, facts)
		again := Check(draft, facts)
		if diff := cmp.Diff(verdict(report)+describe(report), verdict(again)+describe(again)); diff != "" {
			t.Fatalf("two verdicts:\n%s", diff)
		}
		if report.Document == nil {
			t.Fatal("no document")
		}
		lines := strings.Split(body, "\n")
		for _, f := range report.Findings {
			checkFinding(t, f, lines, utf8.ValidString(body))
		}
		if r := report.Receipt; r != nil && r.Found != r.Accepted+r.Rejected {
			t.Fatalf("found %d, accepted %d, rejected %d", r.Found, r.Accepted, r.Rejected)
		}
		if len(report.Deltas) > 0 && report.Type != protocol.TypeDelta {
			t.Fatalf("deltas in a %s", report.Type)
		}
		if compiled, ok := ParseCompiled(report.Document); ok && compiled.Version == 0 {
			t.Fatal("a COMPILED without version")
		}
		ParseSessionConfiguration(report.Document)
		ExtractArtifact(report.Document)
	})
}

func checkFinding(t *testing.T, f protocol.Finding, lines []string, valid bool) {
	t.Helper()
	if f.Code.Info().Meaning == "" {
		t.Errorf("%s is not in the table", f.Code)
	}
	if f.Line == 0 {
		return
	}
	if f.Line < 0 || f.Line > len(lines) || f.Column < 1 {
		t.Fatalf("%s at %d:%d of %d lines", f.Code, f.Line, f.Column, len(lines))
	}
	if width := utf8.RuneCountInString(lines[f.Line-1]); valid && f.Column > width+1 {
		t.Fatalf("%s at %d:%d, the line has %d characters", f.Code, f.Line, f.Column, width)
	}
}

// everythingKnown answers no to every question, so that each rule has something to say.
func everythingKnown() Facts {
	latest := 0
	return Facts{
		AgentRegistered: func(string) bool { return false },
		BeadExists:      func(string) (bool, bool) { return false, true },
		SenderShorthand: "human",
		Versions:        func(int) bool { return false },
		LatestVersion:   &latest,
	}
}

// FuzzContain: a contained text neither opens a section nor swallows one.
func FuzzContain(f *testing.F) {
	for _, v := range vectors(f, "testdata/specs") {
		f.Add(v.draft.Body)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return
		}
		body := "# T\n\n## Notes\n\n" + Contain(text) + "\n\n## After\n\nx\n"
		report := Check(Draft{Subject: "INFO: x", Body: body}, Facts{})
		after, ok := report.Document.Section("After")
		if !ok || strings.TrimSpace(after.Text) != "x" {
			t.Fatalf("the text swallows what follows it:\n%s", body)
		}
		for _, h := range report.Document.Headings() {
			if h.Level <= maxSectionLevel && h.Text != "T" && h.Text != "Notes" && h.Text != "After" {
				t.Fatalf("the text opens the section %q:\n%s", h.Text, body)
			}
		}
	})
}
