package mailtest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"brenner/canon"
	"brenner/mail"
	"brenner/protocol"
)

var core = []testCase{
	{"append and read back", appendAndRead},
}

func appendAndRead(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	sent := f.send("COORD-talk", 3)
	got := f.messages(mail.MessageQuery{Thread: "COORD-talk"})
	if diff := cmp.Diff(sent, got); diff != "" {
		t.Fatalf("what was read differs from what Append returned:\n%s", diff)
	}
	var previous canon.Hash
	for i, m := range got {
		if i > 0 && (m.ID != got[i-1].ID+1 || !m.CreatedAt.After(got[i-1].CreatedAt)) {
			t.Errorf("message %d at %s does not follow %d at %s", m.ID, m.CreatedAt, got[i-1].ID, got[i-1].CreatedAt)
		}
		if previous = mail.ChainNext(previous, &m); m.ChainHash != previous {
			t.Errorf("message %d: chain hash %s, want %s", m.ID, m.ChainHash, previous)
		}
	}
	_, err := f.store.Append(f.ctx, f.project, start, f.entryTo("Nobody"))
	f.wantCode(err, protocol.UnknownAgent)
}

func (f *fixture) entryTo(names ...string) mail.Entry {
	e := f.entry("COORD-talk", "INFO: to others")
	e.Message.To = names
	return e
}
