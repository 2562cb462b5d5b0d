// Package lru is the one cache of the program: bounded, and what was used least recently goes first. A use of
// it names its key, which must tell apart everything that differs, and the benchmark that needs it.
package lru

import (
	"container/list"
	"sync"
)

// Cache keeps values by key. Safe for concurrent use.
type Cache[K comparable, V any] struct {
	budget int
	cost   func(V) int

	mu      sync.Mutex
	entries map[K]*list.Element // of *entry
	order   list.List           // most recently used first
	spent   int
}

type entry[K comparable, V any] struct {
	key   K
	value V
	cost  int
}

// New makes a cache whose values cost no more than a budget together; a nil cost is 1 for each.
func New[K comparable, V any](budget int, cost func(V) int) *Cache[K, V] {
	if cost == nil {
		cost = func(V) int { return 1 }
	}
	return &Cache[K, V]{budget: budget, cost: cost, entries: map[K]*list.Element{}}
}

// Get returns the value of a key, if it is there.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[key]
	if e == nil {
		var none V
		return none, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*entry[K, V]).value, true
}

// Put keeps a value. One that would take more than an eighth of the budget is not kept.
func (c *Cache[K, V]) Put(key K, value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(c.entries[key])
	cost := c.cost(value)
	if cost > max(c.budget/8, 1) {
		return
	}
	c.entries[key] = c.order.PushFront(&entry[K, V]{key, value, cost})
	for c.spent += cost; c.spent > c.budget; {
		c.drop(c.order.Back())
	}
}

// Of returns the value of a key, making it if it is not there. Two callers may both make it; one of the two
// values is kept.
func (c *Cache[K, V]) Of(key K, fill func() (V, error)) (V, error) {
	if v, ok := c.Get(key); ok {
		return v, nil
	}
	v, err := fill()
	if err == nil {
		c.Put(key, v)
	}
	return v, err
}

// Len is how many values are kept.
func (c *Cache[K, V]) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.entries)
}

// Clear forgets everything.
func (c *Cache[K, V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.entries)
	c.order.Init()
	c.spent = 0
}

func (c *Cache[K, V]) drop(e *list.Element) {
	if e == nil {
		return
	}
	old := c.order.Remove(e).(*entry[K, V])
	delete(c.entries, old.key)
	c.spent -= old.cost
}
