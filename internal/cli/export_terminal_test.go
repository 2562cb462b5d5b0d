package cli

import (
	"strings"
	"testing"
)

// TestExportOnATerminal: the lines of a thread hold what agents wrote, and drive no terminal; in a pipe they are as they are.
func TestExportOnATerminal(t *testing.T) {
	dir := t.TempDir()
	run := func(streams Streams, args ...string) {
		t.Helper()
		if code := Run(t.Context(), append(args, "--project", dir), streams); code != 0 {
			t.Fatalf("%v: exit code %d", args, code)
		}
	}
	const c1, bidi = "\u009b2J", "\u202e"
	streams, _, _ := terminal(nil)
	streams.In = strings.NewReader(`{"thread_id":"RS-20260110-cell-fate-x","from":"A","subject":"INFO: x","body_md":"` + c1 + bidi +
		`","created_ts":"2026-01-10T00:00:00Z"}`)
	run(streams, "thread", "import", "-")
	shown, out, _ := terminal(nil)
	run(shown, "thread", "export", "RS-20260110-cell-fate-x")
	if text := out.String(); strings.ContainsAny(text, "\u009b\u202e\x1b") || !strings.Contains(text, `\u009b2J\u202e`) {
		t.Errorf("on a terminal: %q", text)
	}
	piped, out, _ := terminal(nil)
	piped.OutIsTerminal = false
	run(piped, "thread", "export", "RS-20260110-cell-fate-x")
	if text := out.String(); !strings.Contains(text, c1+bidi) {
		t.Errorf("in a pipe: %q", text)
	}
}
