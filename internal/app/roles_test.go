package app_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"brenner/internal/app"
	"brenner/internal/audit"
	"brenner/internal/mail"
	"brenner/internal/server"
	"brenner/internal/teamcheck"
)

type door struct{ method, path string }

// doorsBesideAPI are the addresses of pages, MCP and metrics. TestNoDoorIsForgotten compares them with the routes.
func doorsBesideAPI() []door {
	all := []door{{"GET", "/metrics"}}
	for _, path := range []string{"/mcp", "/mcp/", "/api", "/api/"} {
		all = append(all, door{"POST", path}, door{"GET", path}, door{"DELETE", path})
	}
	for _, page := range []string{
		"/", "/favicon.ico", "/now", "/search", "/start", "/genealogy", "/evidence", "/evidence/EV-001", "/evidence/EV-001/figure",
		"/evidence/EV-001/file", "/evidence/EV-001/bib", "/evidence/EV-001/mark", "/evidence/add", "/sections/1", "/m/1", "/m/1/raw",
		"/inbox", "/inbox/Alpha", "/compose",
		"/t/RS-20260110-cells", "/t/RS-20260110-cells/map", "/t/RS-20260110-cells/diagnose", "/t/RS-20260110-cells/turns",
		"/t/RS-20260110-cells/turns/1/Alpha",
		"/t/RS-20260110-cells/do/take", "/t/RS-20260110-cells/cell",
		"/t/RS-20260110-cells/card", "/t/RS-20260110-cells/draft", "/t/RS-20260110-cells/diff", "/t/RS-20260110-cells/v/1",
		"/t/RS-20260110-cells/v/1/download/md",
	} {
		all = append(all, door{"GET", page})
	}
	return all
}

// doors are all addresses of a server behind which there is something to see or to do: those beside the API, and
// what the API, whose description comes from its table of routes, says of itself.
func (s *served) doors(t *testing.T, operator string) []door {
	t.Helper()
	all := doorsBesideAPI()
	_, text := s.do(t, "GET", "/api/v1/openapi.json", "", bearer(operator))
	var described struct{ Paths map[string]map[string]any }
	if err := json.Unmarshal([]byte(text), &described); err != nil || len(described.Paths) < 20 {
		t.Fatalf("%v: %.200s", err, text)
	}
	parameter := regexp.MustCompile(`\{[^}]*\}`)
	for path, methods := range described.Paths {
		for method := range methods {
			all = append(all, door{strings.ToUpper(method), "/api/v1" + strings.TrimPrefix(parameter.ReplaceAllString(path, "1"),
				"/api/v1")})
		}
	}
	return all
}

// TestStrangersAtEveryDoor: expired, revoked, swapped and forged tokens and headers open no door, whatever role they
// had or claim.
func TestStrangersAtEveryDoor(t *testing.T) {
	now := time.Now()
	clock := func() time.Time { return now }
	s := serve(t, app.ServeOptions{Strict: true, Lab: true, Now: clock})
	keys := server.NewKeys(s.app.Mail, clock)
	refused := map[string]http.Header{
		"no token": {}, "an empty token": bearer(""), "a forged token": bearer("brenner_" + strings.Repeat("A", 43)),
		"another scheme": {"Authorization": {"Basic T3BlcmF0b3I6"}}, "a person no proxy named": {server.PersonHeader: {"alice"}},
		"a person and an address": {server.PersonHeader: {"alice"}, "X-Forwarded-For": {"127.0.0.1"}},
		"a forged visit":          {"Cookie": {"brenner_00000000=" + strings.Repeat("A", 43)}},
	}
	for _, role := range []server.Token{server.AgentToken("Alpha"), server.AgentToken(mail.Operator),
		{Name: "wall", Role: server.RoleReader}} {
		name := string(role.Role)
		create := func(change func(*server.Token)) string {
			token := role
			token.Name = name + "-" + time.Now().Format("150405.000000")[7:]
			change(&token)
			secret, err := keys.Create(t.Context(), token)
			if err != nil {
				t.Fatal(err)
			}
			return secret
		}
		refused["an expired token of role "+name] = bearer(create(func(t *server.Token) { t.ExpiresAt = now.Add(time.Minute) }))
		revoked := create(func(t *server.Token) { t.Name = "gone" })
		if err := keys.Revoke(t.Context(), "gone"); err != nil {
			t.Fatal(err)
		}
		refused["a revoked token of role "+name] = bearer(revoked)
		rotated := create(func(t *server.Token) { t.Name = "old-" + name })
		fresh, secret, err := keys.Rotate(t.Context(), "old-"+name, 30*time.Second)
		if err != nil || fresh.Role != role.Role || secret == rotated {
			t.Fatal(fresh, err)
		}
		refused["a rotated token of role "+name+" after its grace"] = bearer(rotated)
		swapped := []byte(create(func(*server.Token) {}))
		swapped[20], swapped[21] = swapped[21], swapped[20]+1
		refused["a swapped token of role "+name] = bearer(string(swapped))
	}
	operator, err := keys.Create(t.Context(), server.Token{Name: "alice", Role: server.RoleOperator, Agent: mail.Operator})
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(2 * time.Minute)
	doors := s.doors(t, operator)
	for what, header := range refused {
		for _, door := range doors {
			if status, body := s.do(t, door.method, door.path, "", header); status != http.StatusUnauthorized &&
				status != http.StatusForbidden && status != http.StatusSeeOther {
				t.Errorf("%s: %s %s: %d %.80s", what, door.method, door.path, status, body)
			}
		}
	}
}

