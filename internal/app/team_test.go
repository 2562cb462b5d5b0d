package app_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/server"
	"brenner/internal/store/postgres/pgtest"
)

// team is a few servers on one PostgreSQL store, as several machines have them.
type team struct {
	*testing.T
	dir, dsn string
	nodes    []*served
	options  app.ServeOptions
}

func newTeam(t *testing.T, n int, o app.ServeOptions) *team {
	t.Helper()
	m := &team{T: t, dir: t.TempDir(), dsn: pgtest.DSN(t), options: o}
	for range n {
		m.add()
	}
	return m
}

// add starts one more node.
func (m *team) add() *served {
	m.Helper()
	node := serveOn(m.T, m.dir, m.dsn, m.options)
	m.nodes = append(m.nodes, node)
	return node
}

// token gives a person or agent a token that every node knows.
func (m *team) token(agent string) string {
	m.Helper()
	token, err := m.nodes[0].keys.Create(m.Context(), server.AgentToken(agent))
	if err != nil {
		m.Fatal(err)
	}
	for _, node := range m.nodes {
		m.eventually("the token of "+agent+" is known", func() bool { return node.status(m.T, token, "") == http.StatusOK })
	}
	return token
}

// status asks for something that needs a token, or the cookie of a visit.
func (s *served) status(t *testing.T, token, cookie string) int {
	t.Helper()
	header := http.Header{}
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	if cookie != "" {
		header.Set("Cookie", cookie)
	}
	status, _ := s.do(t, "GET", "/api/v1/agents", "", header)
	return status
}

func (m *team) eventually(what string, done func() bool) {
	m.Helper()
	for end := time.Now().Add(20 * time.Second); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			m.Fatalf("it never happened that %s", what)
		}
	}
}

// TestAnyNodeKnowsWhoIsWho: tokens, their end, and the visits of browsers hold on every node, and over a restart.
func TestAnyNodeKnowsWhoIsWho(t *testing.T) {
	m := newTeam(t, 2, app.ServeOptions{Strict: true})
	a, b := m.nodes[0], m.nodes[1]
	token := m.token("BlueLake")

	form := url.Values{"token": {token}, "next": {"/"}}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.url+"/login", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	cookie, _, _ := strings.Cut(answer.Header.Get("Set-Cookie"), ";")
	if answer.StatusCode != http.StatusSeeOther || cookie == "" {
		t.Fatalf("signing in: %s %q", answer.Status, cookie)
	}
	late := m.add()
	for _, node := range []*served{a, b, late} {
		if status := node.status(t, "", cookie); status != http.StatusOK {
			t.Errorf("a visit that began elsewhere gets %d", status)
		}
	}
	// the sign-in page, at the end
	if status, _ := b.do(t, "POST", "/logout", "", http.Header{"Cookie": {cookie}}); status != http.StatusOK {
		t.Errorf("signing out: %d", status)
	}
	for _, node := range m.nodes {
		m.eventually("the visit is over", func() bool { return node.status(t, "", cookie) == http.StatusUnauthorized })
	}
	if err := b.keys.Revoke(t.Context(), "BlueLake"); err != nil {
		t.Fatal(err)
	}
	for _, node := range m.nodes {
		m.eventually("the token is revoked", func() bool { return node.status(t, token, "") == http.StatusUnauthorized })
	}
}

