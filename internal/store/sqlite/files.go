package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	codes "modernc.org/sqlite/lib"

	"brenner/internal/mail"
)

// files are the connections to the file as it is now. If the file is moved away or replaced
// they are of no use any more: they would write to a file that is no longer the store.
type files struct {
	info    os.FileInfo
	readers *sql.DB
	writers *sql.DB // one connection
	write   *sql.Conn
	cached  sync.Map // SQL text → *sql.Stmt of readers
	writing map[string]*sql.Stmt

	// For rows that are written in bulk the driver is called directly: checking and copying
	// their many arguments once more costs as much as a small row.
	raw   map[string]driver.Stmt
	texts map[*table][len(sizes)]string
	args  arguments
}

// dsn has the settings that every connection needs.
func (s *Store) dsn(path string, pragmas ...string) string {
	q := url.Values{"_pragma": append([]string{
		fmt.Sprintf("busy_timeout(%d)", s.options.BusyTimeout.Milliseconds()),
		"journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(0)", "temp_store(MEMORY)",
		"journal_size_limit(67108864)",
	}, pragmas...)}
	return fileURL(path, q)
}

// readOnlyDSN opens the store's file without changing anything in it.
func (s *Store) readOnlyDSN() string {
	return fileURL(s.path, url.Values{"mode": {"ro"}, "_pragma": {fmt.Sprintf("busy_timeout(%d)", s.options.BusyTimeout.Milliseconds())}})
}

func fileURL(path string, q url.Values) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive letter
	}
	return (&url.URL{Scheme: "file", Path: slashed, RawQuery: q.Encode()}).String()
}

