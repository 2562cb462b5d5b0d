package app_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/server"
)

// served is a server of a project in a folder of its own.
type served struct {
	app  *app.App
	keys *server.Keys
	url  string
	stop func() // stops it and waits; harmless twice
}

func serve(t *testing.T, o app.ServeOptions) *served {
	t.Helper()
	return serveIn(t, t.TempDir(), o)
}

func serveIn(t *testing.T, dir string, o app.ServeOptions) *served {
	t.Helper()
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, before) })
	return serveOn(t, dir, "", o)
}

// serveOn is serveIn with a store of its own.
func serveOn(t *testing.T, dir, store string, o app.ServeOptions) *served {
	t.Helper()
	project, err := app.FindProject(t.Context(), dir, "")
	if err != nil {
		t.Fatal(err)
	}
	opened, err := app.Open(t.Context(), app.Options{Project: project, Store: store})
	if err != nil {
		t.Fatal(err)
	}
	s := &served{app: opened, keys: server.NewKeys(opened.Mail, nil)}
	if o.Strict {
		if _, err := s.keys.Create(t.Context(), server.AgentToken(mail.Operator)); err != nil {
			t.Fatal(err)
		}
	}
	o.Addr = "127.0.0.1:0"
	listening := make(chan string, 1)
	o.Listening = func(addr net.Addr) { listening <- addr.String() }
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- opened.Serve(ctx, o) }()
	s.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("serve: %v", err)
		}
		if err := opened.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
		http.DefaultClient.CloseIdleConnections()
	})
	t.Cleanup(s.stop)
	select {
	case addr := <-listening:
		s.url = "http://" + addr
		s.do(t, "GET", "/health/liveness", "", nil) // it is told before anything accepts, which the next one would call a leak
	case err := <-done:
		t.Fatal(err)
	}
	return s
}

func (s *served) do(t *testing.T, method, path, body string, header http.Header) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = header.Clone()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(data)
}

// call calls a tool without any handshake and returns the code of its failure, empty if it
// worked.
func (s *served) call(t *testing.T, token, tool string, arguments map[string]any) protocol.Code {
	t.Helper()
	arguments["project_key"] = s.app.Mail.Project().HumanKey
	body, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": arguments},
	})
	if err != nil {
		t.Fatal(err)
	}
	header := http.Header{"Content-Type": {"application/json"}}
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	status, text := s.do(t, "POST", "/mcp", string(body), header)
	var answer struct {
		Error  *struct{ Code protocol.Code } // of the door
		Result struct {
			StructuredContent struct{ Error struct{ Code protocol.Code } }
		}
	}
	if err := json.NewDecoder(bytes.NewReader([]byte(text))).Decode(&answer); err != nil {
		t.Fatalf("%d %v: %s", status, err, text)
	}
	if answer.Error != nil {
		return answer.Error.Code
	}
	return answer.Result.StructuredContent.Error.Code
}

// TestStrictIdentity: no agent sends, reads or acknowledges as another.
func TestStrictIdentity(t *testing.T) {
	s := serve(t, app.ServeOptions{Strict: true})
	tokens := map[string]string{}
	for _, name := range []string{"Alpha", "Beta", mail.Operator} {
		token, err := s.keys.Create(t.Context(), server.AgentToken(name))
		if err != nil {
			t.Fatal(err)
		}
		tokens[name] = token
	}
	waitForKeys(t, s, tokens["Beta"])
	send := func(as string) map[string]any {
		return map[string]any{"sender_name": as, "to": []string{"Beta"}, "subject": "hello", "body_md": "x", "ack_required": true}
	}
	if code := s.call(t, tokens["Alpha"], "send_message", send("Alpha")); code != "" {
		t.Fatalf("Alpha as Alpha: %s", code)
	}
	for _, test := range []struct {
		who, tool string
		arguments map[string]any
		want      protocol.Code
	}{
		{"Beta", "send_message", send("Alpha"), protocol.NotAllowed},
		{"", "send_message", send("Alpha"), protocol.NotAllowed},
		{"Alpha", "fetch_inbox", map[string]any{"agent_name": "Beta"}, protocol.NotAllowed},
		{"Alpha", "acknowledge_message", map[string]any{"agent_name": "Beta", "message_id": 1}, protocol.NotAllowed},
		{"Alpha", "mark_message_read", map[string]any{"agent_name": "beta", "message_id": 1}, protocol.NotAllowed},
		{"Alpha", "reply_message", map[string]any{"sender_name": "Beta", "message_id": 1, "body_md": "x"}, protocol.NotAllowed},
		{"Alpha", "register_agent", map[string]any{"name": "Beta", "program": "p", "model": "m"}, protocol.NotAllowed},
		{"Beta", "fetch_inbox", map[string]any{"agent_name": "beta"}, ""},
		{"Beta", "acknowledge_message", map[string]any{"agent_name": "Beta", "message_id": 1}, ""},
		{mail.Operator, "send_message", send("Alpha"), ""},
	} {
		if code := s.call(t, tokens[test.who], test.tool, test.arguments); code != test.want {
			t.Errorf("%s as in %v: %q, want %q", test.who, test.arguments, code, test.want)
		}
	}
}

// waitForKeys waits until the running server knows a token that was made beside it.
func waitForKeys(t *testing.T, s *served, token string) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if status, _ := s.do(t, "GET", "/metrics", "", http.Header{"Authorization": {"Bearer " + token}}); status == 200 {
			return
		}
	}
	t.Fatal("the server does not learn of the token")
}

