package sqlite_test

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/mail/mailtest"
	"brenner/internal/store/sqlite"
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

// BenchmarkSendsApart compares with senders that do not share anything: sixteen connections of
// their own on one file, a transaction for each message.
func BenchmarkSendsApart(b *testing.B) {
	mailtest.BenchmarkSends(b, engine(), func(t testing.TB) mail.Store {
		path := filepath.Join(t.TempDir(), "apart.db")
		all := &apart{}
		for i := range all.stores {
			s, err := sqlite.Open(t.Context(), path, sqlite.Options{MaxBatch: 1})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Close() })
			all.stores[i] = s
		}
		all.Store = all.stores[0]
		return all
	})
}

// apart hands each send to the next of its stores.
type apart struct {
	mail.Store
	stores [16]mail.Store
	next   atomic.Int64
}

func (a *apart) Append(ctx context.Context, p mail.ProjectID, at time.Time, entries ...mail.Entry) ([]mail.Message, error) {
	return a.stores[int(a.next.Add(1))%len(a.stores)].Append(ctx, p, at, entries...)
}

func BenchmarkJournal(b *testing.B) { mailtest.BenchmarkJournal(b, engine()) }
