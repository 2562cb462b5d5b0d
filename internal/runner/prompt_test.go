//go:build unix

package runner_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"brenner/internal/mail"
	"brenner/internal/message"
)

// TestPromptHasTheNews: a prompt carries what others wrote since the agent's last turn, asks for one contribution, and sends nobody to
// fetch what it holds. What is the same for all rounds comes first.
func TestPromptHasTheNews(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	no := false
	if _, err := a.Mail.Send(t.Context(), mail.Outgoing{Draft: message.Draft{ThreadID: thread, From: mail.Operator, To: names,
		Subject: "INFO: The tide turned", Body: "At four, ```and not``` before.", AckRequired: &no}}); err != nil {
		t.Fatal(err)
	}
	if _, err := played(t, a, options(a, thread, 2)); err != nil {
		t.Fatal(err)
	}
	read := func(round string) string {
		text, err := os.ReadFile(filepath.Join(a.Project.Root, ".brenner", "run", thread, round, "BlueLake", "prompt.md"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	first, second := read("round-1"), read("round-2")
	if !strings.Contains(first, "At four, ```and not``` before.") || strings.Contains(second, "At four") {
		t.Errorf("news:\n%s\n\n%s", first, second)
	}
	for _, text := range []string{first, second} {
		if strings.Contains(text, "(acknowledge_message)") || strings.Contains(text, "(fetch_inbox") || !strings.Contains(text, "and end") {
			t.Errorf("%s", text)
		}
	}
	head, _, _ := strings.Cut(first, "## Your kickoff")
	if !strings.HasPrefix(second, head) {
		t.Error("the beginning of the prompt changes from round to round")
	}
}
