package runner

import (
	"context"
	"sync"
)

// Slots hand out leave to run programs: so many of each at once, across all the runs that share them. Safe for
// concurrent use.
type Slots struct {
	mu    sync.Mutex
	most  map[string]int
	used  map[string]int
	freed chan struct{} // closed and made anew when one is given back
}

// NewSlots makes slots with a bound for some programs; the others have none.
func NewSlots(most map[string]int) *Slots {
	return &Slots{most: most, used: map[string]int{}, freed: make(chan struct{})}
}

// Take waits until one more of a program may run. It fails when the context ends first.
func (s *Slots) Take(ctx context.Context, program string) (release func(), err error) {
	for {
		s.mu.Lock()
		most, bounded := s.most[program]
		if !bounded || s.used[program] < most {
			s.used[program]++
			s.mu.Unlock()
			return s.releaser(program), nil
		}
		freed := s.freed
		s.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Claim counts a program that runs already, whatever the bound: no other is started in its place.
func (s *Slots) Claim(program string) (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used[program]++
	return s.releaser(program)
}

func (s *Slots) releaser(program string) func() {
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.used[program]--
		close(s.freed)
		s.freed = make(chan struct{})
	})
}
