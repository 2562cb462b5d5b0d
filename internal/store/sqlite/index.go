package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	codes "modernc.org/sqlite/lib"

	"brenner/internal/mail"
)

// index is the search index: a file of its own beside the store, written after the messages and
// in large steps, so that sends never wait for it. It remembers up to which message it goes
// (the watermark) and which data it was made from; Search looks at the rest one by one.
type index struct {
	store *Store
	mu    sync.Mutex
	db    *sql.DB

	last     atomic.Int64 // id of the last message written here
	signal   chan struct{}
	quit     chan struct{}
	stopOnce sync.Once
	started  sync.Once
	running  sync.WaitGroup
}

// How the index keeps up: it waits for a pause in the sending, but never lets itself fall
// further behind than maxLag.
const (
	indexPause = 100 * time.Millisecond
	indexStep  = 2000
	maxLag     = 20_000
)

const indexVersion = 1

func newIndex(s *Store) *index {
	return &index{store: s, signal: make(chan struct{}, 1), quit: make(chan struct{})}
}

func (ix *index) path() string { return ix.store.path + "-search" }

// stop ends the goroutine and closes the file.
func (ix *index) stop() {
	ix.stopOnce.Do(func() { close(ix.quit) })
	ix.running.Wait()
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.db != nil {
		ix.db.Close()
		ix.db = nil
	}
}

// appended says that there are new messages. It never waits.
func (ix *index) appended(last int64) {
	ix.last.Store(last)
	ix.started.Do(func() { ix.running.Go(ix.loop) })
	select {
	case ix.signal <- struct{}{}:
	default:
	}
}

func (ix *index) loop() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ix.running.Go(func() {
		<-ix.quit
		cancel()
	})
	for ix.pause(ctx) {
		// What fails here (a full disk, say) costs only time on the next search.
		_ = ix.catchUp(ctx)
	}
}

// pause waits for messages, then for a moment without any, or for too many of them. It is
// false at the end.
func (ix *index) pause(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-ix.signal:
	}
	begun := ix.last.Load()
	for {
		timer := time.NewTimer(indexPause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return false
		case <-timer.C:
			return true
		case <-ix.signal:
			timer.Stop()
			if ix.last.Load()-begun > maxLag {
				return true
			}
		}
	}
}

// open returns the index, made anew if it is not there, not of this data, or damaged.
func (ix *index) open(ctx context.Context) (*sql.DB, error) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	select {
	case <-ix.quit:
		return nil, mail.Closed()
	default:
	}
	err := ix.ready(ctx)
	if damaged(err) { // it is derived data: what cannot be used is made again
		if err = ix.discard(); err == nil {
			err = ix.ready(ctx)
		}
	}
	if err != nil {
		return nil, err
	}
	return ix.db, nil
}

// ready connects to the file and makes sure that it belongs to the store's data.
func (ix *index) ready(ctx context.Context) (err error) {
	if ix.db == nil {
		if err := create(ix.path()); err != nil {
			return err
		}
		if ix.db, err = sql.Open("sqlite", ix.store.dsn(ix.path(), "synchronous(NORMAL)", "cache_size(-16000)")); err != nil {
			return err
		}
		ix.db.SetMaxOpenConns(3)
	}
	var version int
	if err := ix.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	var of, watermark int64
	if version == indexVersion {
		if err := ix.db.QueryRowContext(ctx, "SELECT identity, watermark FROM state").Scan(&of, &watermark); err != nil {
			return err
		}
	}
	// Messages only grow in number: asked for after the watermark, the last one is not
	// before it unless the store was put back.
	identity, last, err := ix.data(ctx)
	if err != nil || version == indexVersion && of == identity && watermark <= last {
		return err
	}
	return reset(ctx, ix.db, identity)
}

// damaged tells whether an index is beyond use.
func damaged(err error) bool {
	switch resultCode(err) {
	case codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB, codes.SQLITE_ERROR: // the last: a table is missing
		return true
	}
	return false
}

func (ix *index) discard() error {
	errs := []error{ix.db.Close()}
	ix.db = nil
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(ix.path() + suffix); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// data tells which data the store holds and how far it goes.
func (ix *index) data(ctx context.Context) (identity, last int64, err error) {
	err = ix.store.read(ctx, "reading the store", func(r reader) (err error) {
		if identity, err = number(ctx, r.db, "SELECT value FROM meta WHERE key = 'identity'"); err == nil {
			last, err = number(ctx, r.db, "SELECT "+lastMessage)
		}
		return err
	})
	return identity, last, err
}

// reset makes the index empty.
func reset(ctx context.Context, db *sql.DB, identity int64) error {
	return locked(ctx, db, func(conn *sql.Conn) error {
		_, err := conn.ExecContext(ctx, fmt.Sprintf(`
			DROP TABLE IF EXISTS state;
			DROP TABLE IF EXISTS words;
			CREATE TABLE state (id INTEGER PRIMARY KEY CHECK (id = 1), identity INTEGER NOT NULL, watermark INTEGER NOT NULL);
			INSERT INTO state VALUES (1, %d, 0);
			CREATE VIRTUAL TABLE words USING fts5 (meta, subject, body, content='', columnsize=0,
				tokenize="unicode61 remove_diacritics 0 categories 'L* N* M*'");
			PRAGMA user_version = %d;`, identity, indexVersion))
		return err
	})
}

// locked runs a function in a transaction that has the write lock from its start.
func locked(ctx context.Context, db *sql.DB, run func(conn *sql.Conn) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if err = run(conn); err == nil {
		_, err = conn.ExecContext(context.WithoutCancel(ctx), "COMMIT")
	}
	if err != nil {
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	}
	return err
}

// watermark returns the id of the last message in the index. Asking does not make one.
func (ix *index) watermark(ctx context.Context) (int64, error) {
	var n int64
	if _, err := os.Stat(ix.path()); errors.Is(err, fs.ErrNotExist) {
		return n, nil
	}
	db, err := ix.open(ctx)
	if err == nil {
		err = db.QueryRowContext(ctx, "SELECT watermark FROM state").Scan(&n)
	}
	return n, err
}

// rebuild makes the index again from the first message.
func (ix *index) rebuild(ctx context.Context) error {
	identity, _, err := ix.data(ctx)
	if err != nil {
		return err
	}
	db, err := ix.open(ctx)
	if err == nil {
		err = reset(ctx, db, identity)
	}
	if err != nil {
		return ix.store.failure("rebuilding the search index", err)
	}
	return ix.catchUp(ctx)
}

// catchUp indexes what is missing, step by step.
func (ix *index) catchUp(ctx context.Context) error {
	for {
		n, err := ix.step(ctx)
		if err != nil || n < indexStep {
			return ix.store.failure("indexing messages", err)
		}
	}
}
