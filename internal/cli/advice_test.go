package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestStatusAdvisesWhatWorks: following the advice of session status, step by step from a kickoff to the end, nothing that
// it names is refused; and session complete, tried too early, says what is in the way and what to type.
func TestStatusAdvisesWhatWorks(t *testing.T) {
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	const thread = "RS-20260801-fireflies-in-unison"
	writeFile(t, "one.md", "# D\n\n```delta\n"+`{"operation":"ADD","section":"hypothesis_slate","target_id":null,"payload":{"name":"n",`+
		`"claim":"c","mechanism":"m","anchors":["inference"]},"rationale":"r"}`+"\n```\n")
	writeFile(t, "kill.md", "# D\n\n```delta\n"+`{"operation":"KILL","section":"hypothesis_slate","target_id":"H1",`+
		`"payload":{"reason":"it says nothing"},"rationale":"r"}`+"\n```\n")
	critique := "# Critique: Late\n\n## Target\n\n- **Item**: H2\n\n## Attack\n\nA follower is never in unison.\n\n## Evidence\n\nThe " +
		"delay.\n\n## Proposed Resolution\n\nKill H1.\n\n## Severity\n\nCritical\n"
	writeFile(t, "critique.md", critique)
	typed := func(line string) (int, string) {
		t.Helper()
		return runHere(t, nil, strings.Fields(strings.ReplaceAll(line, "$T", thread))...)
	}
	advice := func(wants string) {
		t.Helper()
		code, out := typed("session status $T")
		next := regexp.MustCompile(`(?m)^next: (.*)$`).FindStringSubmatch(out)
		if code != 0 || next == nil || !strings.Contains(next[1], wants) {
			t.Fatalf("status advises %q, want %s:\n%s", next, wants, out)
		}
	}
	refused := func(want int, advises string) {
		t.Helper()
		code, out := typed("session complete $T")
		if code != want || !strings.Contains(out, "next: brenner "+advises) {
			t.Errorf("exit code %d, want %d and the advice %s:\n%s", code, want, advises, out)
		}
		if n := strings.Count(out, "warning "); n > 0 {
			t.Errorf("%d warnings that are not in the way:\n%s", n, out)
		}
	}
	send := "mail send --from BlueLake --to Operator --thread $T --subject "
	for _, line := range []string{"session start --thread $T --question Why? --context So. --to BlueLake"} {
		if code, out := typed(line); code != 0 {
			t.Fatal(out)
		}
	}
	advice("carry its turn to a chat, and the answer back: brenner ask BlueLake --thread " + thread) // nobody would be seen
	if code, out := typed(send + "DELTA[gpt]:x --body one.md"); code != 0 {
		t.Fatal(out)
	}
	advice("compile " + thread)
	if code, out := typed("compile $T"); code != 0 {
		t.Fatal(out)
	}
	advice("lint " + thread) // not session complete, which would be refused
	refused(3, "lint "+thread)
	for _, line := range []string{send + "DELTA[gpt]:z --body kill.md", send + "DELTA[gpt]:y --body " + examples + "/first-delta.md",
		"compile $T", send + "CRITIQUE:Late --body critique.md"} {
		if code, out := typed(line); code != 0 {
			t.Fatal(out)
		}
	}
	advice("critique answer 7 --body -")
	refused(7, "critique list "+thread)
	if err := os.Remove("critique.md"); err != nil {
		t.Fatal(err)
	}
	if code, out := typed("critique answer 7 --body No."); code != 0 {
		t.Fatal(out)
	}
	if code, out := typed("session complete $T"); code != 0 {
		t.Errorf("exit code %d: %s", code, out)
	}
	advice("artifact show " + thread)
}
