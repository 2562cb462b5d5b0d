package runner

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"brenner/internal/protocol"
)

// TestNoteFailures: calls of tools that failed are in the verdict of the agent that made them, on threads that are
// played.
func TestNoteFailures(t *testing.T) {
	const thread = "RS-20260110-cells-turn"
	root := t.TempDir()
	f := folder{filepath.Join(root, ".brenner", "run", thread)}
	if err := os.MkdirAll(f.path, 0o700); err != nil {
		t.Fatal(err)
	}
	noted := NoteFailures(root)
	begun := time.Now().Add(-time.Second)
	missing := protocol.Errorf(protocol.NotFound, "there is no project %q", strings.Repeat("x", 500))
	noted("BlueLake", "fetch_inbox", thread, missing)
	noted("BlueLake", "fetch_inbox", thread, missing)
	noted("BlueLake", "brenner_submit", thread, protocol.Errorf(protocol.NotAllowed, "you are BlueLake"))
	noted("BlueLake", "brenner_submit", thread, protocol.Errorf(protocol.ValidationFailed, "the door has noted it"))
	noted("BlueLake", "fetch_inbox", "RS-20260110-other", missing)
	noted("BlueLake", "fetch_inbox", "../../x", errors.New("x"))
	noted("../x", "fetch_inbox", thread, missing)
	refused, err := f.refusals("BlueLake", begun, time.Time{})
	if err != nil || len(refused) != 3 || refused[0].Source != "tool" || refused[0].Subject != "fetch_inbox" ||
		refused[2].Findings[0].Code != protocol.NotAllowed {
		t.Fatalf("%+v %v", refused, err)
	}
	if files, _ := filepath.Glob(filepath.Join(root, ".brenner", "run", "*", "*")); len(files) != 1 {
		t.Errorf("%q", files)
	}
	const failed = "3 tool calls failed (fetch_inbox: NOT_FOUND, brenner_submit: NOT_ALLOWED)"
	if got := inVain(refused); got != "contributed nothing; "+failed {
		t.Errorf("%q", got)
	}
	if got := inVain(append(refused, Refusal{Source: "mail"})); !strings.HasPrefix(got, "tried to contribute") ||
		!strings.HasSuffix(got, "; "+failed) {
		t.Errorf("%q", got)
	}
	if v, reason := verdict(work{}, agentRecord{Attempts: 1, End: Exited}, Agent{Refusals: refused}); v != Refused || !v.trouble() ||
		!strings.Contains(reason, failed) {
		t.Errorf("%s: %s", v, reason)
	}
}
