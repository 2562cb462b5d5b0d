package mail

import (
	"context"
	"time"

	"brenner/internal/protocol"
)

// LeaseRequest asks for advisory leases on paths.
type LeaseRequest struct {
	Agent     string
	Paths     []string // globs
	TTL       time.Duration
	Exclusive bool
	Reason    string
}

// The bounds of leases: all active ones are looked at for every path, while others wait to write.
const (
	maxPaths  = 1000 // of one call
	maxLeases = 2000 // of one agent
)

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
	paths, asked, err := leasePaths(r.Paths)
	if err != nil {
		return nil, nil, err
	}
	now := s.Now()
	standing, err := s.store.Reservations(ctx, s.project.ID, now, func(standing []Reservation) ([]Reservation, error) {
		conflicts = nil
		var change []Reservation
		own, fresh := map[string]Reservation{}, 0
		for _, have := range standing {
			if have.Agent == agent.Name {
				own[have.Path] = have
			}
		}
		for _, path := range paths {
			if holder := exclusiveHolder(standing, agent.Name, path); holder != nil {
				conflicts = append(conflicts, LeaseConflict{path, *holder})
				continue
			}
			lease, held := own[path]
			if !held {
				fresh++
				lease = Reservation{Agent: agent.Name, Path: path, CreatedAt: now}
			}
			lease.Exclusive, lease.Reason, lease.ExpiresAt = r.Exclusive, r.Reason, now.Add(r.TTL)
			change = append(change, lease)
		}
		if len(own)+fresh > maxLeases {
			return nil, protocol.Errorf(protocol.InvalidInput, "agent %s would hold more than %d leases: release some, or lease globs",
				agent.Name, maxLeases)
		}
		return change, nil
	})
	for _, lease := range standing {
		if lease.Agent == agent.Name && asked[lease.Path] {
			granted = append(granted, lease)
		}
	}
	return granted, conflicts, err
}

// leasePaths checks the paths of a call and returns them cleaned, each once.
func leasePaths(asked []string) (paths []string, set map[string]bool, err error) {
	if len(asked) > maxPaths {
		return nil, nil, protocol.Errorf(protocol.InvalidInput, "%d paths are more than the %d that one call may name: use globs",
			len(asked), maxPaths)
	}
	set = make(map[string]bool, len(asked))
	for _, path := range asked {
		if path == "" || len(path) > maxGlob {
			return nil, nil, protocol.Errorf(protocol.InvalidInput, "a path has from 1 to %d bytes", maxGlob)
		}
		if path = cleanGlob(path); !set[path] {
			set[path] = true
			paths = append(paths, path)
		}
	}
	return paths, set, nil
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

func (s *Service) changeLeases(ctx context.Context, name string, paths []string,
	edit func(*Reservation, time.Time)) ([]Reservation, error) {
	agent, err := s.Agent(ctx, name)
	if err != nil {
		return nil, err
	}
	meant := make(map[string]bool, len(paths))
	for _, path := range paths {
		meant[cleanGlob(path)] = true
	}
	now := s.Now()
	var changed []Reservation
	_, err = s.store.Reservations(ctx, s.project.ID, now, func(standing []Reservation) ([]Reservation, error) {
		changed = nil
		for _, r := range standing {
			if r.Agent == agent.Name && (len(paths) == 0 || meant[r.Path]) {
				edit(&r, now)
				changed = append(changed, r)
			}
		}
		return changed, nil
	})
	return changed, err
}

// Leases returns the leases that are active now.
func (s *Service) Leases(ctx context.Context) ([]Reservation, error) {
	return s.store.Reservations(ctx, s.project.ID, s.Now(), nil)
}
