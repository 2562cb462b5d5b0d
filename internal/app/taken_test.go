package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/markup"
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
			From: mail.Operator, Question: "Why?", Context: "So.", ThreadID: thread,
			Roster: session.RosterRequest{Recipients: []string{"Alpha", "Beta"}},
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
		c.send(t, message.Draft{ThreadID: thread, From: "Alpha", To: []string{mail.Operator}, Subject: "QUESTION: Which dish?",
			Body: "# Question\n\n## Question\n\nWhich dish?\n\n## Context\n\nThere are two.\n"})
		c.send(t, message.Draft{ThreadID: thread, From: "Beta", To: []string{mail.Operator}, Subject: "CRITIQUE: Too heavy",
			Body: "# Critique: Too heavy\n\n## Target\n\nH1 (v1)\n\n## Attack\n\nIt floats.\n\n## Evidence\n\nSeen in the dish.\n\n## " +
				"Severity\n\nMajor\n"})
	}
}

func (c *counted) delta(t *testing.T, thread, name string) {
	t.Helper()
	references := `,"references":[{"session":"RS-20260110-other","item":"H1","relation":"extends"}]`
	if thread != takenThread {
		references = ""
	}
	c.send(t, message.Draft{ThreadID: thread, From: "Alpha", To: []string{mail.Operator}, Subject: "DELTA[gpt]: " + name,
		Body: "# Delta Contribution\n\n## Deltas\n\n```delta\n" +
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

// countParses counts how often each DELTA is parsed until the result is asked for.
func countParses() func() map[string]int {
	var mu sync.Mutex
	parsed := map[string]int{}
	stop := markup.Watch(func(text string) {
		if strings.HasPrefix(text, "# Delta") && strings.Contains(text, "```") {
			mu.Lock()
			defer mu.Unlock()
			parsed[text]++
		}
	})
	return func() map[string]int {
		stop()
		mu.Lock()
		defer mu.Unlock()
		return maps.Clone(parsed)
	}
}

// asks makes a request and holds it to one taking of each thread and one parse of each DELTA. It tells whether the session was
// taken at all.
func (c *counted) asks(t *testing.T, method, path, body string) bool {
	t.Helper()
	ctx, counter := live.Count(t.Context())
	r := httptest.NewRequestWithContext(ctx, method, "http://127.0.0.1:8765"+path, strings.NewReader(body))
	r.RemoteAddr = "127.0.0.1:5000"
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream, text/html")
	w := httptest.NewRecorder()
	parses := countParses()
	c.handler.ServeHTTP(w, r)
	for text, n := range parses() {
		if n > 1 {
			t.Errorf("%s %s %.200s parses %d times: %.120q", method, path, body, n, text)
		}
	}
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
	for _, path := range []string{"/t/" + takenThread, "/t/" + takenThread + "/draft", "/t/" + takenThread + "/diff",
		"/t/" + takenThread + "/v/1", "/t/" + takenThread + "/map"} {
		if !slices.Contains(taken, path) {
			t.Errorf("%s was not counted: only %q were", path, taken)
		}
	}
}

// TestRoutesTakeOneSession: so does every route of the API that reads, and those that act take it once before they act.
func TestRoutesTakeOneSession(t *testing.T) {
	c := countedServer(t)
	described := c.described(t)
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
	for path, methods := range described.Paths {
		about, ofThread := strings.CutPrefix(strings.TrimPrefix(path, "/api/v1"), "/sessions/{thread}/")
		if _, ok := acts[about]; ofThread && methods["post"] != nil && !ok {
			t.Errorf("POST %s is not counted: add it to acts", path)
		}
	}
	for _, about := range slices.Sorted(maps.Keys(acts)) {
		for _, body := range acts[about] {
			if !c.asks(t, http.MethodPost, "/api/v1/sessions/"+takenThread+"/"+about, body) && !slices.Contains(apart, about) {
				t.Errorf("%s %s took no session", about, body)
			}
		}
	}
}

// apart are acts without the session: a run is steered, and a diagnosis folds the log anew.
var apart = []string{"run", "diagnose-fix"}

// acts are requests for each route that acts on a session.
var acts = map[string][]string{
	"ask":              {`{"as":"Alpha","answer":"Nothing to add.","dry_run":true}`, `{"as":"Alpha","answer":"Nothing to add."}`},
	"results":          {`{"test":"T1","outcome":"heavy"}`},
	"results/withdraw": {`{"test":"T1","message":1,"reason":"wrong"}`},
	"diagnose-fix":     {`{}`},
	"compile":          {`{"dry_run":true}`, `{}`},
	"persist":          {`{}`},
	"complete":         {`{"force":"enough"}`},
	"run":              {`{"action":"pause"}`},
}

// openAPI is what the server says about its routes.
type openAPI struct{ Paths map[string]map[string]any }

func (c *counted) described(t *testing.T) (d openAPI) {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:8765/api/v1/openapi.json", http.NoBody)
	r.RemoteAddr = "127.0.0.1:5000"
	c.handler.ServeHTTP(w, r)
	if err := json.Unmarshal(w.Body.Bytes(), &d); err != nil || len(d.Paths) < 20 {
		t.Fatalf("%v: %.200s", err, w.Body)
	}
	return d
}

// tools asks the server for the tools that take a thread.
func (c *counted) tools(t *testing.T) (names []string) {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:8765/mcp",
		strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`))
	r.RemoteAddr = "127.0.0.1:5000"
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	c.handler.ServeHTTP(w, r)
	var answer struct {
		Result struct {
			Tools []struct {
				Name        string
				InputSchema struct{ Properties map[string]any }
			}
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || len(answer.Result.Tools) < 20 {
		t.Fatalf("%v: %.300s", err, w.Body)
	}
	for _, tool := range answer.Result.Tools {
		if tool.InputSchema.Properties["thread_id"] != nil {
			names = append(names, tool.Name)
		}
	}
	return names
}

// calls are the arguments of tools that need more than the thread.
var calls = map[string]map[string]any{
	"brenner_compile":  {"dry_run": true},
	"brenner_result":   {"test": "T1", "outcome": "heavy", "sender_name": "Alpha"},
	"brenner_withdraw": {"test": "T1", "message": 1, "reason": "wrong", "sender_name": "Alpha"},
	"brenner_whatif":   {"outcomes": []string{"T1=heavy"}},
	"brenner_submit": {"sender_name": "Alpha", "deltas": []any{map[string]any{
		"operation": "ADD", "section": "hypothesis_slate", "target_id": nil,
		"payload": map[string]any{"name": "N", "claim": "c", "mechanism": "m"}, "rationale": "r",
	}}},
	"brenner_believe": {"sender_name": "Alpha", "credences": map[string]any{"H1": 0.5}},
}

// aside are tools that take a thread and no session of it: they send, read or wait for mail, judge a draft, or fold the log anew.
var aside = []string{"send_message", "search_messages", "summarize_thread", "macro_prepare_thread", "fetch_inbox", "brenner_wait",
	"brenner_validate", "brenner_diagnose"}

// TestToolsTakeOneSession: and every tool of MCP that takes a thread. The server says which there are.
func TestToolsTakeOneSession(t *testing.T) {
	c := countedServer(t)
	for _, tool := range c.tools(t) {
		args := maps.Clone(calls[tool])
		if args == nil {
			args = map[string]any{}
		}
		args["project_key"], args["thread_id"] = c.Mail.Project().HumanKey, takenThread
		body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
			"params": map[string]any{"name": tool, "arguments": args}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(aside, tool) && !c.asks(t, http.MethodPost, "/mcp", string(body)) {
			t.Errorf("%s took no session", tool)
		}
	}
}
