package sqlite_test

import (
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"brenner/internal/store/sqlite"
	"brenner/mail"
	"brenner/mail/mailtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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
