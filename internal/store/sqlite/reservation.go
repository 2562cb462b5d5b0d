package sqlite

import (
	"context"
	"database/sql"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// Reservations implements mail.Store.
func (s *Store) Reservations(ctx context.Context, project mail.ProjectID, now time.Time,
	change func([]mail.Reservation) ([]mail.Reservation, error),
) (standing []mail.Reservation, err error) {
	if change == nil {
		err = s.read(ctx, "reading leases", func(r reader) error {
			if err := r.checkProject(ctx, project); err != nil {
				return err
			}
			standing, err = r.standing(ctx, project, now)
			return err
		})
		return standing, err
	}
	err = s.writer.do(ctx, "changing leases", func(tx *transaction) error {
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
		return nil, err
	}
	for _, r := range changed {
		if r.ID == 0 {
			continue
		}
		if n, err := number(ctx, tx, "SELECT count(*) FROM reservations WHERE id = ? AND project_id = ?", r.ID, project); err != nil {
			return nil, err
		} else if n == 0 {
			return nil, protocol.Errorf(protocol.NotFound, "there is no lease %d", r.ID)
		}
	}
	for _, r := range changed {
		r.Project = project
		if err := tx.putReservation(&r); err != nil {
			return nil, err
		}
	}
	return tx.standing(ctx, project, now)
}

func (tx *transaction) putReservation(r *mail.Reservation) error {
	var id any
	if r.ID != 0 {
		id = r.ID
	}
	return tx.exec(`INSERT OR REPLACE INTO reservations (id, project_id, agent, path, exclusive, reason, created_us, expires_us,
		released_us)
		VALUES (?,?,?,?,?,?,?,?,?)`,
		id, r.Project, r.Agent, r.Path, r.Exclusive, r.Reason, r.CreatedAt.UnixMicro(), r.ExpiresAt.UnixMicro(),
		nullMicro(mail.Truncate(r.Released)))
}

func (r reader) standing(ctx context.Context, project mail.ProjectID, now time.Time) ([]mail.Reservation, error) {
	return collect(ctx, r.db, scanReservation,
		reservationQuery+`WHERE project_id = ? AND released_us IS NULL AND expires_us > ? ORDER BY id`,
		project, mail.Truncate(now).UnixMicro())
}

const reservationQuery = "SELECT id, project_id, agent, path, exclusive, reason, created_us, expires_us, released_us FROM reservations "

func scanReservation(rows *sql.Rows) (r mail.Reservation, err error) {
	var created, expires int64
	var released sql.NullInt64
	err = rows.Scan(&r.ID, &r.Project, &r.Agent, &r.Path, &r.Exclusive, &r.Reason, &created, &expires, &released)
	r.CreatedAt, r.ExpiresAt, r.Released = instant(created), instant(expires), fromMicro(released.Int64)
	return r, err
}
