package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// queryer runs queries: on a reader's connection, or inside the writer's transaction. It hands
// each row to scan.
type queryer interface {
	each(ctx context.Context, scan func(rows pgx.Rows) error, query string, args ...any) error
}

// plain runs queries as they come.
type plain struct {
	db interface {
		Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
	}
}

func (p plain) each(ctx context.Context, scan func(rows pgx.Rows) error, query string, args ...any) error {
	rows, err := p.db.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	return drain(rows, scan)
}

func drain(rows pgx.Rows, scan func(rows pgx.Rows) error) error {
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// reader implements mail.Reader over either.
type reader struct {
	db    queryer
	store *Store
}

// read runs a function on the readers' connections. A connection that broke while it lay idle
// is found out only by using it: then the function runs once more.
func (s *Store) read(ctx context.Context, doing string, run func(r reader) error) error {
	if s.isClosed() {
		return mail.Closed()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	r := reader{plain{s.pool}, s}
	err := run(r)
	if lost(err) && ctx.Err() == nil {
		s.pool.Reset()
		err = run(r)
	}
	return s.failure(ctx, doing, err)
}

// lost tells whether a connection broke, and another one may do.
func lost(err error) bool {
	if err == nil {
		return false
	}
	var (
		own     verbatim
		known   *protocol.Error
		failed  *pgconn.PgError
		connect *pgconn.ConnectError
		scan    pgx.ScanArgError
	)
	switch {
	case errors.As(err, &own), errors.As(err, &known), errors.As(err, &scan), errors.Is(err, pgx.ErrNoRows),
		errors.As(err, &connect): // it was just tried
		return false
	case errors.As(err, &failed):
		return failed.Severity == "FATAL" || failed.SeverityUnlocalized == "FATAL"
	}
	return true
}

// collect reads all rows of a query.
func collect[T any](ctx context.Context, db queryer, scan func(pgx.Rows) (T, error), query string, args ...any) ([]T, error) {
	var list []T
	err := db.each(ctx, func(rows pgx.Rows) error {
		v, err := scan(rows)
		list = append(list, v)
		return err
	}, query, args...)
	if err != nil {
		return nil, err
	}
	return list, nil
}

// number reads a query whose result is one integer; 0 if it is NULL or there is none.
func number(ctx context.Context, db queryer, query string, args ...any) (int64, error) {
	var n int64
	err := db.each(ctx, func(rows pgx.Rows) error {
		var value *int64
		if err := rows.Scan(&value); err != nil || value == nil {
			return err
		}
		n = *value
		return nil
	}, query, args...)
	return n, err
}

// checkProject fails with NOT_FOUND for a project that is not there.
func (r reader) checkProject(ctx context.Context, project mail.ProjectID) error {
	if r.store.known.hasProject(project) {
		return nil
	}
	n, err := number(ctx, r.db, "SELECT count(*) FROM projects WHERE id = $1", int64(project))
	switch {
	case err != nil:
		return err
	case n == 0:
		return mail.NoProject(project)
	}
	if tx, inside := r.db.(*transaction); inside { // it may be of this very transaction
		tx.projects = append(tx.projects, project)
		return nil
	}
	r.store.known.addProject(project)
	return nil
}

// orNoProject tells an empty result from a project that is not there.
func orNoProject[T any](ctx context.Context, r reader, project mail.ProjectID, list []T, err error) ([]T, error) {
	if err == nil && len(list) == 0 {
		err = r.checkProject(ctx, project)
	}
	return list, err
}

// where builds the condition of a query; each ? of a part becomes the next parameter.
type where struct {
	parts []string
	args  []any
}

func (w *where) add(part string, args ...any) {
	for _, arg := range args {
		w.args = append(w.args, arg)
		part = strings.Replace(part, "?", fmt.Sprintf("$%d", len(w.args)), 1)
	}
	w.parts = append(w.parts, part)
}

func (w *where) String() string {
	if len(w.parts) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.parts, " AND ")
}

// limit ends a query; 0 is all. The number is in the text, so that the planner sees it.
func limit(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" LIMIT %d", n)
}

// instant is the time that a column holds.
func instant(us int64) time.Time { return time.UnixMicro(us).UTC() }

// instantOrZero is the same where NULL stands for the zero time.
func instantOrZero(us *int64) time.Time {
	if us == nil {
		return time.Time{}
	}
	return instant(*us)
}

// microOrNull is the reverse.
func microOrNull(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	us := t.UnixMicro()
	return &us
}

func hash(data []byte) (h canon.Hash) {
	copy(h[:], data)
	return h
}

func hashOrNull(h canon.Hash) []byte {
	if h == (canon.Hash{}) {
		return nil
	}
	return h[:]
}
