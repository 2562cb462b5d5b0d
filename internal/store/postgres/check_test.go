package postgres_test

import (
	"testing"

	"brenner/internal/store/postgres/pgtest"
)

// TestCheck: the server finds nothing wrong with a whole store.
func TestCheck(t *testing.T) {
	store := open(t, pgtest.DSN(t))
	newLab(t, store).mustSend(entry("COORD-a", "INFO: x"))
	if found, err := store.Check(t.Context()); err != nil || len(found) > 0 {
		t.Errorf("%q, %v", found, err)
	}
}
