package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
)

var _ mail.Checker = (*Store)(nil)

// Check implements mail.Checker. The server counts pages whose checksum is wrong; where the extension amcheck is
// installed every index of the schema is compared with its table too.
func (s *Store) Check(ctx context.Context) (found []string, err error) {
	err = s.read(ctx, "checking the store", func(r reader) error {
		found = nil
		failures, err := number(ctx, r.db,
			"SELECT COALESCE(sum(checksum_failures), 0)::bigint FROM pg_stat_database WHERE datname = current_database()")
		if err != nil {
			return err
		}
		if failures > 0 {
			found = append(found, fmt.Sprintf("%d pages have a wrong checksum", failures))
		}
		installed, err := number(ctx, r.db, "SELECT count(*) FROM pg_extension WHERE extname = 'amcheck'")
		if err != nil || installed == 0 {
			return err
		}
		return r.checkIndexes(ctx)
	})
	return found, err
}

func (r reader) checkIndexes(ctx context.Context) error {
	return r.db.each(ctx, func(pgx.Rows) error { return nil }, `SELECT bt_index_check(c.oid) FROM pg_class c JOIN pg_am a ON a.oid = c.relam
		WHERE a.amname = 'btree' AND c.relkind = 'i' AND c.relnamespace = current_schema()::regnamespace`)
}