// TestAnyNodeWritesOnce: a request that is sent again under its key gets the first answer, wherever it goes.
func TestAnyNodeWritesOnce(t *testing.T) {
	m := newTeam(t, 2, app.ServeOptions{Lab: true})
	a, b := m.nodes[0], m.nodes[1]
	if err := a.app.Mail.EnsureAgents(t.Context(), "BlueLake", "RedSky"); err != nil {
		t.Fatal(err)
	}
	send := func(node *served, key, subject string) (int, string) {
		t.Helper()
		header := http.Header{"Content-Type": {"application/json"}, "Idempotency-Key": {key}}
		return node.do(t, "POST", "/api/v1/messages", fmt.Sprintf(`{"from":"BlueLake","to":["RedSky"],"subject":%q,"body_md":"x"}`,
			subject), header)
	}
	status, first := send(a, "k1", "INFO: once")
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, first)
	}
	a.stop() // its memory is gone
	for _, node := range []*served{b, m.add()} {
		if status, again := send(node, "k1", "INFO: once"); status != http.StatusOK || again != first {
			t.Errorf("sent again: %d %s, first %s", status, again, first)
		}
		if status, other := send(node, "k1", "INFO: other"); status != http.StatusConflict ||
			!strings.Contains(other, "IDEMPOTENCY_CONFLICT") {
			t.Errorf("another request: %d %s", status, other)
		}
	}
	// Many at once, at every node: one answer, one message.
	answers := make(chan string, 8)
	for i := range 8 {
		go func() {
			_, text := send([]*served{b, m.nodes[2]}[i%2], "k2", "INFO: crowd")
			answers <- text
		}()
	}
	one := <-answers
	for range 7 {
		if other := <-answers; other != one {
			t.Errorf("%s and %s", one, other)
		}
	}
	found, err := b.app.Store.Messages(t.Context(), mail.MessageQuery{Project: b.app.Mail.Project().ID})
	if err != nil || len(found) != 2 {
		t.Errorf("%d messages, %v", len(found), err)
	}
}

// heardEvent is one event of a stream.
type heardEvent struct{ id, data string }

// follow listens to the events of a node, after a place if one is named.
func (s *served) follow(t *testing.T, last string) (events <-chan heardEvent, cut func()) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/api/v1/events", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if last != "" {
		request.Header.Set("Last-Event-ID", last)
	}
	answer, err := http.DefaultTransport.RoundTrip(request) //nolint:bodyclose // with the test
	if err != nil {
		t.Fatal(err)
	}
	ch := make(chan heardEvent, 256)
	go func() {
		defer close(ch)
		var e heardEvent
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			switch name, value, _ := strings.Cut(lines.Text(), ": "); name {
			case "id":
				e.id = value
			case "data":
				e.data = value
			case "":
				if e.data != "" || last == "" {
					ch <- e
				}
				e.data = ""
			}
		}
	}()
	return ch, func() { answer.Body.Close() }
}

func (m *team) next(events <-chan heardEvent) heardEvent {
	m.Helper()
	select {
	case e := <-events:
		return e
	case <-time.After(20 * time.Second):
		m.Fatal("no event came")
		return heardEvent{}
	}
}

// TestEventsGoOnAtAnotherNode: who is cut off at one node hears at the next of everything since, once and in order.
func TestEventsGoOnAtAnotherNode(t *testing.T) {
	m := newTeam(t, 3, app.ServeOptions{})
	if err := m.nodes[0].app.Mail.EnsureAgents(t.Context(), "BlueLake", "RedSky"); err != nil {
		t.Fatal(err)
	}
	post := func(i int) {
		t.Helper()
		if code := m.nodes[i%3].call(t, "", "send_message", map[string]any{
			"sender_name": "BlueLake", "to": []string{"RedSky"}, "subject": fmt.Sprintf("INFO: %d", i), "body_md": "x",
		}); code != "" {
			t.Fatal(code)
		}
	}
	events, cut := m.nodes[0].follow(t, "")
	place := m.next(events).id
	for i, seen := 0, int64(0); i < 12; i++ {
		if i%4 == 3 { // cut off while something happens
			cut()
			post(i)
			events, cut = m.nodes[(i/4+1)%3].follow(t, place)
		} else {
			post(i)
		}
		e := m.next(events)
		var told struct {
			Message int64 `json:"message_id"`
		}
		if err := json.Unmarshal([]byte(e.data), &told); err != nil || told.Message != seen+1 {
			t.Fatalf("after message %d came %+v", seen, e)
		}
		seen, place = told.Message, e.id
	}
	cut()
}

