package postgres

import (
	"context"
	"errors"
)

// commit runs a batch in one transaction. If that fails because of one of its calls, each gets a
// transaction of its own, so that one bad call does not fail the others.
func (w *writer) commit(batch []*call) {
	err := w.attempt(batch)
	if _, hasty := errors.AsType[hastyError](err); hasty {
		w.caution = cautious
		err = w.attempt(batch)
	}
	if _, gone := errors.AsType[rolledBackError](err); gone && !batch[0].alone {
		err = w.attempt(batch) // the server may be back already
	}
	if err == nil {
		return
	}
	if _, doubt := errors.AsType[unsettledError](err); doubt || len(batch) == 1 || w.store.ofStore(err) {
		for _, c := range batch {
			if c.err == nil {
				c.err = err
			}
		}
		return
	}
	for _, c := range batch {
		c.err = nil
		if err := w.attempt([]*call{c}); err != nil {
			c.err = err
		}
	}
}

// attempt runs calls in one transaction. An error means that nothing of it is there, unless it
// is an unsettledError; errors of single calls stand in them.
func (w *writer) attempt(batch []*call) error {
	ctx := context.Background()
	if batch[0].alone {
		ctx = batch[0].ctx
	}
	tx, err := w.begin(ctx, batch)
	if err != nil {
		w.plan = nil
		return err
	}
	for _, c := range batch {
		if c.err = c.runIn(ctx, tx); tx.broken != nil || isFault(c.err) {
			err := errors.Join(tx.broken, c.err)
			c.err = nil
			return w.abandon(tx, err)
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
		if err := w.settle(ctx, tx, err); err != nil {
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
