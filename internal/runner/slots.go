package runner

import (
	"context"
	"sync"
	"time"
)

// Slots hand out leave to run programs: so many of each at once, across all the runs that share them. Safe for
// concurrent use.
type Slots struct {
	mu    sync.Mutex
	most  map[string]int
	used  map[string]int
	freed chan struct{} // closed and made anew when one is given back

	rests  map[string]time.Time // until when the service of a program takes no more
	barred map[string]string    // what the service of a program said when it did not know its person
}

// barredError: the service of a program does not know its person. None is started before somebody signs it in.
type barredError struct{ words string }

func (e barredError) Error() string { return e.words }

// NewSlots makes slots with a bound for some programs; the others have none.
func NewSlots(most map[string]int) *Slots {
	return &Slots{most: most, used: map[string]int{}, freed: make(chan struct{}),
		rests: map[string]time.Time{}, barred: map[string]string{}}
}

// Rest keeps all of a program from being started before a time.
func (s *Slots) Rest(program string, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if until.After(s.rests[program]) {
		s.rests[program] = until
	}
}

// Bar keeps all of a program from being started: its service does not know its person.
func (s *Slots) Bar(program, words string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.barred[program] = words
	s.stir()
}

// Unbar lets a program be tried again.
func (s *Slots) Unbar(program string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.barred, program)
}

// stir wakes those who wait.
func (s *Slots) stir() {
	close(s.freed)
	s.freed = make(chan struct{})
}

// Take waits until one more of a program may run. It fails when the context ends first, or while the program is barred.
func (s *Slots) Take(ctx context.Context, program string) (release func(), err error) {
	for {
		s.mu.Lock()
		if words, barred := s.barred[program]; barred {
			s.mu.Unlock()
			return nil, barredError{words}
		}
		if rest := time.Until(s.rests[program]); rest > 0 {
			freed := s.freed
			s.mu.Unlock()
			if err := pause(ctx, rest, freed); err != nil {
				return nil, err
			}
			continue
		}
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
		s.stir()
	})
}

// pause waits for a time, or until something has changed.
func pause(ctx context.Context, rest time.Duration, changed <-chan struct{}) error {
	timer := time.NewTimer(rest)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-changed:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}
