package sqlite_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	"brenner/internal/mail"
	"brenner/internal/store/sqlite"
)

// TestUpgrade: a store of an earlier program opens with all it holds, and takes what is new.
func TestUpgrade(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brenner.db")
	old := newLab(t, path, sqlite.Options{})
	for range 3 {
		if err := old.send(10); err != nil {
			t.Fatal(err)
		}
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{"DROP TABLE presences", "DROP TABLE notes", "DROP TABLE archives", "DROP TABLE archived_messages",
		"DROP TABLE archived_deliveries", "DROP TABLE journal", "ALTER TABLE threads DROP COLUMN crate", "PRAGMA user_version = 1"} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	l := newLab(t, path, sqlite.Options{})
	if got := len(l.read()); got != 3 {
		t.Errorf("%d messages after the upgrade", got)
	}
	noted := mail.Presence{Project: l.project, Agent: "RedSky", Source: mail.SourceStdio, Host: "lab", PID: 7, LastCall: start}
	if err := l.PutPresences(t.Context(), l.project, noted); err != nil {
		t.Fatal(err)
	}
	if list, err := l.Presences(t.Context(), l.project); err != nil || len(list) != 1 || list[0] != noted {
		t.Errorf("%v %+v", err, list)
	}
	if status, err := l.Status(t.Context()); err != nil || status.Schema != 6 {
		t.Errorf("%v %+v", err, status)
	}
}
