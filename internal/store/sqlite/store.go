// Package sqlite keeps mail in one SQLite file, without cgo: the default engine. The file is in
// WAL mode with synchronous=FULL; one goroutine writes, in transactions that senders share; readers
// have connections of their own. Several processes may use one file: each transaction takes the
// write lock first and reads what it depends on behind it. The search index is a file of its own
// beside it, off the path of a send, and can be deleted at any time.
package sqlite

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"brenner/internal/mail"
)

// Options are the settings of a store. The zero value is right in almost all cases.
type Options struct {
	BusyTimeout time.Duration // how long to wait for another process's lock; 0: 10 s
	Readers     int           // connections for reading; 0: 4
	MaxBatch    int           // calls that share one commit; 0: 256
}

// Store implements mail.Store and mail.Archiver on a file.
type Store struct {
	path    string
	options Options
	writer  *writer
	notify  *notifier
	index   *index

	mu    sync.RWMutex // guards files; readers of it keep it from being closed under them
	files *files       // nil while the file is gone, and after Close
	done  bool
}

var (
	_ mail.Store    = (*Store)(nil)
	_ mail.Archiver = (*Store)(nil)
)

// Open opens the store in a file, making it if it is not there. STORE_UNAVAILABLE: the file cannot be
// opened, or is not ours; SCHEMA_TOO_NEW: a newer program wrote it.
func Open(ctx context.Context, path string, options Options) (*Store, error) {
	if options.BusyTimeout == 0 {
		options.BusyTimeout = 10 * time.Second
	}
	if options.Readers == 0 {
		options.Readers = 4
	}
	if options.MaxBatch == 0 {
		options.MaxBatch = 256
	}
	s := &Store{path: path, options: options}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, s.failure("opening the store", err)
	}
	s.path = absolute
	if err := create(s.path); err != nil {
		return nil, s.failure("opening the store", err)
	}
	if s.files, err = s.open(ctx); err != nil {
		return nil, err
	}
	s.notify = newNotifier(s)
	s.index = newIndex(s)
	s.writer = newWriter(s)
	return s, nil
}

// Close implements mail.Store.
func (s *Store) Close() error {
	s.writer.queue.Stop()
	s.index.stop()
	s.notify.stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = true
	if s.files == nil {
		return nil
	}
	s.files.complete()
	err := s.files.close()
	s.files = nil
	return s.failure("closing the store", err)
}

// Path returns the absolute path of the file.
func (s *Store) Path() string { return s.path }
