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
	identity, last, err := ix.data(ctx)
	if err != nil {
		return nil, err
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	select {
	case <-ix.quit:
		return nil, errors.New("the store is closed")
	default:
	}
	if ix.db == nil {
		if ix.db, err = ix.connect(ctx, identity); err != nil {
			ix.db = nil
			return nil, err
		}
	}
	var of, watermark int64
	if err := ix.db.QueryRowContext(ctx, "SELECT identity, watermark FROM state").Scan(&of, &watermark); err != nil {
		return nil, err
	}
	if of != identity || watermark > last { // the store was replaced or put back
		return ix.db, reset(ctx, ix.db, identity)
	}
	return ix.db, nil
}

// data tells which data the store holds and how far it goes.
func (ix *index) data(ctx context.Context) (identity, last int64, err error) {
	err = ix.store.read(ctx, "reading the store", func(r reader) (err error) {
		if identity, err = number(ctx, r.db, "SELECT value FROM meta WHERE key = 'identity'"); err == nil {
			last, err = number(ctx, r.db, "SELECT ifnull(max(id), 0) FROM messages")
		}
		return err
	})
	return identity, last, err
}

func (ix *index) connect(ctx context.Context, identity int64) (*sql.DB, error) {
	db, err := ix.tryConnect(ctx, identity)
	if err == nil || ctx.Err() != nil {
		return db, err
	}
	// It is derived data: what cannot be used is made again.
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(ix.path() + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return ix.tryConnect(ctx, identity)
}

func (ix *index) tryConnect(ctx context.Context, identity int64) (*sql.DB, error) {
	if err := create(ix.path()); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", ix.store.dsn(ix.path(), "synchronous(NORMAL)", "cache_size(-16000)"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(3)
	var version int
	if err = db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err == nil && version != indexVersion {
		err = reset(ctx, db, identity)
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// reset makes the index empty.
func reset(ctx context.Context, db *sql.DB, identity int64) error {
	_, err := db.ExecContext(ctx, fmt.Sprintf(`
		BEGIN IMMEDIATE;
		DROP TABLE IF EXISTS state;
		DROP TABLE IF EXISTS words;
		CREATE TABLE state (id INTEGER PRIMARY KEY CHECK (id = 1), identity INTEGER NOT NULL, watermark INTEGER NOT NULL);
		INSERT INTO state VALUES (1, %d, 0);
		CREATE VIRTUAL TABLE words USING fts5 (meta, subject, body, content='', columnsize=0,
			tokenize="unicode61 remove_diacritics 0 categories 'L* N* M*'");
		PRAGMA user_version = %d;
		COMMIT;`, identity, indexVersion))
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
