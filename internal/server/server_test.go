package server_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"brenner/internal/mail"
	"brenner/internal/mail/memory"
	"brenner/internal/protocol"
	"brenner/internal/server"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// house is a server that runs.
type house struct {
	addr    string
	mail    *mail.Service
	keys    *server.Keys
	metrics *server.Metrics
	stop    func() error // stops it and waits
}

// open starts a server whose MCP echoes who asks.
func open(t *testing.T, store mail.Store, mcp http.Handler, o server.Options) *house {
	t.Helper()
	project, err := store.EnsureProject(t.Context(), "/lab", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	service := mail.NewService(store, project, mail.Options{})
	h := &house{mail: service, keys: server.NewKeys(service, nil), metrics: server.NewMetrics(nil)}
	if o.Strict {
		if _, err := h.keys.Create(t.Context(), server.AgentToken(mail.Operator)); err != nil {
			t.Fatal(err)
		}
	}
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	if mcp == nil {
		mcp = http.HandlerFunc(echo)
	}
	s, err := server.New(t.Context(), server.Deps{Mail: service, MCP: mcp, Metrics: h.metrics}, o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := s.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h.addr = l.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, l) }()
	var stopped atomic.Bool
	h.stop = func() error {
		if stopped.Swap(true) {
			return nil
		}
		cancel()
		return <-served
	}
	t.Cleanup(func() {
		if err := h.stop(); err != nil {
			t.Errorf("stopping: %v", err)
		}
		http.DefaultClient.CloseIdleConnections()
	})
	return h
}

func echo(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	who := server.IdentityOf(r.Context())
	fmt.Fprintf(w, "agent=%s operator=%t bytes=%d", who.Agent, who.Operator, len(body))
}

// ask sends a request; headers are pairs.
func (h *house) ask(t *testing.T, method, path, body string, headers ...string) (int, string, http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, "http://"+h.addr+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
			continue
		}
		req.Header.Add(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(data), res.Header
}

