package sqlite_test

import (
	"path/filepath"
	"testing"

	"brenner/internal/store/sqlite"
	"brenner/mail"
	"brenner/mail/mailtest"
)

func BenchmarkSends(b *testing.B) {
	mailtest.BenchmarkSends(b, engine(), func(t testing.TB) mail.Store {
		s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "single.db"), sqlite.Options{MaxBatch: 1})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	})
}

func BenchmarkReads(b *testing.B) { mailtest.BenchmarkReads(b, engine()) }