// TestWaitersAreServedByAnyNode: mail that one node takes reaches who waits at another, in a session that a third opened; a
// wait ends with the token.
func TestWaitersAreServedByAnyNode(t *testing.T) {
	m := newTeam(t, 3, app.ServeOptions{Strict: true})
	token, other := m.token("BlueLake"), m.token("RedSky")
	rpc := func(node *served, session, token, body string) (reply, string) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, node.url+"/mcp", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + token}}
		if session != "" {
			request.Header.Set("Mcp-Session-Id", session)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Error(err)
			return reply{}, ""
		}
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body)
		return reply{answer.Status, answer.StatusCode, answer.Header}, string(text)
	}
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
		`"clientInfo":{"name":"t","version":"1"}}}`
	opened, text := rpc(m.nodes[0], "", token, hello)
	session := opened.Header.Get("Mcp-Session-Id")
	if session == "" {
		t.Fatal(text)
	}
	wait := fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"brenner_wait","arguments":{"project_key":%q,`+
		`"agent_name":"BlueLake"}}}`,
		m.nodes[0].app.Mail.Project().HumanKey)
	waiting := func(node *served, session string) <-chan string {
		t.Helper()
		answered := make(chan string, 1)
		go func() {
			_, text := rpc(node, session, token, wait)
			answered <- text
		}()
		m.eventually("somebody waits", func() bool {
			_, page := node.do(t, "GET", "/metrics", "", http.Header{"Authorization": {"Bearer " + token}})
			return strings.Contains(page, "brenner_waiters 1\n")
		})
		return answered
	}
	answered := waiting(m.nodes[1], session)
	if code := m.nodes[2].call(t, other, "send_message", map[string]any{
		"sender_name": "RedSky", "to": []string{"BlueLake"}, "subject": "INFO: wake up", "body_md": "x",
	}); code != "" {
		t.Fatal(code)
	}
	if text := <-answered; !strings.Contains(text, "wake up") {
		t.Errorf("who waited got %s", text)
	}
	if answer, text := rpc(m.nodes[2], session, other,
		`{"jsonrpc":"2.0","id":3,"method":"ping"}`); answer.StatusCode != http.StatusForbidden {
		t.Errorf("another bearer in the session: %s %s", answer.Status, text)
	}
	answered = waiting(m.nodes[1], session)
	if err := m.nodes[0].keys.Revoke(t.Context(), "BlueLake"); err != nil {
		t.Fatal(err)
	}
	m.eventually("the token is revoked", func() bool { return m.nodes[1].status(t, token, "") == http.StatusUnauthorized })
	if code := m.nodes[2].call(t, other, "send_message", map[string]any{
		"sender_name": "RedSky", "to": []string{"BlueLake"}, "subject": "INFO: secret", "body_md": "x",
	}); code != "" {
		t.Fatal(code)
	}
	if text := <-answered; strings.Contains(text, "secret") || !strings.Contains(text, "NOT_ALLOWED") {
		t.Errorf("who waited with a revoked token got %s", text)
	}
}

// TestOneNodeMakesThePasses: the passes over acknowledgements are one node's, and another's when it is gone.
func TestOneNodeMakesThePasses(t *testing.T) {
	m := newTeam(t, 2, app.ServeOptions{})
	service, now := m.nodes[0].app.Mail, time.Now()
	take := func(holder string, at time.Time, want bool) {
		t.Helper()
		mine, err := service.TakeTurn(t.Context(), at, "sweeping", holder, time.Minute)
		if err != nil || mine != want {
			t.Errorf("%s at %s: %t, %v", holder, at.Sub(now), mine, err)
		}
	}
	take("a", now, true)
	take("b", now.Add(30*time.Second), false)
	take("a", now.Add(40*time.Second), true) // in time
	take("b", now.Add(90*time.Second), false)
	take("b", now.Add(101*time.Second), true) // a is dead
	take("a", now.Add(102*time.Second), false)
	if err := service.EndTurn(t.Context(), now.Add(103*time.Second), "sweeping", "b"); err != nil {
		t.Error(err)
	}
	take("a", now.Add(104*time.Second), true)
}

// reply is the head of an answer.
type reply struct {
	Status     string
	StatusCode int
	Header     http.Header
}
