package lru_test

import (
	"errors"
	"testing"

	"brenner/internal/lru"
)

func TestBudget(t *testing.T) {
	c := lru.New[string](100, func(n int) int { return n })
	for _, key := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		c.Put(key, 12)
	}
	c.Get("a")
	c.Put("i", 12) // the ninth: b was used least recently
	if _, ok := c.Get("b"); ok {
		t.Error("b is still there")
	}
	if n, ok := c.Get("a"); !ok || n != 12 {
		t.Error("a is gone, which was used")
	}
	c.Put("large", 13)
	if _, ok := c.Get("large"); ok {
		t.Error("one value took more than an eighth")
	}
	c.Put("a", 11)
	if n, _ := c.Get("a"); n != 11 {
		t.Errorf("a is %d", n)
	}
	c.Clear()
	if _, ok := c.Get("a"); ok {
		t.Error("a survives Clear")
	}
}

func TestOf(t *testing.T) {
	c, made := lru.New[int, int](8, nil), 0
	double := func(n int) (int, error) {
		return c.Of(n, func() (int, error) { made++; return 2 * n, nil })
	}
	for range 3 {
		if n, err := double(4); n != 8 || err != nil {
			t.Error(n, err)
		}
	}
	if made != 1 {
		t.Errorf("made %d times", made)
	}
	if _, err := c.Of(5, func() (int, error) { return 0, errors.New("no") }); err == nil {
		t.Error("an error is lost")
	}
	if n, err := c.Of(5, func() (int, error) { return 1, nil }); n != 1 || err != nil {
		t.Error("an error is kept")
	}
}
