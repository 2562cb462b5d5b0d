package server_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/mail/memory"
	"brenner/internal/protocol"
	"brenner/internal/server"
)

// slowStore counts the reads of the agents, and takes its time to write the uses of tokens.
type slowStore struct {
	mail.Store
	agents  int
	writing chan struct{}
	resume  chan struct{}
}

func (s *slowStore) Agents(ctx context.Context, project mail.ProjectID, names ...string) ([]mail.Agent, error) {
	s.agents++
	return s.Store.Agents(ctx, project, names...)
}

func (s *slowStore) PutNote(ctx context.Context, project mail.ProjectID, now time.Time, note mail.Note) (mail.Note, error) {
	if note.Kind == "token-use" {
		s.writing <- struct{}{}
		<-s.resume
	}
	return s.Store.PutNote(ctx, project, now, note)
}

// TestUseOfATokenKeepsNoneWaiting: while the use of a token is written others come in, the agents are read once, and a
// revoked token is refused.
func TestUseOfATokenKeepsNoneWaiting(t *testing.T) {
	store := &slowStore{Store: memory.New(), writing: make(chan struct{}), resume: make(chan struct{})}
	project, err := store.EnsureProject(t.Context(), "/lab", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	keys := server.NewKeys(mail.NewService(store, project, mail.Options{}), func() time.Time { return now })
	token, err := keys.Create(t.Context(), server.AgentToken("BlueLake"))
	if err != nil {
		t.Fatal(err)
	}
	store.agents = 0
	var first sync.WaitGroup
	first.Go(func() {
		if _, err := keys.Identify(t.Context(), token); err != nil {
			t.Error(err)
		}
	})
	<-store.writing
	if who, err := keys.Identify(t.Context(), token); err != nil || who.Agent != "BlueLake" {
		t.Errorf("while the use is written: %+v, %v", who, err)
	}
	if store.agents != 1 {
		t.Errorf("the agents were read %d times", store.agents)
	}
	if err := keys.Revoke(t.Context(), "BlueLake"); err != nil {
		t.Fatal(err)
	}
	if who, err := keys.Identify(t.Context(), token); protocol.CodeOf(err) != protocol.NotAllowed {
		t.Errorf("a revoked token while the use is written: %+v, %v", who, err)
	}
	close(store.resume)
	first.Wait()
}

// closedLog is a store whose audit log cannot be written.
type closedLog struct{ mail.Store }

func (s closedLog) PutNote(ctx context.Context, project mail.ProjectID, now time.Time, note mail.Note) (mail.Note, error) {
	if note.Kind == mail.AuditNotes {
		return mail.Note{}, protocol.Errorf(protocol.StoreUnavailable, "no")
	}
	return s.Store.PutNote(ctx, project, now, note)
}

// TestNoActWithoutALine: what an operator asks for is not done where the audit log cannot say so; reading is no act.
func TestNoActWithoutALine(t *testing.T) {
	done := 0
	p := newPorchOn(t, closedLog{memory.New()}, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { done++ }))
	token := "Bearer " + p.token(t, mail.Operator)
	if res := p.ask("POST", "/api/v1/messages", nil, "Authorization", token); res.Code != http.StatusServiceUnavailable || done != 0 {
		t.Errorf("%d %s, done %d times", res.Code, res.Body, done)
	}
	if res := p.ask("GET", "/api/v1/messages", nil, "Authorization", token); res.Code != http.StatusOK || done != 1 {
		t.Errorf("%d %s, done %d times", res.Code, res.Body, done)
	}
}