// TestPaths: MCP answers at exactly four paths; everything unknown is 404 with a small JSON body.
func TestPaths(t *testing.T) {
	h := open(t, memory.New(), nil, server.Options{})
	for _, path := range []string{"/mcp", "/mcp/", "/api", "/api/"} {
		if status, body, _ := h.ask(t, "POST", path, "{}"); status != 200 || body != "agent= operator=false bytes=2" {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	for _, path := range []string{
		"/", "/mcp/x", "/api/v2", "/API", "/mcp//", "/health", "/health/", "/.well-known/oauth-authorization-server",
		"/.well-known/oauth-protected-resource/mcp", "/mcp/.well-known/openid-configuration", "/register", "/%00", "/..%2f",
	} {
		status, body, header := h.ask(t, "GET", path, "", "Accept", "text/html")
		if status != 404 || header.Get("Content-Type") != "application/json" || len(body) > 200 || errorCode(t, body) != protocol.NotFound {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
}

func errorCode(t *testing.T, body string) protocol.Code {
	t.Helper()
	var answer struct{ Error struct{ Code protocol.Code } }
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		t.Errorf("%v: %s", err, body)
	}
	return answer.Error.Code
}

// TestGate: only requests meant for this server come in.
func TestGate(t *testing.T) {
	h := open(t, memory.New(), nil, server.Options{Hosts: []string{"lab.example"}})
	for _, test := range []struct {
		name, value string
		want        int
	}{
		{"Host", "localhost:8765", 200},
		{"Host", "LOCALHOST.", 200},
		{"Host", "127.0.0.1", 200},
		{"Host", "[::1]:9", 200},
		{"Host", "lab.example:8765", 200},
		{"Host", "evil.example", 403},
		{"Host", "evil.example:8765", 403},
		{"Host", "localhost.evil.example", 403},
		{"Host", "127.0.0.1.evil.example", 403},
		{"Host", "10.0.0.1", 403},
		{"Origin", "http://localhost:3000", 200},
		{"Origin", "https://lab.example", 200},
		{"Origin", "http://evil.example", 403},
		{"Origin", "http://localhost.evil.example", 403},
		{"Origin", "http://localhost@evil.example", 403},
		{"Origin", "null", 403},
		{"Origin", "file://localhost", 403},
		{"Origin", "", 403},
	} {
		status, body, _ := h.ask(t, "POST", "/mcp", "{}", test.name, test.value)
		if status != test.want || status == 403 && errorCode(t, body) != protocol.NotAllowed {
			t.Errorf("%s %q: %d %s, want %d", test.name, test.value, status, body, test.want)
		}
	}
	if status, _, _ := h.ask(t, "GET", "/health/liveness", "", "Host", "evil.example"); status != 403 {
		t.Errorf("liveness: %d", status)
	}
}

func TestTokens(t *testing.T) {
	h := open(t, memory.New(), nil, server.Options{})
	if err := h.mail.EnsureAgents(t.Context(), "BlueLake"); err != nil {
		t.Fatal(err)
	}
	agent, err := h.keys.Create(t.Context(), server.AgentToken("bluelake"))
	if err != nil {
		t.Fatal(err)
	}
	operator, err := h.keys.Create(t.Context(), server.AgentToken(mail.Operator))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, header, want string
		status             int
	}{
		{"nobody", "", "agent= operator=false", 200},
		{"agent", "Bearer " + agent, "agent=BlueLake operator=false", 200},
		{"operator", "bearer " + operator, "agent=Operator operator=true", 200},
		{"wrong", "Bearer " + agent + "x", "NOT_ALLOWED", 401},
		{"empty", "Bearer ", "NOT_ALLOWED", 401},
		{"basic", "Basic " + agent, "NOT_ALLOWED", 401},
	} {
		var headers []string
		if test.header != "" {
			headers = []string{"Authorization", test.header}
		}
		status, body, _ := h.ask(t, "POST", "/mcp", "{}", headers...)
		if status != test.status || !strings.Contains(body, test.want) {
			t.Errorf("%s: %d %s", test.name, status, body)
		}
	}
	agents, err := h.mail.Agents(t.Context())
	if err != nil || strings.Contains(fmt.Sprintf("%+v", agents), agent) {
		t.Errorf("the token itself is kept: %v", err)
	}
	if err := h.keys.Revoke(t.Context(), "BlueLake"); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(10 * time.Second)
	for {
		status, _, header := h.ask(t, "POST", "/mcp", "{}", "Authorization", "Bearer "+agent)
		if status == 401 && strings.HasPrefix(header.Get("WWW-Authenticate"), "Bearer") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("a revoked token still works: %d", status)
		}
		time.Sleep(20 * time.Millisecond) // the server looks again within a second
	}
	if err := h.keys.Revoke(t.Context(), "BlueLake"); protocol.CodeOf(err) != protocol.NotFound {
		t.Errorf("revoking nothing: %v", err)
	}
}

func TestStrictNeedsATokenEverywhereButForHealth(t *testing.T) {
	h := open(t, memory.New(), nil, server.Options{Strict: true})
	for path, want := range map[string]int{"/mcp": 401, "/metrics": 401, "/health/liveness": 200, "/health/readiness": 200} {
		if status, body, _ := h.ask(t, "GET", path, ""); status != want {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
}

// TestNoOpenHouse: without tokens nothing listens where others can reach it.
func TestNoOpenHouse(t *testing.T) {
	store := memory.New()
	project, err := store.EnsureProject(t.Context(), "/lab", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	service := mail.NewService(store, project, mail.Options{})
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:1", "lab.example:80"} {
		_, err := server.New(t.Context(), server.Deps{Mail: service, MCP: http.HandlerFunc(echo)}, server.Options{Addr: addr})
		if protocol.CodeOf(err) != protocol.NotAllowed {
			t.Errorf("%s: %v", addr, err)
		}
	}
	if _, err := server.NewKeys(service, nil).Create(t.Context(), server.AgentToken(mail.Operator)); err != nil {
		t.Fatal(err)
	}
	if _, err := server.New(t.Context(), server.Deps{Mail: service, MCP: http.HandlerFunc(echo)},
		server.Options{Addr: "0.0.0.0:0"}); err != nil {
		t.Error(err)
	}
	if _, err := server.New(t.Context(), server.Deps{Mail: service},
		server.Options{Addr: "nonsense"}); protocol.CodeOf(err) != protocol.Usage {
		t.Error(err)
	}
}

func TestWildcardKnowsItsOwnAddress(t *testing.T) {
	store := memory.New()
	project, _ := store.EnsureProject(t.Context(), "/lab", time.Now())
	token, err := server.NewKeys(mail.NewService(store, project, mail.Options{}), nil).Create(t.Context(), server.AgentToken(mail.Operator))
	if err != nil {
		t.Fatal(err)
	}
	h := open(t, store, nil, server.Options{Addr: "0.0.0.0:0"})
	_, port, _ := net.SplitHostPort(h.addr)
	h.addr = "127.0.0.1:" + port
	if status, _, _ := h.ask(t, "POST", "/mcp", "{}"); status != 401 {
		t.Errorf("without a token: %d", status)
	}
	if status, body, _ := h.ask(t, "POST", "/mcp", "{}", "Authorization", "Bearer "+token); status != 200 {
		t.Errorf("%d %s", status, body)
	}
	if status, _, _ := h.ask(t, "POST", "/mcp", "{}", "Authorization", "Bearer "+token, "Host", "evil.example"); status != 403 {
		t.Errorf("foreign name: %d", status)
	}
}

func TestLimits(t *testing.T) {
	h := open(t, memory.New(), nil, server.Options{Limits: server.Limits{Body: 1000, HeaderBytes: 2000}})
	if status, body, _ := h.ask(t, "POST", "/mcp", strings.Repeat("x", 1001)); status != 413 ||
		errorCode(t, body) != protocol.MessageTooLarge {
		t.Errorf("%d %s", status, body)
	}
	// Without a length the handler learns of the end of its patience.
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+h.addr+"/mcp",
		io.MultiReader(bytes.NewReader(make([]byte, 5000))))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusBadRequest {
		t.Errorf("chunked: %d", res.StatusCode)
	}
	// No more is sent than is read before the refusal, or the connection would be reset.
	header := dial(t, h.addr, "GET /health/liveness HTTP/1.1\r\nHost: localhost\r\nX: "+strings.Repeat("x", 2000+4096))
	if line, err := bufio.NewReader(header).ReadString('\n'); !strings.Contains(line, " 431 ") {
		t.Errorf("header: %q %v", line, err)
	}
	if status, _, _ := h.ask(t, "POST", "/mcp", "{}"); status != 200 {
		t.Errorf("afterwards: %d", status)
	}
}

func TestRate(t *testing.T) {
	h := open(t, memory.New(), nil, server.Options{Limits: server.Limits{Rate: 0.001, Burst: 3}})
	for i, want := range []int{200, 200, 200, 429} {
		if status, _, header := h.ask(t, "POST", "/mcp", "{}"); status != want || want == 429 && header.Get("Retry-After") == "" {
			t.Errorf("request %d: %d", i, status)
		}
	}
	if status, _, _ := h.ask(t, "GET", "/health/liveness", ""); status != 200 {
		t.Errorf("liveness counts: %d", status)
	}
}

// TestGuessedTokens: whoever tries tokens faster than the limit is refused before the next one is judged, also if that one is
// right; right ones cost nothing, and other addresses are not concerned.
func TestGuessedTokens(t *testing.T) {
	h := open(t, memory.New(), nil, server.Options{Strict: true, Limits: server.Limits{Rate: 0.001, Burst: 200}})
	token, err := h.keys.Create(t.Context(), server.Token{Name: "alice", Role: server.RoleOperator, Agent: mail.Operator})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(token string) int {
		status, _, _ := h.ask(t, "POST", "/mcp", "{}", "Authorization", "Bearer "+token)
		return status
	}
	guesses := 0 // the server learns of the token within a second, and until then it is a guess
	for ; ask(token) != http.StatusOK; guesses++ {
		time.Sleep(20 * time.Millisecond)
	}
	for range 100 {
		if status := ask(token); status != http.StatusOK {
			t.Fatalf("a right token: %d", status)
		}
	}
	for ; ask(fmt.Sprint("guess", guesses)) == http.StatusUnauthorized; guesses++ {
		if guesses > 250 {
			t.Fatal("there is no end to guessing")
		}
	}
	if guesses < 200 {
		t.Errorf("%d guesses were judged", guesses)
	}
	for _, guess := range []string{"one more", token} {
		if status := ask(guess); status != http.StatusTooManyRequests {
			t.Errorf("after 200 guesses: %d", status)
		}
	}
}

// TestGuessesThroughAProxy: a proxy on this machine makes nobody local.
func TestGuessesThroughAProxy(t *testing.T) {
	now := time.Now()
	h := open(t, memory.New(), nil, server.Options{Strict: true, Proxies: []string{"127.0.0.1"}, Now: func() time.Time { return now }})
	statuses := map[int]int{}
	for n := range 250 {
		status, _, _ := h.ask(t, "POST", "/mcp", "{}", "Authorization", fmt.Sprint("Bearer guess", n), "X-Forwarded-For", "203.0.113.7")
		statuses[status]++
	}
	if statuses[http.StatusUnauthorized] != 201 || statuses[http.StatusTooManyRequests] != 49 {
		t.Errorf("250 guesses at once from elsewhere: %v", statuses)
	}
}

// TestSlowClients: neither a header, nor a body, nor an answer may take for ever, and no
// other client notices.
func TestSlowClients(t *testing.T) {
	big := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err != nil {
			http.Error(w, "late", http.StatusRequestTimeout)
			return
		}
		for range 1000 {
			if _, err := w.Write(make([]byte, 64<<10)); err != nil {
				return
			}
		}
	})
	h := open(t, memory.New(), big, server.Options{Limits: server.Limits{
		Header: 100 * time.Millisecond, BodyTime: 100 * time.Millisecond, Write: 100 * time.Millisecond,
	}})
	for name, start := range map[string]string{
		"header": "POST /mcp HTTP/1.1\r\nHost: loc",
		"body":   "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{",
	} {
		c := dial(t, h.addr, start)
		if _, err := io.Copy(io.Discard, c); err != nil { // until the server hangs up
			t.Errorf("%s: %v", name, err)
		}
	}
	reader := dial(t, h.addr, "GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if status, _, _ := h.ask(t, "GET", "/health/liveness", ""); status != 200 {
		t.Errorf("liveness: %d", status)
	}
	if err := h.stop(); err != nil { // ends only when the one that does not read was cut off
		t.Error(err)
	}
	n, _ := io.Copy(io.Discard, reader)
	if n >= 1000*64<<10 {
		t.Error("the slow reader got everything")
	}
}

