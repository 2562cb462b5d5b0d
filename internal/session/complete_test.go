package session_test

import (
	"context"
	"testing"

	"brenner/internal/mail"
	"brenner/internal/mail/memory"
	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/worktree"
)

// failing is a store whose countdown-th reading of messages or threads fails.
type failing struct {
	*memory.Store
	countdown int
}

func (f *failing) fail() error {
	if f.countdown--; f.countdown == 0 {
		return protocol.Errorf(protocol.StoreUnavailable, "the store went away")
	}
	return nil
}

func (f *failing) Messages(ctx context.Context, q mail.MessageQuery) ([]mail.Message, error) {
	if err := f.fail(); err != nil {
		return nil, err
	}
	return f.Store.Messages(ctx, q)
}

func (f *failing) Threads(ctx context.Context, q mail.ThreadQuery) ([]mail.Thread, error) {
	if err := f.fail(); err != nil {
		return nil, err
	}
	return f.Store.Threads(ctx, q)
}

// TestForceOverridesNoFailure: a reason overrides what is open in a session, never a store that cannot be read.
func TestForceOverridesNoFailure(t *testing.T) {
	for n := 1; ; n++ {
		b := newBench(t)
		b.start()
		b.send("BlueLake", "DELTA[gpt]: one", hypothesis("one", "it turns"), 0)
		b.compile()
		store := &failing{Store: b.mail.Store().(*memory.Store), countdown: n}
		service := mail.NewService(store, b.mail.Project(), mail.Options{Now: b.mail.Now})
		sessions := session.New(service, worktree.At(b.dir), session.Settings{})
		_, err := sessions.Complete(t.Context(), session.CompleteRequest{ThreadID: thread, As: "Operator", Force: "time is over"})
		if store.countdown > 0 { // it was done before the failure
			if err != nil {
				t.Fatal(err)
			}
			if n == 1 {
				t.Fatal("completing read nothing")
			}
			return
		}
		if protocol.CodeOf(err) != protocol.StoreUnavailable {
			t.Fatalf("reading %d failed, and completing came to %v", n, err)
		}
	}
}
