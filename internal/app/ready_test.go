package app_test

import (
	"fmt"
	"testing"
	"time"

	"brenner/internal/app"
	"brenner/internal/protocol"
	"brenner/internal/store/postgres/pgtest"
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

// TestServeWaitsForFailover: of two servers the primary is gone and the standby not promoted yet. With one server in the
// address there is nothing to wait for.
func TestServeWaitsForFailover(t *testing.T) {
	primary := pgtest.Start(t, pgtest.Fast)
	standby := primary.Standby(t, pgtest.Fast)
	project, err := app.FindProject(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	primary.Crash(t)
	if _, err := app.OpenReady(t.Context(), app.Options{Project: project, Store: primary.DSN()}, func(why error) {
		t.Errorf("it waits for the only server: %v", why)
	}); protocol.CodeOf(err) != protocol.StoreUnavailable {
		t.Errorf("the only server is away: %v", err)
	}
	both := fmt.Sprintf("postgres://brenner@127.0.0.1:%d,"+
		"127.0.0.1:%d/postgres?sslmode=disable&target_session_attrs=read-write&connect_timeout=2",
		primary.Port(), standby.Port())
	a, err := app.OpenReady(t.Context(), app.Options{Project: project, Store: both}, func(error) {
		time.AfterFunc(300*time.Millisecond, func() { standby.Promote(t) })
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}
