package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"os"
	"time"

	"brenner/internal/mail"
	"brenner/internal/mail/planner"
	"brenner/internal/store/commitqueue"
)

// transaction is the writer's transaction under way. Every error of its own statements is a fault:
// the whole transaction is then rolled back, and its calls are tried one by one.
type transaction struct {
	reader
	store    *Store
	files    *files
	plan     *planner.Plan
	messages int // written so far
	events   int
}

// begin takes the write lock, then learns what it builds on. As long as no other process wrote, what
// was known after the last commit still holds.
func (w *writer) begin(f *files) (*transaction, error) {
	tx := &transaction{store: w.store, files: f}
	tx.reader = reader{tx, w.store}
	if err := tx.exec("BEGIN IMMEDIATE"); err != nil {
		return nil, err
	}
	var version int64
	err := tx.row("PRAGMA data_version").Scan(&version)
	if err == nil && (w.plan == nil || w.of != f || w.planned != version || w.plan.Facts() > maxFacts) {
		w.plan = nil
		tx.plan, err = tx.learn()
	} else {
		tx.plan = w.plan
	}
	if err != nil {
		tx.rollback()
		return nil, commitqueue.Fault(err)
	}
	w.planned, w.of = version, f
	return tx, nil
}

// maxFacts bounds what a plan remembers between transactions.
const maxFacts = 20_000

// lastMessage is the id of the last message, which may be an archived one.
const lastMessage = "max(ifnull((SELECT max(id) FROM messages), 0), ifnull((SELECT max(id) FROM archived_messages), 0))"

// learn begins a plan from what is stored.
func (tx *transaction) learn() (*planner.Plan, error) {
	var lastID, lastTime, lastAgent int64
	err := tx.row("SELECT "+lastMessage+`, ifnull((SELECT max(id) FROM agents), 0),
		ifnull((SELECT max(max(ifnull((SELECT max(created_us) FROM messages WHERE imported = 0 AND project_id = p.id), 0),
			ifnull((SELECT max(created_us) FROM archived_messages WHERE imported = 0 AND project_id = p.id), 0))) FROM projects p), 0)`).
		Scan(&lastID, &lastAgent, &lastTime)
	if err != nil {
		return nil, err
	}
	return planner.New(lastID, fromMicro(lastTime), mail.AgentID(lastAgent)), nil
}

// forget drops what the plan knows, after something was written beside it.
func (tx *transaction) forget() error {
	if err := tx.flush(); err != nil {
		return err
	}
	plan, err := tx.learn()
	if err != nil {
		return commitqueue.Fault(err)
	}
	tx.plan = plan
	return nil
}

// commit makes the transaction durable, unless the file is no longer where readers will look
// for it.
func (tx *transaction) commit() error {
	if stale, err := tx.files.stale(tx.store.path); err != nil {
		return err
	} else if stale {
		return os.ErrNotExist
	}
	return tx.exec("COMMIT")
}

func (tx *transaction) rollback() {
	_ = tx.exec("ROLLBACK") // it fails only where SQLite rolled back already
}

// exec runs a statement on the writing connection.
func (tx *transaction) exec(query string, args ...any) error {
	stmt, err := tx.files.preparedWrite(query)
	if err == nil {
		_, err = stmt.Exec(args...)
	}
	if err != nil {
		return commitqueue.Fault(err)
	}
	return nil
}

// query implements queryer, inside the transaction.
func (tx *transaction) query(_ context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := tx.files.preparedWrite(query)
	if err != nil {
		return nil, commitqueue.Fault(err)
	}
	rows, err := stmt.Query(args...)
	if err != nil {
		return nil, commitqueue.Fault(err)
	}
	return rows, nil
}

type scanner interface{ Scan(to ...any) error }

type failedRow struct{ err error }

func (r failedRow) Scan(...any) error { return r.err }

func (tx *transaction) row(query string, args ...any) scanner {
	stmt, err := tx.files.preparedWrite(query)
	if err != nil {
		return failedRow{commitqueue.Fault(err)}
	}
	return stmt.QueryRow(args...)
}

// instant is the time of a column that is never absent.
func instant(us int64) time.Time { return time.UnixMicro(us).UTC() }

// fromMicro and nullMicro convert times that may be absent; 0 and NULL are the zero time.
func fromMicro(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return instant(us)
}

func nullMicro(t time.Time) driver.Value {
	if t.IsZero() {
		return nil
	}
	return t.UnixMicro()
}
