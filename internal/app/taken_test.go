package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/session"
	"brenner/internal/session/live"
)

const takenThread = "RS-20260110-taken"

// counted is a server whose requests are counted.
type counted struct {
	*app.App
	handler http.Handler
}

// countedServer serves a project with a session that has everything a page asks for, and a second one that it refers to.
func countedServer(t *testing.T) *counted {
	t.Helper()
	project, err := app.FindProject(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	opened, err := app.Open(t.Context(), app.Options{Project: project})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	})
	server, err := opened.Server(t.Context(), app.ServeOptions{Lab: true, Addr: "127.0.0.1:8765"})
	if err != nil {
		t.Fatal(err)
	}
	c := &counted{opened, server.Handler()}
	c.fill(t)
	return c
}

func (c *counted) fill(t *testing.T) {
	t.Helper()
	for _, thread := range []string{"RS-20260110-other", takenThread} {
		if _, err := c.Sessions.Start(t.Context(), session.StartRequest{
			From: mail.Operator, Question: "Why?", Context: "So.", ThreadID: thread, Roster: session.RosterRequest{Recipients: []string{"Alpha", "Beta"}},
		}); err != nil {
			t.Fatal(err)
		}
		for n := range 3 {
			c.delta(t, thread, fmt.Sprintf("Gravity %d", n))
			if _, err := c.Sessions.Compile(t.Context(), session.CompileRequest{ThreadID: thread, As: mail.Operator}); err != nil {
				t.Fatal(err)
			}
		}
		c.delta(t, thread, "Torque")
		c.send(t, message.Draft{ThreadID: thread, From: "Alpha", To: []string{mail.Operator}, Subject: "QUESTION: Which dish?", Body: "# Question\n\n## Question\n\nWhich dish?\n\n## Context\n\nThere are two.\n"})
		c.send(t, message.Draft{ThreadID: thread, From: "Beta", To: []string{mail.Operator}, Subject: "CRITIQUE: Too heavy",
			Body: "# Critique: Too heavy\n\n## Target\n\nH1 (v1)\n\n## Attack\n\nIt floats.\n\n## Evidence\n\nSeen in the dish.\n\n## Severity\n\nMajor\n"})
	}
}

func (c *counted) delta(t *testing.T, thread, name string) {
	t.Helper()
	references := `,"references":[{"session":"RS-20260110-other","item":"H1","relation":"extends"}]`
	if thread != takenThread {
		references = ""
	}
	c.send(t, message.Draft{ThreadID: thread, From: "Alpha", To: []string{mail.Operator}, Subject: "DELTA[gpt]: " + name, Body: "# Delta Contribution\n\n## Deltas\n\n```delta\n" +
		`{"operation":"ADD","section":"hypothesis_slate","target_id":null,"payload":{"name":"` + name + `","claim":"It pulls ` + name +
		`.","mechanism":"m","anchors":["inference"]` + references + `},"rationale":"r"}` + "\n```\n\n```delta\n" +
		`{"operation":"ADD","section":"discriminative_tests","target_id":null,"payload":{"name":"Weigh ` + name +
		`","procedure":"p","discriminates":"H1 vs. H2","expected_outcomes":{"H1":"heavy"}},"rationale":"r"}` + "\n```\n"})
}

func (c *counted) send(t *testing.T, d message.Draft) {
	t.Helper()
	if _, err := c.Mail.Send(t.Context(), mail.Outgoing{Draft: d}); err != nil {
		t.Fatal(err)
	}
}

// asks makes a request and holds it to one taking of each thread. It tells whether the session was taken at all.
func (c *counted) asks(t *testing.T, method, path, body string) bool {
	t.Helper()
	ctx, counter := live.Count(t.Context())
	r := httptest.NewRequestWithContext(ctx, method, "http://127.0.0.1:8765"+path, strings.NewReader(body))
	r.RemoteAddr = "127.0.0.1:5000"
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream, text/html")
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	if w.Code >= http.StatusInternalServerError || w.Code == http.StatusForbidden || w.Code == http.StatusUnauthorized {
		t.Errorf("%s %s: %d %.300s", method, path, w.Code, w.Body)
	}
	for thread, n := range counter.Taken() {
		if n > 1 {
			t.Errorf("%s %s %.200s takes %s %d times", method, path, body, thread, n)
		}
	}
	return counter.Taken()[takenThread] > 0
}

