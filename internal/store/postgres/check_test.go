package postgres_test

import (
	"testing"

	"brenner/internal/store/postgres"
	"brenner/internal/store/postgres/pgtest"
)

// TestCheck: the server finds nothing wrong with a whole store.
func TestCheck(t *testing.T) {
	l := newLab(t, open(t, pgtest.DSN(t)))
	l.mustSend(entry("COORD-a", "INFO: x"))
	if found, err := l.store.(*postgres.Store).Check(t.Context()); err != nil || len(found) > 0 {
		t.Errorf("%q, %v", found, err)
	}
}
