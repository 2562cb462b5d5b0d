// Package postgres keeps mail in one schema of a PostgreSQL database, for any number of
// processes. Each process has one connection that writes, in transactions that its senders share;
// every such transaction locks one row first, so that the log grows one transaction after the
// other in the order of commits. Readers have a pool; one more connection listens for events, once
// a caller waits for them. The search index is written after the messages, off the path of a send.
//
// A connection that breaks is made again by the next call: the server may go and come back.
package postgres

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"brenner/internal/mail"
)

// Options are the settings of a store. The zero value is right in almost all cases.
type Options struct {
	Timeout          time.Duration // how long the server may take to answer; 0: 30 s
	LockTimeout      time.Duration // how long to wait for another process's transaction; 0: 10 s
	StatementTimeout time.Duration // how long one statement may take, but for those that go through everything; 0: 1 min
	Readers          int           // connections for reading; 0: pool_max_conns of the address, else 4
	MaxBatch         int           // calls that share one commit; 0: 256

	schema int // how many migrations an earlier release knows, for tests; 0: all
}

func (o Options) orDefault() Options {
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	if o.LockTimeout == 0 {
		o.LockTimeout = 10 * time.Second
	}
	if o.StatementTimeout == 0 {
		o.StatementTimeout = time.Minute
	}
	if o.MaxBatch == 0 {
		o.MaxBatch = 256
	}
	return o
}

// Store implements mail.Store and mail.Archiver on a schema.
type Store struct {
	options Options
	place   place
	pool    *pgxpool.Pool
	known   directory
	writer  *writer
	notify  *notifier
	index   *index

	closing sync.Once
	closed  chan struct{}
}

var (
	_ mail.Store    = (*Store)(nil)
	_ mail.Archiver = (*Store)(nil)
)

// Open opens the store at an address, postgres://user@host:port/database?schema=NAME, making the
// schema if it is not there; without a name it is "brenner". USAGE: the address cannot be read.
// STORE_UNAVAILABLE: the server cannot be reached, or the schema is not ours; SCHEMA_TOO_NEW: a
// newer program wrote it.
func Open(ctx context.Context, dsn string, options Options) (*Store, error) {
	place, err := parsePlace(dsn)
	if err != nil {
		return nil, err
	}
	s := &Store{options: options.orDefault(), place: place, closed: make(chan struct{})}
	s.writer = newWriter(s)
	// The first connection of the writer also migrates the schema.
	if err := s.writer.connect(ctx); err != nil {
		return nil, s.failure(ctx, "opening the store", err)
	}
	if s.pool, err = pgxpool.NewWithConfig(ctx, s.place.pool(s.options)); err != nil {
		s.writer.hangUp()
		return nil, s.failure(ctx, "opening the store", err)
	}
	s.notify = newNotifier(s)
	s.index = newIndex(s)
	go s.writer.queue.Serve()
	return s, nil
}

// Close implements mail.Store.
func (s *Store) Close() error {
	s.closing.Do(func() { close(s.closed) })
	s.writer.stop()
	s.index.stop()
	s.notify.stop()
	s.pool.Close() // waits for those who read
	return nil
}

// isClosed tells whether the store was closed.
func (s *Store) isClosed() bool {
	select {
	case <-s.closed:
		return true
	default:
		return false
	}
}
