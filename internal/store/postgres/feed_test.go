package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
	"brenner/internal/store/postgres/pgtest"
)

// TestManyWaiters: they share one connection, run no queries while nothing happens, and all
// wake.
func TestManyWaiters(t *testing.T) {
	dsn := pgtest.DSN(t) + "&application_name=waiters"
	l, other := newLab(t, open(t, dsn)), newLab(t, open(t, dsn+"-other"))
	cursor := cursorOf(l)
	var waiters sync.WaitGroup
	for range 300 {
		waiters.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			if err := l.store.Wait(ctx, l.project, cursor); err != nil {
				t.Error(err)
			}
		})
	}
	address, _ := parts(dsn)
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	count := func(condition string) (n int) {
		query := "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'waiters'" + condition
		if err := conn.QueryRow(t.Context(), query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	within(t, "somebody listens", func() bool { return count(" AND query LIKE '%max(seq)%'") == 1 })
	if n := count(""); n > 6 { // the writer, the listener, four readers
		t.Errorf("300 waiters use %d connections", n)
	}
	// Waiters that ask again and again would never leave the connections alone for so long.
	within(t, "nobody asks while nothing happens", func() bool { return count(" AND query_start > now() - interval '300 ms'") == 0 })
	other.mustSend(entry("COORD-a", "INFO: wake up"))
	waiters.Wait()
}

// TestWaitManyProjects: more projects than a notification can name.
func TestWaitManyProjects(t *testing.T) {
	s := open(t, pgtest.DSN(t))
	var projects []mail.ProjectID
	for i := range 200 {
		p, err := s.EnsureProject(t.Context(), fmt.Sprintf("/srv/p%d", i), start)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.PutAgent(t.Context(), mail.Agent{Project: p.ID, Name: "BlueLake"}); err != nil {
			t.Fatal(err)
		}
		projects = append(projects, p.ID)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	last := projects[len(projects)-1]
	woken := make(chan error, 1)
	go func() { woken <- s.Wait(ctx, last, 0) }()
	var senders sync.WaitGroup
	for _, p := range projects { // many of them share a transaction
		senders.Go(func() {
			e := entry("COORD-a", "INFO: to myself")
			e.Message.To = []string{"BlueLake"}
			if _, err := s.Append(ctx, p, start, e); err != nil {
				t.Error(err)
			}
		})
	}
	senders.Wait()
	if err := <-woken; err != nil {
		t.Error(err)
	}
	quiet, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if err := s.Wait(quiet, projects[0], 1_000_000); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waiting for what does not come: %v", err)
	}
}