// open connects to the file. Processes that make it at the same moment can meet in the change
// to WAL mode, for which SQLite does not wait; so the wait is here.
func (s *Store) open(ctx context.Context) (*files, error) {
	for begun := time.Now(); ; {
		f, err := s.tryOpen(ctx)
		if err == nil {
			return f, nil
		}
		if resultCode(err) != codes.SQLITE_BUSY || time.Since(begun) > s.options.BusyTimeout {
			return nil, s.failure("opening the store", err)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func (s *Store) tryOpen(ctx context.Context) (*files, error) {
	f := &files{writing: map[string]*sql.Stmt{}, raw: map[string]driver.Stmt{}, texts: map[*table][len(sizes)]string{}}
	err := f.connect(ctx, s)
	if err == nil {
		err = s.migrate(ctx, f.write)
	}
	if err != nil {
		return nil, errors.Join(err, f.close())
	}
	return f, nil
}

func (f *files) connect(ctx context.Context, s *Store) (err error) {
	if f.info, err = os.Stat(s.path); err != nil {
		return err
	}
	alignSideFiles(s.path, f.info.Mode())
	if f.writers, err = sql.Open("sqlite", s.dsn(s.path, "cache_size(-32000)", "wal_autocheckpoint(8000)")); err != nil {
		return err
	}
	f.writers.SetMaxOpenConns(1)
	if f.write, err = f.writers.Conn(ctx); err != nil {
		return err
	}
	if f.readers, err = sql.Open("sqlite", s.dsn(s.path, "query_only(1)", "cache_size(-16000)")); err != nil {
		return err
	}
	f.readers.SetMaxOpenConns(s.options.Readers + 1) // one watches the file while a caller waits
	f.readers.SetMaxIdleConns(s.options.Readers + 1)
	return nil
}

// complete brings everything that was written into the file itself, so that it is whole without its log even
// while other processes have it open. One that reads something older keeps a part back; it is not waited for
// long, and the last process to close does the rest.
func (f *files) complete() {
	ctx, cancel := context.WithTimeout(context.Background(), completeTime)
	defer cancel()
	for _, pragma := range []string{"PRAGMA busy_timeout(200)", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if _, err := f.write.ExecContext(ctx, pragma); err != nil {
			return // the log stays beside the file, and nothing is lost
		}
	}
}

// completeTime bounds what closing waits for: a full log is some dozens of megabytes.
const completeTime = 10 * time.Second

func (f *files) close() error {
	var errs []error
	for _, stmt := range f.raw {
		errs = append(errs, stmt.Close())
	}
	for _, stmt := range f.writing {
		errs = append(errs, stmt.Close())
	}
	f.cached.Range(func(_, stmt any) bool {
		errs = append(errs, stmt.(*sql.Stmt).Close())
		return true
	})
	if f.write != nil {
		errs = append(errs, f.write.Close())
	}
	for _, db := range []*sql.DB{f.readers, f.writers} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// stale tells whether the file at the path is no longer the one that is open.
func (f *files) stale(path string) (bool, error) {
	info, err := os.Stat(path)
	if err != nil {
		return true, err
	}
	return !os.SameFile(info, f.info), nil
}

// use returns the connections and keeps them open until release is called. If the file was
// replaced it opens the new one; if it is gone it fails, until it is back.
func (s *Store) use(ctx context.Context) (f *files, release func(), err error) {
	s.mu.RLock()
	if s.files != nil {
		if stale, _ := s.files.stale(s.path); !stale {
			return s.files, s.mu.RUnlock, nil
		}
	}
	s.mu.RUnlock()
	if err := s.reopen(ctx); err != nil {
		return nil, nil, err
	}
	s.mu.RLock()
	if s.files == nil {
		s.mu.RUnlock()
		return nil, nil, mail.Closed()
	}
	return s.files, s.mu.RUnlock, nil
}

// suspect closes connections after a failure that they may keep for themselves: one opened while
// the file could not be written stays that way. The next call opens them again.
func (s *Store) suspect(f *files, err error) {
	if !distrusted(err) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files == f && f != nil {
		f.close()
		s.files = nil
	}
}

func (s *Store) reopen(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done {
		return mail.Closed()
	}
	if s.files != nil {
		stale, err := s.files.stale(s.path)
		if !stale {
			return nil // another call was faster
		}
		if err != nil {
			return s.failure("using the store", err)
		}
		s.files.close()
		s.files = nil
	}
	if _, err := os.Stat(s.path); err != nil {
		return s.failure("using the store", err)
	}
	f, err := s.open(ctx)
	if err != nil {
		return err
	}
	s.files = f
	return nil
}

// prepared returns a statement on the readers, made once.
func (f *files) prepared(ctx context.Context, query string) (*sql.Stmt, error) {
	if stmt, ok := f.cached.Load(query); ok {
		return stmt.(*sql.Stmt), nil
	}
	stmt, err := f.readers.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	if other, loaded := f.cached.LoadOrStore(query, stmt); loaded {
		stmt.Close()
		return other.(*sql.Stmt), nil
	}
	return stmt, nil
}

// preparedWrite returns a statement on the writing connection, made once. Only the writer's
// goroutine calls it.
func (f *files) preparedWrite(query string) (*sql.Stmt, error) {
	if stmt, ok := f.writing[query]; ok {
		return stmt, nil
	}
	stmt, err := f.write.PrepareContext(context.Background(), query)
	if err == nil {
		f.writing[query] = stmt
	}
	return stmt, err
}

// statements returns the texts for a table, made once.
func (f *files) statements(t *table) [len(sizes)]string {
	texts, ok := f.texts[t]
	if !ok {
		texts = t.statements()
		f.texts[t] = texts
	}
	return texts
}

// execRaw runs a statement on the writing connection through the driver itself. Only the
// writer's goroutine calls it.
func (f *files) execRaw(query string, args []driver.NamedValue) error {
	return f.write.Raw(func(conn any) error {
		stmt, ok := f.raw[query]
		if !ok {
			var err error
			if stmt, err = conn.(driver.ConnPrepareContext).PrepareContext(context.Background(), query); err != nil {
				return err
			}
			f.raw[query] = stmt
		}
		_, err := stmt.(driver.StmtExecContext).ExecContext(context.Background(), args)
		return err
	})
}
