package postgres

import (
	"errors"

	"brenner/internal/store/commitqueue"
)

// Commit implements commitqueue.Engine. A transaction that was too hasty, or whose connection broke before it was
// sent, is done again once.
func (w *writer) Commit(batch []*call) error {
	err := w.attempt(batch)
	if _, hasty := errors.AsType[hastyError](err); hasty {
		w.caution = cautious
		err = w.attempt(batch)
	}
	if _, gone := errors.AsType[rolledBackError](err); gone && !batch[0].Alone {
		err = w.attempt(batch) // the server may be back already
	}
	return err
}

// Whole implements commitqueue.Engine.
func (w *writer) Whole(err error) bool {
	_, doubt := errors.AsType[doubtfulError](err)
	return doubt || w.store.ofStore(err)
}

// attempt runs calls in one transaction. An error means that nothing of it is there, unless it
// is an doubtfulError; errors of single calls are in the calls.
func (w *writer) attempt(batch []*call) error {
	ctx := commitqueue.Context(batch)
	tx, err := w.begin(ctx, batch)
	if err != nil {
		w.plan = nil
		return err
	}
	for _, c := range batch {
		if err := c.RunIn(ctx, tx); err != nil || tx.broken != nil {
			return w.abandon(tx, errors.Join(tx.broken, err))
		}
	}
	if err := tx.flush(ctx); err != nil {
		return w.abandon(tx, err)
	}
	if !tx.dirty {
		// Nothing is to be written, but what the calls were told has to be true.
		if err := tx.exchange(ctx); err != nil {
			return w.abandon(tx, err)
		}
		tx.rollback()
		w.plan, w.head = tx.plan, tx.head
		return nil
	}
	if err := tx.commit(ctx, w.token); err != nil {
		if !tx.conn.IsClosed() {
			return w.abandon(tx, err)
		}
		w.plan = nil
		if err := w.resolve(ctx, tx, err); err != nil {
			return err
		}
	}
	w.committed(tx)
	return nil
}

// hastyError says that a transaction failed which began without asking.
type hastyError struct{ error }

func (h hastyError) Unwrap() error { return h.error }

// abandon rolls back after an error. One that came with the end of the connection says so:
// another connection may do. So does one of a transaction that took too much for granted.
func (w *writer) abandon(tx *transaction, err error) error {
	w.plan = nil
	if tx.conn.IsClosed() {
		return rolledBackError{err}
	}
	tx.rollback()
	if tx.hasty && !w.store.ofStore(err) {
		return hastyError{err}
	}
	return err
}

// committed remembers what is known now, and tells who wants to know.
func (w *writer) committed(tx *transaction) {
	w.plan, w.head = tx.plan, tx.head
	for _, p := range tx.projects {
		w.store.known.addProject(p)
	}
	if len(tx.written) > 0 {
		w.store.index.appended(tx.head.lastMessage)
	}
}
