package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"brenner/internal/mail"
)

var _ mail.Checker = (*Store)(nil)

// maxDamage is how much of what is wrong is told.
const maxDamage = 20

// Check implements mail.Checker.
func (s *Store) Check(ctx context.Context) (found []string, err error) {
	err = s.read(ctx, "checking the store", func(r reader) error {
		found, err = collect(ctx, r.db, func(rows *sql.Rows) (line string, err error) {
			return line, rows.Scan(&line)
		}, fmt.Sprintf("PRAGMA integrity_check(%d)", maxDamage))
		return err
	})
	if len(found) == 1 && found[0] == "ok" {
		found = nil
	}
	return found, err
}
