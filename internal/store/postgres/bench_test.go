package postgres_test

import (
	"testing"

	"brenner/internal/store/postgres"
	"brenner/internal/store/postgres/pgtest"
	"brenner/mail"
	"brenner/mail/mailtest"
)

// durable is an engine whose server syncs to disk, one server for all its stores.
func durable(b *testing.B, options postgres.Options) mailtest.Engine {
	server := pgtest.Start(b, pgtest.Durable)
	return mailtest.Engine{New: func(t testing.TB) mail.Store {
		s, err := postgres.Open(t.Context(), server.DSN(), options)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
		return s
	}}
}

func BenchmarkSends(b *testing.B) {
	engine := durable(b, postgres.Options{})
	single := durable(b, postgres.Options{MaxBatch: 1})
	mailtest.BenchmarkSends(b, engine, single.New)
}

func BenchmarkReads(b *testing.B) { mailtest.BenchmarkReads(b, durable(b, postgres.Options{})) }
