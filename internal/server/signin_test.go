package server_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/mail/memory"
	"brenner/internal/server"
)

// porch is a strict server without a connection, and a clock.
type porch struct {
	handler http.Handler
	keys    *server.Keys
	now     time.Time
}

func newPorch(t *testing.T) *porch {
	t.Helper()
	return newPorchOn(t, memory.New(), http.HandlerFunc(echo))
}

func newPorchOn(t *testing.T, store mail.Store, web http.Handler) *porch {
	t.Helper()
	t.Cleanup(func() { _ = store.Close() })
	project, err := store.EnsureProject(t.Context(), "/srv/lab", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	p := &porch{now: time.Date(2026, 1, 10, 9, 0, 0, 0, time.UTC)}
	now := func() time.Time { return p.now }
	service := mail.NewService(store, project, mail.Options{Now: now})
	p.keys = server.NewKeys(service, now)
	if _, err := p.keys.Create(t.Context(), server.AgentToken(mail.Operator)); err != nil {
		t.Fatal(err)
	}
	s, err := server.New(t.Context(), server.Deps{Mail: service, MCP: http.HandlerFunc(echo), Web: web},
		server.Options{Addr: "127.0.0.1:0", Strict: true, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	p.handler = s.Handler()
	return p
}

func (p *porch) token(t *testing.T, agent string) string {
	t.Helper()
	token, err := p.keys.Create(t.Context(), server.AgentToken(agent))
	if err != nil {
		t.Fatal(err)
	}
	p.now = p.now.Add(2 * time.Second) // the server learns of it
	return token
}

// ask sends a request as a browser does; headers are pairs.
func (p *porch) ask(method, path string, form url.Values, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://127.0.0.1"+path, strings.NewReader(form.Encode()))
	r.Header.Set("Accept", "text/html,*/*")
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, r)
	return w
}

// signIn returns the cookie of a visit.
func (p *porch) signIn(t *testing.T, token string) string {
	t.Helper()
	res := p.ask("POST", "/login", url.Values{"token": {token}, "next": {"/t/RS-1?at=3"}}, "Origin", "http://127.0.0.1", "Sec-Fetch-Site",
		"same-origin")
	if res.Code != http.StatusSeeOther || res.Header().Get("Location") != "/t/RS-1?at=3" {
		t.Fatalf("%d to %q", res.Code, res.Header().Get("Location"))
	}
	cookie, err := http.ParseSetCookie(res.Header().Get("Set-Cookie"))
	if err != nil || !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Path != "/" {
		t.Fatalf("cookie %v, %v", cookie, err)
	}
	if strings.Contains(cookie.Value, token) {
		t.Error("the cookie holds the token")
	}
	return cookie.Name + "=" + cookie.Value
}

// TestSignIn: a browser shows its token once, and then acts as whose it is; but never at MCP.
func TestSignIn(t *testing.T) {
	p := newPorch(t)
	token := p.token(t, "BlueLake")
	res := p.ask("GET", "/t/RS-1?at=3", nil)
	if res.Code != http.StatusSeeOther || res.Header().Get("Location") != "/login?next=%2Ft%2FRS-1%3Fat%3D3" {
		t.Fatalf("unknown browser: %d to %q", res.Code, res.Header().Get("Location"))
	}
	cookie := p.signIn(t, token)
	for path, want := range map[string]int{"/": 200, "/t/RS-1": 200, "/api/v1/sessions": 200, "/mcp": 401, "/mcp/": 401, "/api": 401,
		"/metrics": 401} {
		res := p.ask("GET", path, nil, "Cookie", cookie)
		if res.Code != want {
			t.Errorf("%s with a visit: %d, want %d", path, res.Code, want)
		}
		if body := res.Body.String(); want == 200 && !strings.HasPrefix(body, "agent=BlueLake operator=false") {
			t.Errorf("%s is seen by %s", path, body)
		}
	}
	if res := p.ask("POST", "/logout", url.Values{}, "Cookie", cookie, "Sec-Fetch-Site", "same-origin"); res.Code != http.StatusSeeOther {
		t.Errorf("signing out: %d", res.Code)
	}
	if res := p.ask("GET", "/", nil, "Cookie", cookie); res.Code != http.StatusSeeOther {
		t.Errorf("after signing out: %d", res.Code)
	}
}

// TestVisitsEnd: with the token, unused, and at last anyway.
func TestVisitsEnd(t *testing.T) {
	p := newPorch(t)
	for name, end := range map[string]func(cookie string){
		"revoked": func(string) {
			if err := p.keys.Revoke(t.Context(), "BlueLake"); err != nil {
				t.Fatal(err)
			}
			p.now = p.now.Add(2 * time.Second)
		},
		"unused": func(string) { p.now = p.now.Add(13 * time.Hour) },
		"old": func(cookie string) {
			for range 15 {
				p.now = p.now.Add(11*time.Hour + 30*time.Minute)
				p.ask("GET", "/", nil, "Cookie", cookie)
			}
		},
	} {
		cookie := p.signIn(t, p.token(t, "BlueLake"))
		if res := p.ask("GET", "/", nil, "Cookie", cookie); res.Code != http.StatusOK {
			t.Errorf("%s: %d before", name, res.Code)
		}
		end(cookie)
		if res := p.ask("GET", "/", nil, "Cookie", cookie); res.Code != http.StatusSeeOther {
			t.Errorf("%s: %d afterwards", name, res.Code)
		}
	}
}

// TestDoorsOfSigningIn: who is told what.
func TestDoorsOfSigningIn(t *testing.T) {
	p := newPorch(t)
	token := p.token(t, "BlueLake")
	form := url.Values{"token": {token}}
	for _, test := range []struct {
		name, method, path string
		form               url.Values
		headers            []string
		status             int
		to                 string
	}{
		{name: "the page itself", method: "GET", path: "/login", status: 200},
		{name: "what it is made of", method: "GET", path: "/assets/1/a.css", status: 200},
		{name: "a program", method: "GET", path: "/", headers: []string{"Accept", "application/json"}, status: 401},
		{name: "the API", method: "GET", path: "/api/v1/sessions", status: 401},
		{name: "a write", method: "POST", path: "/api/v1/sessions", form: url.Values{}, status: 401},
		{name: "a wrong bearer token", method: "GET", path: "/", headers: []string{"Authorization", "Bearer x"}, status: 401},
		{name: "a made-up cookie", method: "GET", path: "/", headers: []string{"Cookie", "brenner_00000000=x"}, status: 303,
			to: "/login?next=%2F"},
		{name: "a wrong token", method: "POST", path: "/login", form: url.Values{"token": {"x"}, "next": {"/a"}}, status: 303,
			to: "/login?failed=1&next=%2Fa"},
		{name: "a page of another site", method: "POST", path: "/login", form: form, headers: []string{"Origin", "http://evil.example"},
			status: 403},
		{name: "another site by fetch metadata", method: "POST", path: "/login", form: form,
			headers: []string{"Sec-Fetch-Site", "cross-site"}, status: 403},
		{name: "signing out from another site", method: "POST", path: "/logout", form: form,
			headers: []string{"Sec-Fetch-Site", "cross-site"}, status: 403},
		{name: "another host", method: "POST", path: "/login", form: url.Values{"token": {token}, "next": {"//evil.example/"}}, status: 303,
			to: "/"},
		{name: "another scheme", method: "POST", path: "/login", form: url.Values{"token": {token}, "next": {"javascript:alert(1)"}},
			status: 303, to: "/"},
		{name: "a backslash", method: "POST", path: "/login", form: url.Values{"token": {token}, "next": {"/\\evil.example"}}, status: 303,
			to: "/"},
		{name: "round in a circle", method: "POST", path: "/login", form: url.Values{"token": {token}, "next": {"/login?next=/"}},
			status: 303, to: "/"},
		{name: "a huge form", method: "POST", path: "/login", form: url.Values{"token": {strings.Repeat("x", 1<<20)}}, status: 400},
	} {
		res := p.ask(test.method, test.path, test.form, test.headers...)
		if res.Code != test.status || res.Header().Get("Location") != test.to {
			t.Errorf("%s: %d to %q, want %d to %q", test.name, res.Code, res.Header().Get("Location"), test.status, test.to)
		}
	}
}
