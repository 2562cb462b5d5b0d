package app_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/server"
)

// nowhere are addresses with nothing there, and methods do not change that.
var nowhere = []string{
	"/nothing", "/api/v2", "/api/v1/nothing", "/api/v1//sessions", "/api/v1/../../mcp", "/.well-known",
	"/.well-known/oauth-authorization-server",
	"/register", "/authorize", "/token", "/t", "/t/", "/t/x/compile", "/t/../t/x", "//x", "/logout/x", "/assets", "/mcp/x", "/health",
	"/metrics/x",
	"/%00", "/%ff", "/" + strings.Repeat("a", 40_000),
}

// TestNothingIsNotFound: an unknown address is 404 with a small JSON body (MAIL, transport), whether or not a token
// would be needed elsewhere; and no answer of this server runs in a browser.
func TestNothingIsNotFound(t *testing.T) {
	for _, strict := range []bool{false, true} {
		s := serve(t, app.ServeOptions{Strict: strict, Lab: true})
		for _, path := range nowhere {
			for _, method := range []string{"GET", "POST", "PUT", "DELETE", "OPTIONS"} {
				res := s.knock(t, method, path, "Accept", "text/html")
				var failure struct{ Error struct{ Code string } }
				data, err := io.ReadAll(res.body)
				if err != nil {
					t.Fatal(err)
				}
				if err := json.Unmarshal(data, &failure); err != nil || res.status != http.StatusNotFound ||
					failure.Error.Code != "NOT_FOUND" || len(data) > 500 {
					t.Errorf("strict %t: %s %.40s: %d %.200s", strict, method, path, res.status, data)
				}
			}
		}
		for _, path := range append(nowhere, "/", "/login", "/api/v1", "/api/v1/", "/mcp", "/metrics", "/health/liveness",
			"/assets/x/icon.svg", "/assets/none") {
			res := s.knock(t, "GET", path)
			if h := res.header; !strings.HasPrefix(h.Get("Content-Security-Policy"), "default-src 'none'; ") ||
				h.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%.40s: %v", path, h)
			}
		}
	}
}

// opened is an answer that may still be going on; the test closes it.
type opened struct {
	status int
	header http.Header
	body   io.Reader
}

// knock asks without following where it is sent; headers are pairs.
func (s *served) knock(t *testing.T, method, path string, headers ...string) opened {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.url+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatalf("%s %.40s: %v", method, path, err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	return opened{res.StatusCode, res.Header, res.Body}
}

// TestRevokedListeners: who may no longer come in hears nothing more, though the stream was open before.
func TestRevokedListeners(t *testing.T) {
	s := serve(t, app.ServeOptions{Strict: true})
	token, err := s.keys.Create(t.Context(), server.AgentToken("Alpha"))
	if err != nil {
		t.Fatal(err)
	}
	waitForKeys(t, s, token)
	res := s.knock(t, "GET", "/api/v1/events", "Authorization", "Bearer "+token)
	lines := bufio.NewScanner(res.body)
	if !lines.Scan() || res.status != http.StatusOK {
		t.Fatalf("%d %s", res.status, lines.Text())
	}
	if err := s.keys.Revoke(t.Context(), "Alpha"); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(10 * time.Second)
	for s.knock(t, "GET", "/api/v1", "Authorization", "Bearer "+token).status != http.StatusUnauthorized {
		if time.Now().After(deadline) {
			t.Fatal("the token stays good")
		}
	}
	_, err = s.app.Mail.Send(t.Context(),
		mail.Outgoing{Draft: message.Draft{From: "Alpha", To: []string{"Alpha"}, Subject: "INFO: x", Body: "y"}})
	if err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "data:") {
			t.Errorf("heard %s", lines.Text())
		}
	}
}
