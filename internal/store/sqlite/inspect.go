package sqlite

import (
	"context"
	"database/sql"
	"path/filepath"
	"time"
)

// Schema returns the version of the schema that a file has, and the one that opening it would bring it
// to. It changes nothing. SCHEMA_TOO_NEW: a newer program wrote it.
func Schema(ctx context.Context, path string) (has, ours int, err error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return 0, 0, err
	}
	s := &Store{path: absolute, options: Options{BusyTimeout: 10 * time.Second}}
	ours = len(migrations())
	db, err := sql.Open("sqlite", s.readOnlyDSN())
	if err != nil {
		return 0, ours, s.failure("opening the store", err)
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return 0, ours, s.failure("opening the store", err)
	}
	defer conn.Close()
	has, err = s.schemaVersion(ctx, conn, ours)
	return has, ours, err
}