func dial(t *testing.T, addr, text string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestStopWaits: a request under way is answered; one that hangs is cut off after the grace.
func TestStopWaits(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(entered)
		<-release
		fmt.Fprint(w, "done")
	})
	h := open(t, memory.New(), slow, server.Options{})
	answered := make(chan string, 1)
	go func() {
		res, err := http.Post("http://"+h.addr+"/mcp", "application/json", strings.NewReader("{}"))
		if err != nil {
			answered <- err.Error()
			return
		}
		defer res.Body.Close()
		text, _ := bufio.NewReader(res.Body).ReadString(0)
		answered <- text
	}()
	<-entered
	stopped := make(chan error, 1)
	go func() { stopped <- h.stop() }()
	select {
	case <-stopped:
		t.Error("did not wait")
	case <-time.After(50 * time.Millisecond):
	}
	close(release)
	if text := <-answered; text != "done" {
		t.Errorf("answer: %q", text)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

func TestPanicIsAnAnswer(t *testing.T) {
	h := open(t, memory.New(), http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("boom") }), server.Options{})
	if status, body, _ := h.ask(t, "POST", "/mcp", "{}"); status != 500 || errorCode(t, body) != protocol.Internal ||
		strings.Contains(body, "boom") {
		t.Errorf("%d %s", status, body)
	}
}

