package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// Reservations implements mail.Store.
func (s *Store) Reservations(ctx context.Context, project mail.ProjectID, now time.Time,
	change func([]mail.Reservation) ([]mail.Reservation, error),
) ([]mail.Reservation, error) {
	var standing []mail.Reservation
	if change == nil {
		err := s.read(ctx, "reading leases", func(r reader) (err error) {
			standing, err = r.standing(ctx, project, now)
			standing, err = orNoProject(ctx, r, project, standing, err)
			return err
		})
		return standing, err
	}
	err := s.writer.do(ctx, "changing leases", func(ctx context.Context, tx *transaction) (err error) {
		standing, err = tx.changeReservations(ctx, project, now, change)
		return err
	})
	if err != nil {
		return nil, err
	}
	return standing, nil
}

func (tx *transaction) changeReservations(ctx context.Context, project mail.ProjectID, now time.Time,
	change func([]mail.Reservation) ([]mail.Reservation, error),
) ([]mail.Reservation, error) {
	if err := tx.checkProject(ctx, project); err != nil {
		return nil, err
	}
	before, err := tx.standing(ctx, project, now)
	if err != nil {
		return nil, err
	}
	changed, err := change(before)
	if err != nil {
		return nil, verbatim{err}
	}
	if err := tx.checkReservations(ctx, project, changed); err != nil {
		return nil, err
	}
	for _, r := range changed {
		r.Project = project
		if r.ID == 0 {
			tx.head.lastLease++
			r.ID = tx.head.lastLease
		}
		tx.putReservation(&r)
	}
	return tx.standing(ctx, project, now)
}

// checkReservations looks for the leases that are to be replaced.
func (tx *transaction) checkReservations(ctx context.Context, project mail.ProjectID, changed []mail.Reservation) error {
	var ids []int64
	for _, r := range changed {
		if r.ID != 0 {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	there := map[int64]bool{}
	err := tx.each(ctx, func(rows pgx.Rows) error {
		var id int64
		err := rows.Scan(&id)
		there[id] = true
		return err
	}, "SELECT id FROM reservations WHERE id = ANY ($1) AND project_id = $2", ids, int64(project))
	if err != nil {
		return err
	}
	for _, id := range ids {
		if !there[id] {
			return protocol.Errorf(protocol.NotFound, "there is no lease %d", id)
		}
	}
	return nil
}

func (tx *transaction) putReservation(r *mail.Reservation) {
	tx.queue(`INSERT INTO reservations (id, project_id, agent, path, exclusive, reason, created_us, expires_us, released_us)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (id) DO UPDATE SET agent = excluded.agent, path = excluded.path, exclusive = excluded.exclusive,
		reason = excluded.reason,
			created_us = excluded.created_us, expires_us = excluded.expires_us, released_us = excluded.released_us`,
		r.ID, int64(r.Project), r.Agent, r.Path, r.Exclusive, r.Reason,
		mail.Truncate(r.CreatedAt).UnixMicro(), mail.Truncate(r.ExpiresAt).UnixMicro(), microOrNull(mail.Truncate(r.Released)))
}

const reservationQuery = "SELECT id, project_id, agent, path, exclusive, reason, created_us, expires_us, released_us FROM reservations"

func (r reader) standing(ctx context.Context, project mail.ProjectID, now time.Time) ([]mail.Reservation, error) {
	// A lease is held while its end is after now, which may have more digits than a column.
	return collect(ctx, r.db, scanReservation,
		reservationQuery+" WHERE project_id = $1 AND released_us IS NULL AND expires_us > $2 ORDER BY id",
		int64(project), mail.Truncate(now).UnixMicro())
}

func scanReservation(rows pgx.Rows) (mail.Reservation, error) {
	var (
		r                         mail.Reservation
		project, created, expires int64
		released                  *int64
	)
	err := rows.Scan(&r.ID, &project, &r.Agent, &r.Path, &r.Exclusive, &r.Reason, &created, &expires, &released)
	r.Project, r.CreatedAt, r.ExpiresAt, r.Released = mail.ProjectID(project), instant(created), instant(expires), instantOrZero(released)
	return r, err
}
