package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/store/sqlite"
)

var start = time.Date(2026, 1, 10, 10, 0, 0, 0, time.UTC)

// lab is a store with a project and two agents, to send with.
type lab struct {
	testing.TB
	*sqlite.Store
	project mail.ProjectID
	sent    int
}

func newLab(t testing.TB, path string, options sqlite.Options) *lab {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	l := &lab{TB: t, Store: s}
	p, err := s.EnsureProject(t.Context(), "/srv/lab", start)
	if err != nil {
		t.Fatal(err)
	}
	l.project = p.ID
	for _, name := range []string{"BlueLake", "RedSky"} {
		if _, err := s.PutAgent(t.Context(),
			mail.Agent{Project: p.ID, Name: name, InceptionAt: start, LastActiveAt: start}); protocol.CodeOf(err) != protocol.Conflict &&
			err != nil {
			t.Fatal(err)
		}
	}
	l.sent = len(l.read())
	return l
}

// send sends a message with a body of a size.
func (l *lab) send(size int) error {
	_, err := l.Append(l.Context(), l.project, start, mail.Entry{Type: protocol.TypeInfo, Message: message.Message{
		ThreadID: "COORD-talk", From: "BlueLake", To: []string{"RedSky"}, Subject: "INFO: x", Body: strings.Repeat("x", size),
		Importance: message.Normal, Intake: protocol.Lenient,
	}})
	if err == nil {
		l.sent++
	}
	return err
}

func (l *lab) read() []mail.Message {
	l.Helper()
	all, err := l.Messages(l.Context(), mail.MessageQuery{Project: l.project})
	if err != nil {
		l.Fatal(err)
	}
	return all
}

// whole checks that what was accepted is there and nothing else, and that the store goes on.
func (l *lab) whole() {
	l.Helper()
	if err := l.send(10); err != nil {
		l.Fatalf("after recovery: %v", err)
	}
	all := l.read()
	if len(all) != l.sent || all[len(all)-1].ID != int64(l.sent) {
		l.Fatalf("%d messages up to %d, want %d", len(all), all[len(all)-1].ID, l.sent)
	}
	v, err := mail.NewService(l.Store, mail.Project{ID: l.project}, mail.Options{}).Verify(l.Context(), "COORD-talk", nil)
	if err != nil || v.FirstBad != nil {
		l.Fatalf("verify: %+v, %v", v, err)
	}
}

func wantCode(t testing.TB, err error, code protocol.Code) {
	t.Helper()
	if err == nil || protocol.CodeOf(err) != code {
		t.Fatalf("got error %v, want %s", err, code)
	}
}

func TestFileIsPrivate(t *testing.T) {
	folder := filepath.Join(t.TempDir(), ".brenner")
	l := newLab(t, filepath.Join(folder, "brenner.db"), sqlite.Options{})
	l.whole()
	for path, want := range map[string]os.FileMode{
		"": os.ModeDir | 0o700, "brenner.db": 0o600, "brenner.db-wal": 0o600, "brenner.db-shm": 0o600, ".gitignore": 0o600,
	} {
		info, err := os.Stat(filepath.Join(folder, path))
		if err != nil {
			t.Error(err)
		} else if info.Mode() != want {
			t.Errorf("%s has mode %s, want %s", path, info.Mode(), want)
		}
	}
	ignore, err := os.ReadFile(filepath.Join(folder, ".gitignore"))
	if err != nil || string(ignore) != "*\n" {
		t.Errorf(".gitignore: %q, %v", ignore, err)
	}
}

func TestStrangePaths(t *testing.T) {
	for _, name := range []string{"with space.db", "per%20cent.db", "quest?ion#hash.db", "Ünï 🧵.db", "a'b\"c.db"} {
		path := filepath.Join(t.TempDir(), name)
		l := newLab(t, path, sqlite.Options{})
		l.whole()
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
		entries, err := os.ReadDir(filepath.Dir(path))
		if err != nil || len(entries) > 6 { // file, search index, and the two side files of each
			t.Errorf("%s made %v", name, entries)
		}
	}
}

func TestNotOurs(t *testing.T) {
	folder := t.TempDir()
	open := func(name string) error {
		s, err := sqlite.Open(t.Context(), filepath.Join(folder, name), sqlite.Options{})
		if err == nil {
			s.Close()
		}
		return err
	}
	write := func(name string, statements ...string) {
		t.Helper()
		db, err := sql.Open("sqlite", filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		for _, s := range statements {
			if _, err := db.Exec(s); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "text"), []byte(fmt.Sprintf("%4096s", "no database")), 0o600); err != nil {
		t.Fatal(err)
	}
	wantCode(t, open("text"), protocol.StoreUnavailable)
	write("foreign", "CREATE TABLE t (x)")
	wantCode(t, open("foreign"), protocol.StoreUnavailable)
	if err := open("newer"); err != nil {
		t.Fatal(err)
	}
	write("newer", "PRAGMA user_version = 4711")
	wantCode(t, open("newer"), protocol.SchemaTooNew)
	wantCode(t, open("."), protocol.StoreUnavailable)
	wantCode(t, open("text/inside.db"), protocol.StoreUnavailable)
}

func TestLockedByAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brenner.db")
	l := newLab(t, path, sqlite.Options{BusyTimeout: 50 * time.Millisecond})
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	wantCode(t, l.send(10), protocol.StoreUnavailable)
	l.read() // readers do not care
	if _, err := conn.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	l.whole()
}

