package postgres

import (
	"context"
	"embed"
	"fmt"
	"hash/fnv"
	"path"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"

	"brenner/internal/protocol"
)

//go:embed schema/*.sql
var schemaFiles embed.FS

// migration is one step of the schema. A program that knows the steps up to beside can go on working once the
// step was made: the nodes of a team are replaced one by one. One that only adds says so in its first line,
// "-- beside: N"; all others lock earlier programs out.
type migration struct {
	text   string
	beside int
}

// stepped is the migration that tells the schema that was reached from the one that a program has to know.
const stepped = 4

// migrations returns the steps of the schema in order; the version of the schema is their
// number.
var migrations = sync.OnceValue(readMigrations)

func readMigrations() []migration {
	entries, err := schemaFiles.ReadDir("schema")
	if err != nil {
		panic(err) // it is part of the program
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	slices.Sort(names)
	var steps []migration
	for _, name := range names {
		text, err := schemaFiles.ReadFile(path.Join("schema", name))
		if err != nil {
			panic(err)
		}
		step := migration{string(text), len(steps) + 1}
		if _, err := fmt.Sscanf(step.text, "-- beside: %d\n", &step.beside); err == nil && len(steps) > 0 {
			step.beside = max(step.beside, steps[len(steps)-1].beside)
		}
		steps = append(steps, step)
	}
	return steps
}

// steps are the migrations that this store knows of.
func (s *Store) steps() []migration {
	if s.options.schema > 0 {
		return migrations()[:s.options.schema]
	}
	return migrations()
}

// apply is the statement that makes step n, counted from 1, and says so.
func apply(n int, step migration) string {
	if n < stepped {
		return fmt.Sprintf("%s; UPDATE schema_version SET version = %d", step.text, step.beside)
	}
	return fmt.Sprintf("%s; UPDATE schema_version SET version = %d, step = %d", step.text, step.beside, n)
}

// migrate brings the schema to the one of this program. SCHEMA_TOO_NEW: a newer program
// wrote it. A schema that is up to date needs no rights to change it. A step may take as long as it takes: an index over many millions of
// rows is made in minutes.
func (s *Store) migrate(ctx context.Context, conn *pgx.Conn) error {
	steps := s.steps()
	bounded, cancel := context.WithTimeout(ctx, s.options.Timeout)
	defer cancel()
	if version, err := s.schemaVersion(bounded, conn, len(steps)); err != nil || version >= len(steps) {
		return err
	}
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SET LOCAL statement_timeout = 0"); err != nil {
			return err
		}
		// Processes that start together wait for the first; the schema to lock may not
		// be there yet.
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", s.lockNumber()); err != nil {
			return err
		}
		version, err := s.schemaVersion(ctx, tx.Conn(), len(steps))
		if err != nil || version >= len(steps) {
			return err
		}
		if version == 0 {
			if err := s.makeSchema(ctx, tx); err != nil {
				return err
			}
		}
		for ; version < len(steps); version++ {
			if _, err := tx.Exec(ctx, apply(version+1, steps[version]), pgx.QueryExecModeSimpleProtocol); err != nil {
				return err
			}
			if version+1 == journaled {
				if err := s.backfillIn(ctx, tx); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// makeSchema makes the schema, unless it is there: a role that owns it need not be allowed to make others.
func (s *Store) makeSchema(ctx context.Context, tx pgx.Tx) error {
	var there bool
	if err := tx.QueryRow(ctx, "SELECT to_regnamespace($1) IS NOT NULL", s.place.quoted()).Scan(&there); err != nil {
		return err
	}
	create := "CREATE TABLE schema_version (version integer NOT NULL); INSERT INTO schema_version VALUES (0)"
	if !there {
		create = fmt.Sprintf("CREATE SCHEMA %s; %s", s.place.quoted(), create)
	}
	_, err := tx.Exec(ctx, create, pgx.QueryExecModeSimpleProtocol)
	return err
}

// lockNumber tells the schema from others in the one space of advisory locks.
func (s *Store) lockNumber() int64 {
	h := fnv.New64a()
	h.Write([]byte("brenner migrates " + s.place.schema))
	return int64(h.Sum64())
}

// schemaVersion returns the step that the schema has reached, 0 if it is empty or not there. It may be further
// than ours, and still be one that this program can work with.
func (s *Store) schemaVersion(ctx context.Context, conn *pgx.Conn, ours int) (int, error) {
	var (
		encoding string
		tables   int
		marked   bool
	)
	err := conn.QueryRow(ctx, `SELECT current_setting('server_encoding'),
		(SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace($1)),
		to_regclass($1 || '.schema_version') IS NOT NULL`, s.place.quoted()).Scan(&encoding, &tables, &marked)
	switch {
	case err != nil:
		return 0, err
	case encoding != "UTF8":
		return 0, protocol.Errorf(protocol.StoreUnavailable, "the database of %s holds %s; it has to be one of encoding UTF8", s.place,
			encoding)
	case tables > 0 && !marked:
		return 0, protocol.Errorf(protocol.StoreUnavailable, "the schema of %s has tables of another program; name another schema", s.place)
	case !marked:
		return 0, nil
	}
	var version, step int
	// The column may not be there yet.
	err = conn.QueryRow(ctx, "SELECT version, coalesce((to_jsonb(v) ->> 'step')::integer, 0) FROM schema_version v").Scan(&version, &step)
	if err != nil {
		return 0, err
	}
	return max(version, step), s.checkVersion(version, ours)
}

// checkVersion takes the version that a program has to know.
func (s *Store) checkVersion(version, ours int) error {
	if version > ours {
		return protocol.Errorf(protocol.SchemaTooNew, "%s needs a program that knows schema %d; this brenner knows schemas up to %d",
			s.place, version, ours)
	}
	return nil
}
