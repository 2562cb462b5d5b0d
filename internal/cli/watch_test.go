package cli

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
)

// notice calls what is to happen once a command says something.
type notice struct {
	once sync.Once
	said string
	then func()
	text bytes.Buffer
}

func (n *notice) Write(data []byte) (int, error) {
	n.text.Write(data)
	if strings.Contains(n.text.String(), n.said) {
		n.once.Do(n.then)
	}
	return len(data), nil
}

// TestInterruptEndsAWatch: Ctrl-C is how a person ends a watch, with 130 and what was seen.
func TestInterruptEndsAWatch(t *testing.T) {
	t.Chdir(t.TempDir())
	run := func(ctx context.Context, streams Streams, args ...string) int {
		return Run(ctx, append([]string{"--project", "."}, args...), streams)
	}
	streams, out, errs := terminal(nil)
	if code := run(t.Context(), streams, "session", "start", "--question", "Why?", "--context", "So.", "--thread", "RS-20260110-cells-turn",
		"--to", "BlueLake", "--program", "claude-code"); code != 0 {
		t.Fatalf("exit code %d: %s%s", code, out, errs)
	}
	if !strings.Contains(errs.String(), "next: brenner session watch RS-20260110-cells-turn") {
		t.Errorf("no next step: %s", errs)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	streams, out, _ = terminal(nil)
	streams.Err = &notice{said: "now in phase kickoff", then: cancel}
	if code := run(ctx, streams, "session", "watch", "RS-20260110-cells-turn", "--json"); code != 130 {
		t.Errorf("exit code %d: %s", code, out)
	}
	if !strings.Contains(out.String(), `"phase": "kickoff"`) || !strings.Contains(out.String(), "INTERRUPTED") {
		t.Errorf("%s", out)
	}
}

// TestQuestionIsAskedFor: on a terminal what is missing is asked for; an empty answer is asked again.
func TestQuestionIsAskedFor(t *testing.T) {
	t.Chdir(t.TempDir())
	streams, out, errs := terminal(nil)
	streams.InIsTerminal = true
	streams.In = strings.NewReader("\nWhy do cells turn?\nThey do.\n")
	if code := Run(t.Context(), []string{"--project", ".", "session", "start", "--to", "BlueLake", "--dry-run"}, streams); code != 0 {
		t.Fatalf("exit code %d: %s%s", code, out, errs)
	}
	if !strings.Contains(errs.String(), "Research question: Research question: Context (an empty line ends it): ") ||
		!strings.Contains(out.String(), "They do.") {
		t.Errorf("%s\n%s", errs, out)
	}
	streams, out, errs = terminal(nil)
	streams.InIsTerminal = true
	if code := Run(t.Context(), []string{"--project", ".", "session", "start", "--to", "BlueLake"}, streams); code != 2 {
		t.Errorf("without an answer: exit code %d: %s%s", code, out, errs)
	}
}
