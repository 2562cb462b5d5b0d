package postgres_test

import (
	"fmt"
	"testing"

	"brenner/internal/mail"
	"brenner/internal/mail/mailtest"
	"brenner/internal/store/postgres"
	"brenner/internal/store/postgres/pgtest"
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

func BenchmarkJournal(b *testing.B) { mailtest.BenchmarkJournal(b, durable(b, postgres.Options{})) }

func BenchmarkReads(b *testing.B) { mailtest.BenchmarkReads(b, durable(b, postgres.Options{})) }

// BenchmarkSearch measures words by how often they occur, in 200,000 messages: whichever plan
// is right for one of them would take seconds for another.
func BenchmarkSearch(b *testing.B) {
	const messages = 200_000
	l := newLab(b, durable(b, postgres.Options{}).New(b))
	for i := 0; i < messages; i += 2000 {
		entries := make([]mail.Entry, 2000)
		for k := range entries {
			n := i + k
			e := entry(fmt.Sprintf("COORD-t%d", n%500), "INFO: common")
			e.Message.Body = fmt.Sprintf("Some words to every message, rare%d, middle%d, seldom%d, old%d and adjacent words.", n, n%100,
				n%3000, n/50_000)
			entries[k] = e
		}
		l.mustSend(entries...)
	}
	if err := l.store.Rebuild(b.Context()); err != nil {
		b.Fatal(err)
	}
	for _, test := range []struct{ name, query string }{
		{"common", "common"}, {"middle", "middle7"}, {"seldom", "seldom77"}, {"rare", "rare12345"}, {"old", "old0"},
		{"absent", "nowhere"}, {"prefix", "rare1234*"}, {"both", "common rare777"}, {"phrase", `"adjacent words" seldom9`},
		{"not", "common NOT rare5"},
	} {
		b.Run(test.name, func(b *testing.B) {
			for b.Loop() {
				l.search(test.query, 20)
			}
		})
	}
}