func bearer(token string) http.Header { return http.Header{"Authorization": {"Bearer " + token}} }

// TestRoles: a reader reads and writes nothing, an agent governs nothing, and what operators do is in the
// audit log.
func TestRoles(t *testing.T) {
	s := serve(t, app.ServeOptions{Strict: true, Lab: true})
	tokens := map[string]string{}
	for name, token := range map[string]server.Token{
		"agent": server.AgentToken("Alpha"), "reader": {Name: "wall", Role: server.RoleReader},
		"operator": {Name: "alice", Role: server.RoleOperator, Agent: mail.Operator},
	} {
		secret, err := s.keys.Create(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		tokens[name] = secret
	}
	waitForKeys(t, s, tokens["operator"])
	start := `{"question":"Why do cells turn?","context":"So.","recipients":["Alpha"]}`
	for _, test := range []struct {
		role, method, path, body string
		want                     int
	}{
		{"reader", "GET", "/api/v1/sessions", "", 200}, {"reader", "GET", "/metrics", "", 200},
		{"reader", "POST", "/api/v1/sessions", start, 403},
		{"reader", "POST", "/api/v1/validate/message", "{}", 403}, {"reader", "POST", "/mcp/", `{"jsonrpc":"2.0","id":1,"method":"ping"}`,
			403}, {"reader", "GET", "/mcp/", "", 403},
		{"agent", "GET", "/api/v1/sessions", "", 200}, {"agent", "POST", "/api/v1/sessions", start, 403},
		{"operator", "GET", "/api/v1/sessions", "", 200}, {"operator", "POST", "/api/v1/sessions", "{}", 422},
	} {
		header := bearer(tokens[test.role])
		header.Set("Content-Type", "application/json")
		if status, body := s.do(t, test.method, test.path, test.body, header); status != test.want {
			t.Errorf("%s: %s %s: %d, want %d: %.200s", test.role, test.method, test.path, status, test.want, body)
		}
	}
	if code := s.call(t, tokens["operator"], "register_agent", map[string]any{"name": "Beta", "program": "p", "model": "m"}); code != "" {
		t.Fatal(code)
	}
	const thread = "RS-20260110-nobody-has-it"
	header := bearer(tokens["operator"])
	header.Set("Content-Type", "application/json")
	s.do(t, "POST", "/api/v1/sessions/"+thread+"/compile", "{}", header)
	s.call(t, tokens["operator"], "send_message", map[string]any{"sender_name": "Beta", "to": []string{"Alpha"}, "thread_id": thread,
		"subject": "INFO: here", "body_md": "Here."})
	entries, err := audit.Read(t.Context(), s.app.Mail, time.Time{}, 0)
	if err != nil || len(entries) != 4 {
		t.Fatalf("%+v, %v", entries, err)
	}
	api, mcp := entries[0], entries[1]
	if compiled, sent := entries[2], entries[3]; compiled.Thread != thread || sent.Thread != thread || sent.Agent != "Beta" {
		t.Errorf("%+v, %+v", compiled, sent)
	}
	if api.Who != "alice" || api.Via != audit.API || api.Act != "POST /api/v1/sessions" || api.Code != "422" || api.From != "127.0.0.1" {
		t.Errorf("%+v", api)
	}
	if mcp.Who != "alice" || mcp.Via != audit.MCP || mcp.Act != "register_agent" || mcp.Code != audit.OK || mcp.From != "127.0.0.1" {
		t.Errorf("%+v", mcp)
	}
	listed, err := s.keys.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range listed {
		if token.Name == "alice" && token.LastUsedAt.IsZero() {
			t.Error("the use of a token is not noted")
		}
	}
}

// TestActsNameTheirAgent: the audit log says of each act over the API in whose name it was done, and on which thread.
func TestActsNameTheirAgent(t *testing.T) {
	s := serve(t, app.ServeOptions{Strict: true, Lab: true})
	secret, err := s.keys.Create(t.Context(), server.Token{Name: "alice", Role: server.RoleOperator, Agent: mail.Operator})
	if err != nil {
		t.Fatal(err)
	}
	waitForKeys(t, s, secret)
	if err := s.app.Mail.EnsureAgents(t.Context(), "Alpha", "Beta"); err != nil {
		t.Fatal(err)
	}
	const thread, letter = "RS-20260110-turning", `{"from":"Beta","to":["Alpha"],"subject":"INFO: here","body_md":"Here."`
	for _, test := range []struct {
		path, body, thread, agent string
		want                      int
	}{
		{"/messages", letter + `,"thread_id":"` + thread + `"}`, thread, "Beta", 200},
		{"/messages", letter + `}`, "", "Beta", 200},
		{"/messages/1/read", `{"as":"Alpha"}`, thread, "Alpha", 200},
		{"/messages/1/reply", `{"body_md":"Seen."}`, thread, mail.Operator, 200},
		{"/messages/99/read", `{"as":"Alpha"}`, "", "Alpha", 404},
		{"/sessions/" + thread + "/results", `{"as":"Beta","test":"T1","outcome":"kept"}`, thread, "Beta", 404},
		{"/sessions/" + thread + "/results", `{"as":["Beta"]}`, thread, "", 400},
		{"/sessions", `{"question":"Why?","context":"So.","to":["Alpha"],"thread_id":"RS-20260110-why","preset":"none"}`, "RS-20260110-why",
			mail.Operator, 422},
		{"/sessions", `{"question":"Why?","context":"So.","to":["Alpha"],"slug":"new","mode":"unified"}`, "RS-", mail.Operator, 200},
	} {
		began := time.Now()
		header := bearer(secret)
		header.Set("Content-Type", "application/json")
		status, body := s.do(t, "POST", "/api/v1"+test.path, test.body, header)
		if status != test.want {
			t.Errorf("%s %s: %d, want %d: %.300s", test.path, test.body, status, test.want, body)
		}
		entries, err := audit.Read(t.Context(), s.app.Mail, began, 0)
		if err != nil || len(entries) != 1 {
			t.Fatalf("%s: %+v, %v", test.path, entries, err)
		}
		made := test.thread == "RS-" && strings.HasSuffix(entries[0].Thread, "new")
		if e := entries[0]; e.Agent != test.agent || e.Thread != test.thread && !made {
			t.Errorf("%s %s: %+v", test.path, test.body, e)
		}
	}
}

// TestActsNameTheirAgentAtOnce: an act that is killed has said so too.
func TestActsNameTheirAgentAtOnce(t *testing.T) {
	m := serve(t, app.ServeOptions{}).app.Mail
	act, err := audit.Begin(t.Context(), m, audit.Entry{Who: "alice", Via: audit.API, Act: "POST /api/v1/messages"})
	if err != nil {
		t.Fatal(err)
	}
	if err := audit.Touch(act.Carry(t.Context()), "RS-20260110-turning", "Beta"); err != nil {
		t.Fatal(err)
	}
	if audit.Carried(t.Context()) || audit.Touch(t.Context(), "elsewhere", "Alpha") != nil {
		t.Error("what is no act is in the audit log")
	}
	for _, code := range []string{audit.Begun, audit.OK} {
		entries, err := audit.Read(t.Context(), m, time.Time{}, 0)
		if err != nil || len(entries) != 1 {
			t.Fatalf("%+v, %v", entries, err)
		}
		if e := entries[0]; e.Thread != "RS-20260110-turning" || e.Agent != "Beta" || e.Code != code {
			t.Errorf("%+v, want %s", e, code)
		}
		if err := act.End(t.Context(), audit.OK); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPeopleBehindAProxy: a header names a person only where it comes from a proxy that was named.
func TestPeopleBehindAProxy(t *testing.T) {
	const secret = "known to the proxy alone"
	named := func(people ...string) http.Header {
		return http.Header{server.PersonHeader: people, server.SecretHeader: {secret}}
	}
	far := serve(t, app.ServeOptions{Strict: true, Lab: true, Proxies: []string{"10.1.0.0/16"}, Secret: secret})
	addresses := serve(t, app.ServeOptions{Strict: true, Lab: true, Proxies: []string{"127.0.0.1"}})
	if status, _ := addresses.do(t, "GET", "/api/v1/sessions", "", named("alice")); status != http.StatusUnauthorized {
		t.Errorf("from a proxy that is trusted for addresses alone: %d", status)
	}
	if status, _ := far.do(t, "GET", "/api/v1/sessions", "", named("alice")); status != http.StatusUnauthorized {
		t.Errorf("from another address: %d", status)
	}
	near := serve(t, app.ServeOptions{
		Strict: true, Lab: true, Proxies: []string{"127.0.0.1"}, Secret: secret, Operators: []string{"alice"},
	})
	for _, shown := range []string{"", "known to the proxy alon", "known to the proxy alone."} {
		header := http.Header{server.PersonHeader: {"alice"}, server.SecretHeader: {shown}}
		if status, _ := near.do(t, "GET", "/api/v1/sessions", "", header); status != http.StatusUnauthorized {
			t.Errorf("with the secret %q: %d", shown, status)
		}
	}
	for _, test := range []struct {
		header       http.Header
		method, path string
		want         int
	}{
		{named("bob"), "GET", "/api/v1/sessions", 200}, {named("bob"), "GET", "/", 200}, {named("bob"), "POST", "/api/v1/sessions", 403},
		{named("alice"), "POST", "/api/v1/sessions", 422}, {named("Alice"), "POST", "/api/v1/sessions", 403},
		{named(""), "GET", "/api/v1/sessions", 401}, {named("alice", "bob"), "GET", "/api/v1/sessions", 403},
		{named("a\u202eb"), "GET", "/api/v1/sessions", 403},
		{named(strings.Repeat("a", 201)), "GET", "/api/v1/sessions", 403},
		{named("alice"), "POST", "/mcp/", 401}, // programs show a token
	} {
		test.header.Set("Content-Type", "application/json")
		if status, body := near.do(t, test.method, test.path, "{}", test.header); status != test.want {
			t.Errorf("%q: %s %s: %d, want %d: %.200s", test.header.Values(server.PersonHeader), test.method, test.path, status, test.want,
				body)
		}
	}
	entries, err := audit.Read(t.Context(), near.app.Mail, time.Time{}, 0)
	if err != nil || len(entries) != 1 || entries[0].Who != "alice" || entries[0].Via != audit.Browser {
		t.Errorf("%+v, %v", entries, err)
	}
	if _, err := near.app.Server(t.Context(), app.ServeOptions{Addr: "127.0.0.1:0", Operators: []string{"alice"}}); err == nil {
		t.Error("people without a proxy that names them")
	}
	open := serve(t, app.ServeOptions{})
	if found, err := teamcheck.Examine(t.Context(), teamcheck.Installation{URL: open.url}); err != nil || !failed(found, "strangers") {
		t.Errorf("a server that is open to everybody: %+v, %v", found, err)
	}
	token, err := far.keys.Create(t.Context(), server.Token{Name: "doctor", Role: server.RoleOperator, Agent: mail.Operator})
	if err != nil {
		t.Fatal(err)
	}
	waitForKeys(t, far, token)
	found, err := teamcheck.Examine(t.Context(), teamcheck.Installation{URL: far.url, Token: token})
	if err != nil || len(found) < 6 {
		t.Fatalf("%+v, %v", found, err)
	}
	for _, f := range found {
		if f.Fix != "" && !f.Warning {
			t.Errorf("a server in order: %+v", f)
		}
	}
}

func failed(found []teamcheck.Finding, name string) bool {
	for _, f := range found {
		if f.Name == name && f.Fix != "" && !f.Warning {
			return true
		}
	}
	return false
}
