package server

import (
	"strconv"
	"testing"
	"time"
)

// TestRates: a client has its burst, then its rate; another client is not concerned, and strangers cannot fill the memory.
func TestRates(t *testing.T) {
	now := time.Date(2026, 1, 10, 9, 0, 0, 0, time.UTC)
	r := newRates(10, 3, func() time.Time { return now })
	allowed := func(client string, tries int) int {
		n := 0
		for range tries {
			if r.allow(client) {
				n++
			}
		}
		return n
	}
	if n := allowed("a", 5); n != 3 {
		t.Errorf("the burst was %d", n)
	}
	if n := allowed("b", 5); n != 3 {
		t.Errorf("the burst of another client was %d", n)
	}
	now = now.Add(100 * time.Millisecond)
	if n := allowed("a", 5); n != 1 {
		t.Errorf("after a tenth of a second: %d", n)
	}
	now = now.Add(-time.Hour) // a clock that was set back
	if n := allowed("a", 5); n != 0 {
		t.Errorf("by a clock that was set back: %d", n)
	}
	now = now.Add(2 * time.Hour)
	for i := range maxClients {
		r.allow(strconv.Itoa(i))
	}
	if n := len(r.clients); n > maxClients {
		t.Errorf("%d clients are kept", n)
	}
	if r.allow("0"); r.clients["a"] != nil {
		t.Error("a client that has asked for nothing is kept beyond the bound")
	}
}
