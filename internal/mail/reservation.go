package mail

import "time"

// Reservation is an advisory lease of an agent on the paths that a glob matches.
type Reservation struct {
	ID        int64 // given by the store; 0 for a new one
	Project   ProjectID
	Agent     string
	Path      string // a glob
	Exclusive bool
	Reason    string
	CreatedAt time.Time
	ExpiresAt time.Time
	Released  time.Time // zero while it is held
}

// Active tells whether the lease is held at a time.
func (r *Reservation) Active(now time.Time) bool {
	return r.Released.IsZero() && r.ExpiresAt.After(now)
}