// TestPagesTakeOneSession: every page takes the session that it shows once, and no other twice.
func TestPagesTakeOneSession(t *testing.T) {
	c := countedServer(t)
	var taken []string
	for _, d := range doorsBesideAPI() {
		if d.method != http.MethodGet || strings.HasPrefix(d.path, "/mcp") || strings.HasPrefix(d.path, "/api") {
			continue
		}
		path := strings.Replace(d.path, "RS-20260110-cells", takenThread, 1)
		if path == "/search" {
			path += "?q=Gravity"
		}
		if strings.HasSuffix(path, "/card") {
			path += "?ref=H1"
		}
		if path == "/start" {
			path += "?thread=" + takenThread
		}
		c.send(t, message.Draft{ThreadID: takenThread, From: "Alpha", To: []string{mail.Operator}, Subject: "INFO: news", Body: "News.\n"})
		if c.asks(t, http.MethodGet, path, "") {
			taken = append(taken, path)
		}
	}
	for _, path := range []string{"/t/" + takenThread, "/t/" + takenThread + "/draft", "/t/" + takenThread + "/diff", "/t/" + takenThread + "/v/1", "/t/" + takenThread + "/map"} {
		if !slices.Contains(taken, path) {
			t.Errorf("%s was not counted: only %q were", path, taken)
		}
	}
}

// TestRoutesTakeOneSession: so does every route of the API that reads, and those that act take it once before they act.
func TestRoutesTakeOneSession(t *testing.T) {
	c := countedServer(t)
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:8765/api/v1/openapi.json", http.NoBody)
	r.RemoteAddr = "127.0.0.1:5000"
	c.handler.ServeHTTP(w, r)
	var described struct{ Paths map[string]map[string]any }
	if err := json.Unmarshal(w.Body.Bytes(), &described); err != nil || len(described.Paths) < 20 {
		t.Fatalf("%v: %.200s", err, w.Body)
	}
	parameter := regexp.MustCompile(`\{[^}]*\}`)
	read := 0
	for path, methods := range described.Paths {
		if methods["get"] == nil || strings.HasSuffix(path, "/events") {
			continue
		}
		at := strings.Replace(path, "{thread}", takenThread, 1)
		at = "/api/v1" + strings.TrimPrefix(parameter.ReplaceAllString(at, "1"), "/api/v1")
		if strings.HasSuffix(at, "/todo") || strings.HasSuffix(at, "/activity") {
			at += "?thread=" + takenThread
		}
		if c.asks(t, http.MethodGet, at, "") {
			read++
		}
	}
	if read < 8 {
		t.Errorf("only %d routes took the session", read)
	}
	for _, act := range []struct{ path, body string }{
		{"/results", `{"test":"T1","outcome":"heavy"}`},
		{"/compile", `{"dry_run":true}`},
		{"/compile", `{}`},
		{"/persist", `{}`},
		{"/complete", `{"force":"enough"}`},
	} {
		if !c.asks(t, http.MethodPost, "/api/v1/sessions/"+takenThread+act.path, act.body) {
			t.Errorf("%s %s took no session", act.path, act.body)
		}
	}
}

// TestToolsTakeOneSession: and every tool of MCP.
func TestToolsTakeOneSession(t *testing.T) {
	c := countedServer(t)
	delta := map[string]any{"operation": "ADD", "section": "hypothesis_slate", "target_id": nil, "payload": map[string]any{"name": "N", "claim": "c", "mechanism": "m"}, "rationale": "r"}
	for tool, args := range map[string]map[string]any{
		"brenner_status": {}, "brenner_artifact": {}, "brenner_diff": {}, "brenner_blame": {}, "brenner_critiques": {}, "brenner_next": {}, "brenner_agents": {},
		"brenner_compile": {"dry_run": true}, "brenner_result": {"test": "T1", "outcome": "heavy", "sender_name": "Alpha"},
		"brenner_submit":  {"sender_name": "Alpha", "deltas": []any{delta}},
		"brenner_believe": {"sender_name": "Alpha", "credences": map[string]any{"H1": 0.5}},
	} {
		args["project_key"], args["thread_id"] = c.Mail.Project().HumanKey, takenThread
		body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": args}})
		if err != nil {
			t.Fatal(err)
		}
		if !c.asks(t, http.MethodPost, "/mcp", string(body)) {
			t.Errorf("%s took no session", tool)
		}
	}
}