// TestGoneAndBack moves the database away under an open store, and back.
func TestGoneAndBack(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "brenner.db")
	l := newLab(t, path, sqlite.Options{})
	l.whole()
	move := func(from, to string) {
		t.Helper()
		for _, suffix := range []string{"", "-wal", "-shm"} {
			if err := os.Rename(from+suffix, to+suffix); err != nil {
				t.Fatal(err)
			}
		}
	}
	away := filepath.Join(folder, "away.db")
	move(path, away)
	wantCode(t, l.send(10), protocol.StoreUnavailable)
	_, err := l.Messages(t.Context(), mail.MessageQuery{Project: l.project})
	wantCode(t, err, protocol.StoreUnavailable)
	_, err = l.Status(t.Context())
	wantCode(t, err, protocol.StoreUnavailable)
	if _, err := os.Stat(path); err == nil {
		t.Error("a new database stands where the old one was")
	}
	move(away, path)
	l.whole()
}

// TestReplaced puts another database in the place of an open one, side files included: one
// without the other belongs to no database.
func TestReplaced(t *testing.T) {
	folder := t.TempDir()
	path, copied := filepath.Join(folder, "brenner.db"), filepath.Join(folder, "copy.db")
	other := newLab(t, copied, sqlite.Options{})
	other.whole()
	other.whole()
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	l := newLab(t, path, sqlite.Options{})
	l.whole()
	for _, change := range []error{os.Remove(path + "-wal"), os.Remove(path + "-shm"), os.Rename(copied, path)} {
		if change != nil {
			t.Fatal(change)
		}
	}
	l.sent = 2
	l.whole()
}

// TestPanicOfACaller: a compose function that panics fails its own call, and no other.
func TestPanicOfACaller(t *testing.T) {
	l := newLab(t, filepath.Join(t.TempDir(), "brenner.db"), sqlite.Options{})
	_, err := l.Compose(t.Context(), l.project, start, func(context.Context, mail.Tx) ([]mail.Entry, error) { panic("broken") })
	wantCode(t, err, protocol.Internal)
	l.whole()
}

func TestSearchIndexCanBeDeleted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brenner.db")
	for _, damage := range []func(index string) error{
		func(string) error { return nil },
		os.Remove,
		func(index string) error { return os.WriteFile(index, []byte(fmt.Sprintf("%8192s", "garbage")), 0o600) },
	} {
		l := newLab(t, path, sqlite.Options{})
		l.whole()
		if err := l.Rebuild(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if err := damage(path + "-search"); err != nil {
			t.Fatal(err)
		}
		l = newLab(t, path, sqlite.Options{})
		found, err := l.Search(t.Context(), mail.SearchQuery{Project: l.project, Expr: mail.Term{Words: []string{"info"}}, Limit: 50})
		if err != nil || len(found) != l.sent {
			t.Fatalf("%d found of %d, %v", len(found), l.sent, err)
		}
		l.Close()
	}
}

// TestOpenedAtOnce: several processes may meet on a file that is not there yet.
func TestOpenedAtOnce(t *testing.T) {
	for range 20 {
		path := filepath.Join(t.TempDir(), ".brenner", "brenner.db")
		errs := make(chan error, 8)
		for range cap(errs) {
			go func() {
				s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
				if err == nil {
					_, err = s.EnsureProject(t.Context(), "/srv/lab", start)
					err = errors.Join(err, s.Close())
				}
				errs <- err
			}()
		}
		for range cap(errs) {
			if err := <-errs; err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestCloseLeavesOneFile: what was written is in the file itself after a clean close, also while another process
// has it open; after the last close nothing is beside it.
func TestCloseLeavesOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mail.db")
	first, other := newLab(t, path, sqlite.Options{}), newLab(t, path, sqlite.Options{})
	for range 10 {
		if err := first.send(10_000); err != nil {
			t.Fatal(err)
		}
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	if err := os.WriteFile(copied, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := len(newLab(t, copied, sqlite.Options{}).read()); got != 10 {
		t.Errorf("the file alone has %d messages", got)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"-wal", "-shm"} {
		if _, err := os.Stat(path + suffix); err == nil {
			t.Errorf("%s stays", suffix)
		}
	}
}
