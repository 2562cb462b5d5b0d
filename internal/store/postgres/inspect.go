package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Schema returns the version of the schema that a database has, and the one that opening it would bring
// it to. It changes nothing. SCHEMA_TOO_NEW: a newer program wrote it.
func Schema(ctx context.Context, dsn string) (has, ours int, err error) {
	place, err := parsePlace(dsn)
	if err != nil {
		return 0, 0, err
	}
	s := &Store{options: Options{}.orDefault(), place: place}
	ours = len(s.steps())
	ctx, cancel := context.WithTimeout(ctx, s.options.Timeout)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, place.session(nil))
	if err != nil {
		return 0, ours, s.failure(ctx, "opening the store", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if has, err = s.schemaVersion(ctx, conn, ours); err != nil {
		return has, ours, s.failure(ctx, "opening the store", err)
	}
	return has, ours, nil
}
