package postgres_test

import (
	"context"
	"testing"

	"go.uber.org/goleak"

	"brenner/internal/mail"
	"brenner/internal/mail/mailtest"
	"brenner/internal/store/postgres"
	"brenner/internal/store/postgres/pgtest"
)

func TestMain(m *testing.M) {
	mailtest.CrashChild(func(ctx context.Context, dsn string) (mail.Store, error) {
		return postgres.Open(ctx, dsn, postgres.Options{})
	})
	goleak.VerifyTestMain(m)
}

// opened is a store that remembers its address.
type opened struct {
	*postgres.Store
	dsn string
}

// open opens a store and closes it with the test.
func open(t testing.TB, dsn string) opened {
	t.Helper()
	s, err := postgres.Open(t.Context(), dsn, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return opened{s, dsn}
}

func engine() mailtest.Engine {
	return mailtest.Engine{
		New:   func(t testing.TB) mail.Store { return open(t, pgtest.DSN(t)) },
		Again: func(t testing.TB, s mail.Store) mail.Store { return open(t, s.(opened).dsn) },
	}
}

func TestConformance(t *testing.T) { mailtest.Run(t, engine()) }

func TestArchiveCrash(t *testing.T) {
	mailtest.RunArchiveCrash(t, engine(), func(s mail.Store) string { return s.(opened).dsn })
}

// TestCrash kills clients; TestServerCrash kills the server.
func TestCrash(t *testing.T) {
	mailtest.RunCrash(t, engine(), func(s mail.Store) string { return s.(opened).dsn })
}