// TestReadinessEndsFirst: when a server is told to stop its readiness fails at once, while for as long as Limits.Drain says new calls are
// answered as before; a call that was under way is answered after that.
func TestReadinessEndsFirst(t *testing.T) {
	const drain = 3 * time.Second
	entered, release := make(chan struct{}), make(chan struct{})
	h := open(t, memory.New(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Slow") != "" {
			close(entered)
			<-release
		}
		fmt.Fprint(w, "done")
	}), server.Options{Limits: server.Limits{Drain: drain}})
	if status, body, _ := h.ask(t, "GET", "/health/readiness", ""); status != http.StatusOK {
		t.Fatalf("before: %d %s", status, body)
	}
	answered := make(chan string, 1)
	go func() {
		status, body, _ := h.ask(t, "POST", "/mcp", "{}", "X-Slow", "yes")
		answered <- fmt.Sprint(status, " ", body)
	}()
	<-entered
	begun, stopped := time.Now(), make(chan error, 1)
	go func() { stopped <- h.stop() }()
	for status := http.StatusOK; status == http.StatusOK; {
		status, _, _ = h.ask(t, "GET", "/health/readiness", "")
	}
	for path, method := range map[string]string{"/mcp": "POST", "/health/liveness": "GET"} {
		if status, body, _ := h.ask(t, method, path, ""); status != http.StatusOK {
			t.Errorf("%s while it drains: %d %s", path, status, body)
		}
	}
	time.Sleep(drain - time.Since(begun) + 100*time.Millisecond)
	select {
	case err := <-stopped:
		t.Errorf("it ended while a call was under way: %v", err)
	case text := <-answered:
		t.Errorf("the call was answered too early: %s", text)
	default:
	}
	if conn, err := net.DialTimeout("tcp", h.addr, time.Second); err == nil {
		conn.Close()
		t.Error("it takes connections after the drain")
	}
	close(release)
	if text := <-answered; text != "200 done" {
		t.Errorf("the call under way: %s", text)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}
