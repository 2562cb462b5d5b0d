package postgres

import (
	"context"

	"brenner/internal/mail"
)

// Status implements mail.Store. The end of the log is written, so that it is proven that it
// can be.
func (s *Store) Status(ctx context.Context) (mail.Status, error) {
	status := mail.Status{
		Engine: "postgres", Location: s.place.String(), Schema: len(s.steps()), Shared: true, Atomic: true,
	}
	err := s.writer.do(ctx, "checking the store", func(ctx context.Context, tx *transaction) error {
		if err := tx.flush(ctx); err != nil {
			return err
		}
		watermark, err := number(ctx, tx, "SELECT watermark FROM search_state WHERE only_row")
		if err != nil {
			return err
		}
		tx.dirty = true
		status.Messages, status.Cursor, status.Indexed = tx.head.lastMessage, tx.head.lastEvent, watermark
		return nil
	})
	return status, err
}
