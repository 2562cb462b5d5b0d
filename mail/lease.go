package mail

import (
	"context"
	"slices"
	"time"

	"brenner/protocol"
)

// LeaseRequest asks for advisory leases on paths.
type LeaseRequest struct {
	Agent     string
	Paths     []string // globs
	TTL       time.Duration
	Exclusive bool
	Reason    string
}

// LeaseConflict is a path that another agent's exclusive lease overlaps.
type LeaseConflict struct {
	Path   string
	Holder Reservation
}

// Reserve grants a lease on each path that no other agent's exclusive lease overlaps; the others
// come back as conflicts, which are no error. A path that the agent holds already is extended.
func (s *Service) Reserve(ctx context.Context, r LeaseRequest) (granted []Reservation, conflicts []LeaseConflict, err error) {
	agent, err := s.Agent(ctx, r.Agent)
	if err != nil {
		return nil, nil, err
	}
	for _, path := range r.Paths {
		if path == "" || len(path) > maxGlob {
			return nil, nil, protocol.Errorf(protocol.InvalidInput, "a path has from 1 to %d bytes", maxGlob)
		}
	}
	now := s.Now()
	standing, err := s.store.Reservations(ctx, s.project.ID, now, func(standing []Reservation) ([]Reservation, error) {
		conflicts = nil
		var change []Reservation
		for _, path := range r.Paths {
			if holder := exclusiveHolder(standing, agent.Name, path); holder != nil {
				conflicts = append(conflicts, LeaseConflict{path, *holder})
				continue
			}
			lease := Reservation{Agent: agent.Name, Path: path, CreatedAt: now}
			if i := slices.IndexFunc(standing, func(have Reservation) bool { return have.Agent == agent.Name && have.Path == path }); i >= 0 {
				lease = standing[i]
			}
			lease.Exclusive, lease.Reason, lease.ExpiresAt = r.Exclusive, r.Reason, now.Add(r.TTL)
			change = append(change, lease)
		}
		return change, nil
	})
	for _, lease := range standing {
		if lease.Agent == agent.Name && slices.Contains(r.Paths, lease.Path) {
			granted = append(granted, lease)
		}
	}
	return granted, conflicts, err
}

func exclusiveHolder(standing []Reservation, agent, path string) *Reservation {
	for i := range standing {
		if r := &standing[i]; r.Exclusive && r.Agent != agent && globsOverlap(r.Path, path) {
			return r
		}
	}
	return nil
}

// Release ends leases of an agent, those on the given paths or, without paths, all of them,
// and returns how many.
func (s *Service) Release(ctx context.Context, agent string, paths []string) (int, error) {
	changed, err := s.changeLeases(ctx, agent, paths, func(r *Reservation, now time.Time) { r.Released = now })
	return len(changed), err
}

// Renew gives leases of an agent a new end, counted from now.
func (s *Service) Renew(ctx context.Context, agent string, paths []string, ttl time.Duration) ([]Reservation, error) {
	return s.changeLeases(ctx, agent, paths, func(r *Reservation, now time.Time) { r.ExpiresAt = now.Add(ttl) })
}

func (s *Service) changeLeases(ctx context.Context, name string, paths []string, edit func(*Reservation, time.Time)) ([]Reservation, error) {
	agent, err := s.Agent(ctx, name)
	if err != nil {
		return nil, err
	}
	now := s.Now()
	var changed []Reservation
	_, err = s.store.Reservations(ctx, s.project.ID, now, func(standing []Reservation) ([]Reservation, error) {
		changed = nil
		for _, r := range standing {
			if r.Agent == agent.Name && (len(paths) == 0 || slices.Contains(paths, r.Path)) {
				edit(&r, now)
				changed = append(changed, r)
			}
		}
		return changed, nil
	})
	return changed, err
}

// Leases returns the leases that stand now.
func (s *Service) Leases(ctx context.Context) ([]Reservation, error) {
	return s.store.Reservations(ctx, s.project.ID, s.Now(), nil)
}
