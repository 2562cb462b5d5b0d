package live

import (
	"context"
	"maps"
	"sync"
)

// Counter counts how often a request takes each thread. It should take one once, and ask what it took.
type Counter struct {
	mu    sync.Mutex
	taken map[string]int
}

type counterKey struct{}

// Count returns a context under which threads that are taken are counted, for the tests of all surfaces.
func Count(ctx context.Context) (context.Context, *Counter) {
	c := &Counter{taken: map[string]int{}}
	return context.WithValue(ctx, counterKey{}, c), c
}

// Taken tells how often each thread was taken.
func (c *Counter) Taken() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.taken)
}

func count(ctx context.Context, threadID string) {
	if c, ok := ctx.Value(counterKey{}).(*Counter); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.taken[threadID]++
	}
}
