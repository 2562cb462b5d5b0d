package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"path"
	"slices"

	"brenner/internal/protocol"
)

//go:embed schema/*.sql
var schemaFiles embed.FS

// applicationID marks the file as ours, so that another program's database is not taken
// for an empty one.
const applicationID = 0x6272656e // "bren"

// migrations returns the steps of the schema in order; the version of the schema is their
// number.
func migrations() []string {
	entries, err := schemaFiles.ReadDir("schema")
	if err != nil {
		panic(err) // it is part of the program
	}
	var names, steps []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	slices.Sort(names)
	for _, name := range names {
		text, err := schemaFiles.ReadFile(path.Join("schema", name))
		if err != nil {
			panic(err)
		}
		steps = append(steps, string(text))
	}
	return steps
}

// migrate brings the file to this program's schema. SCHEMA_TOO_NEW: a newer program wrote it.
func (s *Store) migrate(ctx context.Context, conn *sql.Conn) error {
	steps := migrations()
	if version, err := s.schemaVersion(ctx, conn, len(steps)); err != nil || version == len(steps) {
		return err
	}
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return s.failure("migrating the store", err)
	}
	err := s.migrateFrom(ctx, conn, steps)
	if err == nil {
		_, err = conn.ExecContext(ctx, "COMMIT")
	}
	if err != nil {
		_, _ = conn.ExecContext(ctx, "ROLLBACK")
		return s.failure("migrating the store", err)
	}
	return nil
}

// migrateFrom looks again behind the lock: another process may have been faster.
func (s *Store) migrateFrom(ctx context.Context, conn *sql.Conn, steps []string) error {
	version, err := s.schemaVersion(ctx, conn, len(steps))
	if err != nil {
		return err
	}
	for ; version < len(steps); version++ {
		if _, err := conn.ExecContext(ctx, steps[version]); err != nil {
			return err
		}
		if version+1 == journaled {
			m := migrating{conn}
			if err := (reader{m, s}).backfill(ctx, m.writeLeaves(ctx)); err != nil {
				return err
			}
		}
		if _, err := conn.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version+1)); err != nil {
			return err
		}
	}
	_, err = conn.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID))
	return err
}

func (s *Store) schemaVersion(ctx context.Context, conn *sql.Conn, ours int) (int, error) {
	var version, application, tables int
	err := conn.QueryRowContext(ctx, "SELECT (SELECT user_version FROM pragma_user_version), "+
		"(SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)").Scan(&version, &application, &tables)
	switch {
	case err != nil:
		return 0, s.failure("opening the store", err)
	case application != applicationID && tables > 0:
		return 0, protocol.Errorf(protocol.StoreUnavailable, "%s is a database of another program", s.path)
	case version > ours:
		return 0, protocol.Errorf(protocol.SchemaTooNew,
			"%s has schema %d; this brenner knows schemas up to %d", s.path, version, ours)
	}
	return version, nil
}
