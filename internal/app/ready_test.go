package app_test

import (
	"testing"

	"brenner/internal/app"
	"brenner/internal/store/postgres/pgtest"
	"brenner/protocol"
)

// TestServeWaitsForRecovery: a server that is started while its PostgreSQL recovers comes up when that is done; other
// commands say so and end.
func TestServeWaitsForRecovery(t *testing.T) {
	database := pgtest.Start(t, pgtest.Fast)
	project, err := app.FindProject(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	o := app.Options{Project: project, Store: database.DSN()}
	before, err := app.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := before.Close(); err != nil {
		t.Fatal(err)
	}
	database.Recover(t)
	told := 0
	a, err := app.OpenReady(t.Context(), o, func(why error) {
		told++
		if protocol.CodeOf(why) != protocol.StoreUnavailable {
			t.Errorf("it waits because of %v", why)
		}
		database.Promote(t)
	})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if told != 1 {
		t.Errorf("told %d times", told)
	}
	if err := a.Mail.EnsureAgents(t.Context(), "BlueLake"); err != nil {
		t.Errorf("it cannot be written: %v", err)
	}
}