// TestNonsense: whatever comes, the server keeps serving.
func TestNonsense(t *testing.T) {
	s := serve(t, app.ServeOptions{})
	asJSON := http.Header{"Content-Type": {"application/json"}}
	for _, body := range []string{
		"", "{", "[]", "null", "1", `"x"`, `{"jsonrpc":"1.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}`,
		`{"jsonrpc":"2.0","id":1,"method":"nope"}`, `{"jsonrpc":"2.0","id":1}`, "\xff\xfe", strings.Repeat("[", 100_000),
	} {
		status, answer := s.do(t, "POST", "/mcp", body, asJSON)
		if status >= 500 || !strings.Contains(answer, `"error"`) {
			t.Errorf("%.40q: %d %s", body, status, answer)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	methods := []string{"GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "BREW"}
	paths := []string{"mcp", "api", "v1", "health", "metrics", ".well-known", "..", ".", "", "%2e", "%ff", "a", "readiness", "ü", "?",
		"x=y"}
	for range 10_000 {
		path := ""
		for range 1 + random.IntN(4) {
			path += "/" + paths[random.IntN(len(paths))]
		}
		if status, answer := s.do(t, methods[random.IntN(len(methods))], path, "{}", asJSON); status >= 500 {
			t.Fatalf("%s: %d %s", path, status, answer)
		}
	}
	for range 200 {
		if c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://")); err == nil {
			fmt.Fprintf(c, "%c\r\n\r\n", rune(random.IntN(0x1000)))
			c.Close()
		}
	}
	if status, answer := s.do(t, "GET", "/health/readiness", "", nil); status != 200 {
		t.Errorf("afterwards: %d %s", status, answer)
	}
	if code := s.call(t, "", "health_check", map[string]any{}); code != "" {
		t.Errorf("afterwards: %s", code)
	}
}

// TestStopLetsWaitersGo: stopping does not take as long as a client waits.
func TestStopLetsWaitersGo(t *testing.T) {
	s := serve(t, app.ServeOptions{})
	if err := s.app.Mail.EnsureAgents(t.Context(), "Alpha"); err != nil {
		t.Fatal(err)
	}
	var waiters sync.WaitGroup
	for range 5 {
		waiters.Go(func() {
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"brenner_wait",`+
				`"arguments":{"project_key":%q,"agent_name":"Alpha"}}}`,
				s.app.Mail.Project().HumanKey)
			if res, err := http.Post(s.url+"/mcp", "application/json", strings.NewReader(body)); err == nil {
				res.Body.Close()
			}
		})
	}
	for !strings.Contains(s.page(t), "brenner_waiters 5\n") {
		time.Sleep(5 * time.Millisecond)
	}
	began := time.Now()
	s.stop()
	waiters.Wait()
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("took %s", took)
	}
}

func (s *served) page(t *testing.T) string {
	t.Helper()
	_, page := s.do(t, "GET", "/metrics", "", nil)
	return page
}

// TestCallsAreCounted: what tools do shows in the metrics.
func TestCallsAreCounted(t *testing.T) {
	s := serve(t, app.ServeOptions{})
	if err := s.app.Mail.EnsureAgents(t.Context(), "Alpha"); err != nil {
		t.Fatal(err)
	}
	message := map[string]any{"sender_name": "Alpha", "to": "Alpha", "subject": "hello", "body_md": "x"}
	s.call(t, "", "send_message", message)
	message["to"] = "Nobody"
	s.call(t, "", "send_message", message)
	s.do(t, "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no_such_tool"}}`,
		http.Header{"Content-Type": {"application/json"}})
	page := s.page(t)
	for _, line := range []string{
		`brenner_tool_calls_total{tool="send_message",code="ok"} 1`, `brenner_tool_calls_total{tool="send_message",code="UNKNOWN_AGENT"} 1`,
		"brenner_sends_total 1", "brenner_refusals_total 1", "brenner_store_messages 1", "brenner_waiters 0",
	} {
		if !strings.Contains(page, line+"\n") {
			t.Errorf("no %q in\n%s", line, page)
		}
	}
	if strings.Contains(page, "no_such_tool") {
		t.Error("an unknown tool is counted by its name")
	}
}

// TestOversizedBodies: a client that sends too much is told so, and does not lose the connection while it sends; a page of
// another site has no access to MCP.
func TestOversizedBodies(t *testing.T) {
	s := serve(t, app.ServeOptions{Lab: true})
	large := strings.Repeat(" ", 40<<20)
	for _, path := range []string{"/mcp", "/api/", "/api/v1/messages", "/api/v1/validate/message"} {
		for name, body := range map[string]io.Reader{"announced": strings.NewReader(large),
			"in pieces": io.MultiReader(strings.NewReader(large))} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+path, body)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			status := whole(t, req)
			if status != http.StatusRequestEntityTooLarge {
				t.Errorf("%s, %s: %d", path, name, status)
			}
		}
	}
	for site, want := range map[string]int{"cross-site": 403, "same-site": 403, "same-origin": 200, "none": 200, "": 200} {
		header := http.Header{"Content-Type": {"application/json"}}
		if site != "" {
			header.Set("Sec-Fetch-Site", site)
		}
		if status, _ := s.do(t, "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, header); status != want {
			t.Errorf("Sec-Fetch-Site %q: %d, want %d", site, status, want)
		}
	}
}

// whole sends a request to its end before it reads the answer, as simple clients do.
func whole(t *testing.T, req *http.Request) int {
	t.Helper()
	conn, err := net.Dial("tcp", req.URL.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := req.Write(conn); err != nil {
		t.Errorf("%s: cut off while sending: %v", req.URL.Path, err)
		return 0
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), req)
	if err != nil {
		t.Errorf("%s: no answer: %v", req.URL.Path, err)
		return 0
	}
	defer res.Body.Close()
	return res.StatusCode
}
