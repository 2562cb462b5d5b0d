package app

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/message"
)

// TestNeighbour: another project of the same store has the settings of its own folder, and its own reminders.
func TestNeighbour(t *testing.T) {
	ctx, now := t.Context(), time.Date(2026, 1, 10, 9, 0, 0, 0, time.UTC)
	home, other := t.TempDir(), t.TempDir()
	settings := `{"validation": {"mode": "warn"}, "ack": {"deadline": "5m", "reminders": 1}}`
	if err := os.WriteFile(filepath.Join(other, ".brennerrc"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := Open(ctx, Options{Project: Project{Root: home, WorkDir: home}, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	project, err := a.Store.EnsureProject(ctx, other, now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Store.EnsureProject(ctx, "/not/on/this/machine", now); err != nil {
		t.Fatal(err)
	}
	n, err := a.neighbour(ctx, project)
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Mail().EnsureAgents(ctx, "BlueLake", "RedSky"); err != nil {
		t.Fatal(err)
	}
	// What the home project would refuse is taken, with a warning.
	sent, err := n.Mail().Send(ctx, mail.Outgoing{Draft: message.Draft{
		ThreadID: "RS-20260110-neighbour-project", From: "BlueLake", To: []string{"RedSky"}, Subject: "QUESTION: why?", Body: "no section",
	}})
	if err != nil || len(sent.Findings) == 0 {
		t.Fatalf("%v %v", sent.Findings, err)
	}
	now = now.Add(6 * time.Minute)
	run, err := a.runAcks(ctx, time.Minute)
	if err != nil || len(run.Reminders) != 1 || run.Reminders[0].Project != project.ID {
		t.Errorf("after its deadline: %+v, %v", run, err)
	}
	now = now.Add(6 * time.Minute)
	if run, err := a.runAcks(ctx, time.Minute); err != nil || len(run.Escalations) != 1 {
		t.Errorf("after its only reminder: %+v, %v", run, err)
	}
}
