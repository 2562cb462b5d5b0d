package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"brenner/internal/mail"
	"brenner/internal/mail/mailtest"
	"brenner/internal/store/sqlite"
)

func TestMain(m *testing.M) {
	mailtest.CrashChild(func(ctx context.Context, place string) (mail.Store, error) {
		return sqlite.Open(ctx, place, sqlite.Options{})
	})
	goleak.VerifyTestMain(m)
}

// open opens a store and closes it with the test.
func open(t testing.TB, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func engine() mailtest.Engine {
	return mailtest.Engine{
		New: func(t testing.TB) mail.Store {
			return open(t, filepath.Join(t.TempDir(), "brenner.db"))
		},
		Again: func(t testing.TB, s mail.Store) mail.Store {
			return open(t, s.(*sqlite.Store).Path())
		},
	}
}

func TestConformance(t *testing.T) { mailtest.Run(t, engine()) }

func TestArchiveCrash(t *testing.T) {
	mailtest.RunArchiveCrash(t, engine(), func(s mail.Store) string { return s.(*sqlite.Store).Path() })
}

func TestCrash(t *testing.T) {
	mailtest.RunCrash(t, engine(), func(s mail.Store) string { return s.(*sqlite.Store).Path() })
}
