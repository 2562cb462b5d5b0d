package api_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"brenner/internal/api"
)

// TestCancelled: a request whose client is gone, or whose time is over, is no failure of the server.
func TestCancelled(t *testing.T) {
	p := newProject(t, api.Options{Lab: true})
	p.populate(t)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	for _, c := range []struct {
		ctx    context.Context
		status int
		code   string
	}{{gone, http.StatusServiceUnavailable, "INTERRUPTED"}, {late, http.StatusGatewayTimeout, "TIMED_OUT"}} {
		for _, path := range []string{"/api/v1/sessions", "/api/v1/messages/1", "/api/v1/acks"} {
			w := httptest.NewRecorder()
			p.api.ServeHTTP(w, httptest.NewRequestWithContext(c.ctx, http.MethodGet, path, http.NoBody))
			if w.Code != c.status || !strings.Contains(w.Body.String(), c.code) {
				t.Errorf("%s: %d %s, want %d %s", path, w.Code, w.Body, c.status, c.code)
			}
		}
	}
}
