package postgres_test

import (
	"fmt"
	"testing"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/store/postgres/pgtest"
)

// TestHaste: a store that takes for granted what it knew after its own last commit finds out
// what another one did meanwhile.
func TestHaste(t *testing.T) {
	dsn := pgtest.DSN(t)
	a, b := newLab(t, open(t, dsn)), newLab(t, open(t, dsn))
	agent := func(name string) mail.Agent {
		t.Helper()
		list, err := b.store.Agents(t.Context(), b.project, name)
		if err != nil || len(list) != 1 {
			t.Fatalf("%s: %v, %v", name, list, err)
		}
		return list[0]
	}
	to := func(name, key string) mail.Entry {
		e := entry("COORD-a", "INFO: to "+name)
		e.Message.To = []string{name}
		if e.Key = key; key != "" {
			e.Payload[0] = 1
		}
		return e
	}
	warm := func() { // now a believes to know everything
		t.Helper()
		for range 30 {
			a.mustSend(to("RedSky", ""))
		}
	}

	warm()
	_, err := a.send(to("NewHand", ""))
	wantCode(t, err, protocol.UnknownAgent)
	if _, err := b.store.PutAgent(t.Context(), mail.Agent{Project: b.project, Name: "NewHand"}); err != nil {
		t.Fatal(err)
	}
	a.mustSend(to("NewHand", ""))

	warm()
	retired := agent("NewHand")
	retired.RetiredAt = start
	if _, err := b.store.PutAgent(t.Context(), retired); err != nil {
		t.Fatal(err)
	}
	_, err = a.send(to("NewHand", ""))
	wantCode(t, err, protocol.AgentRetired)

	for i := range 50 { // the first with a key wins
		key := fmt.Sprintf("key %d", i)
		first, second := a, b
		if i%2 == 1 {
			first, second = b, a
		}
		if i%3 == 0 {
			warm()
		}
		sent := first.mustSend(to("RedSky", key))
		if again := second.mustSend(to("RedSky", key)); again[0].ID != sent[0].ID {
			t.Errorf("one key gave messages %d and %d", sent[0].ID, again[0].ID)
		}
		other := to("RedSky", key)
		other.Payload[0] = 2
		_, err := a.send(other)
		wantCode(t, err, protocol.IdempotencyConflict)
	}
	for i, m := range a.thread("COORD-a") {
		if m.ID != int64(i+1) {
			t.Fatalf("the %dth message has id %d", i+1, m.ID)
		}
	}
}
