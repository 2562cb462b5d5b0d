package api_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"brenner/internal/api"
	"brenner/internal/mail"
	"brenner/internal/mail/memory"
	"brenner/internal/session"
)

// BenchmarkPalette presses a key in a project of fifty sessions.
func BenchmarkPalette(b *testing.B) {
	store := memory.New()
	project, err := store.EnsureProject(b.Context(), b.TempDir(), time.Now())
	if err != nil {
		b.Fatal(err)
	}
	service := mail.NewService(store, project, mail.Options{})
	if _, err := service.Register(b.Context(), mail.Registration{Name: "BlueLake"}); err != nil {
		b.Fatal(err)
	}
	sessions := session.New(service, nil, session.Settings{})
	for i := range 50 {
		if _, err := sessions.Start(b.Context(), session.StartRequest{
			From: mail.Operator, Question: "Why do cells turn?", Context: "They do.", ThreadID: fmt.Sprintf("RS-20260110-cells-%d", i),
			Roster: session.RosterRequest{Recipients: []string{"BlueLake"}},
		}); err != nil {
			b.Fatal(err)
		}
	}
	a := api.New(api.Deps{Sessions: sessions, Caller: func(context.Context) api.Caller {
		return api.Caller{Name: mail.Operator, Operator: true}
	}}, api.Options{})
	defer a.Close()
	for b.Loop() {
		w := httptest.NewRecorder()
		a.ServeHTTP(w, httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/api/v1/palette?q=c", http.NoBody))
		if w.Code != http.StatusOK {
			b.Fatal(w.Code, w.Body)
		}
	}
}
