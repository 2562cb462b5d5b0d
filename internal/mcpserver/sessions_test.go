package mcpserver

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/mail/memory"
	"brenner/internal/message"
)

func sessionWire(tb testing.TB, url string) *httpWire {
	tb.Helper()
	w := &httpWire{url: url, header: http.Header{}}
	w.open(tb)
	return w
}

// status is what a request in the session gets.
func (w *httpWire) status(tb testing.TB, request string) int {
	tb.Helper()
	response := w.post(tb, request)
	defer response.Body.Close()
	return response.StatusCode
}

const (
	pingRequest   = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	healthRequest = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"health_check"}}`
)

// twoNodes are two servers on one store, as two machines of a team have them.
func twoNodes(t *testing.T, options Options) (a, b *Server, urlA, urlB string) {
	t.Helper()
	clock := &tick{now: time.Date(2026, 1, 10, 9, 0, 0, 0, time.UTC)}
	store := memory.New()
	t.Cleanup(func() { _ = store.Close() })
	options.Version = "test"
	a, b = New(Deps{Home: home(t, store, clock.Now)}, options), New(Deps{Home: home(t, store, clock.Now)}, options)
	urlA, urlB = serve(t, a).URL, serve(t, b).URL
	populate(t, a, "BlueLake", "RedSky")
	return a, b, urlA, urlB
}

// at is the same session by another way.
func (w *httpWire) at(url string) *httpWire { return &httpWire{url: url, header: w.header.Clone()} }

// TestSessionOnAnyNode: a session that one server opened is served by the others and by those that start later, and
// over when its client ended it anywhere.
func TestSessionOnAnyNode(t *testing.T) {
	_, _, urlA, urlB := twoNodes(t, Options{})
	a := sessionWire(t, urlA)
	b := a.at(urlB)
	for range 3 {
		for _, w := range []*httpWire{a, b} {
			for _, request := range []string{healthRequest, pingRequest} {
				if status := w.status(t, request); status != http.StatusOK {
					t.Fatalf("%s at %s: %d", request, w.url, status)
				}
			}
		}
	}
	b.request(t, http.MethodDelete).Body.Close()
	if status := b.status(t, healthRequest); status != http.StatusNotFound {
		t.Errorf("where it was ended it answers %d", status)
	}
	waitUntil(t, func() bool { return a.status(t, healthRequest) == http.StatusNotFound })
}

// TestForgedSessions: an id that no server of the store gave, gave to another, or gave long ago opens nothing.
func TestForgedSessions(t *testing.T) {
	who := map[string]string{"Bearer a": "BlueLake", "Bearer b": "RedSky"}
	identity := func(r *http.Request) (Identity, error) {
		return Identity{Agent: who[r.Header.Get("Authorization")]}, nil
	}
	s, _, urlA, urlB := twoNodes(t, Options{Identity: identity})
	own := &httpWire{url: urlA, header: http.Header{"Authorization": {"Bearer a"}}}
	own.open(t)
	genuine := own.header.Get(sessionHeader)
	old := newTicket(time.Now().Add(-DefaultSessionLife-time.Minute), "BlueLake")
	secret, err := s.sessions.key(t.Context(), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	other := newTicket(time.Now(), "BlueLake")
	for name, test := range map[string]struct {
		id, token string
		status    int
	}{
		"its own":             {genuine, "Bearer a", 200},
		"of another":          {genuine, "Bearer b", 403},
		"without a token":     {genuine, "", 403},
		"a letter more":       {genuine + "A", "Bearer a", 404},
		"a letter less":       {genuine[1:], "Bearer a", 404},
		"another letter":      {"B" + genuine[1:], "Bearer a", 404},
		"another seal":        {other.seal([]byte("guessed")), "Bearer a", 404},
		"too old":             {old.seal(secret), "Bearer a", 404},
		"of nobody's server":  {"gone", "Bearer a", 404},
		"with a line feed in": {genuine + "%0A", "Bearer a", 404},
	} {
		for _, url := range []string{urlA, urlB} {
			w := &httpWire{url: url, header: http.Header{"Authorization": {test.token}, sessionHeader: {test.id}}}
			if status := w.status(t, healthRequest); status != test.status {
				t.Errorf("%s: %d, want %d", name, status, test.status)
			}
		}
	}
}

// listenTo opens the stream of a session and sends the addresses and ids it tells.
func listenTo(t *testing.T, w *httpWire, last string) (heard <-chan [2]string, cut func()) {
	t.Helper()
	if last != "" {
		w.header.Set("Last-Event-ID", last)
	}
	response := w.request(t, http.MethodGet) //nolint:bodyclose // by cut
	ch := make(chan [2]string, 64)
	go func() {
		defer close(ch)
		id := ""
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			line := lines.Text()
			if rest, ok := strings.CutPrefix(line, "id: "); ok {
				id = rest
			}
			var told struct{ Params struct{ URI string } }
			if data, ok := strings.CutPrefix(line, "data: "); ok && json.Unmarshal([]byte(data), &told) == nil {
				ch <- [2]string{told.Params.URI, id}
			}
		}
	}()
	return ch, func() { response.Body.Close() }
}

func next(t *testing.T, heard <-chan [2]string) [2]string {
	t.Helper()
	select {
	case one := <-heard:
		return one
	case <-time.After(10 * time.Second):
		t.Fatal("nothing was heard")
		return [2]string{}
	}
}

// TestSubscriptionsOnAnyNode: who subscribes at one server hears of it at another, also of what happened before
// the other knew; and a client that was cut off goes on at yet another without missing anything.
func TestSubscriptionsOnAnyNode(t *testing.T) {
	a, _, urlA, urlB := twoNodes(t, Options{})
	w := sessionWire(t, urlA)
	heard, cut := listenTo(t, w.at(urlB), "")
	const uri = "resource://inbox/RedSky?project=/srv/cells"
	subscribe := func(method, uri string) {
		t.Helper()
		if raw := w.send(t, `{"jsonrpc":"2.0","id":5,"method":"resources/`+method+`","params":{"uri":"`+uri+
			`"}}`); strings.Contains(string(raw), "error") {
			t.Fatalf("%s", raw)
		}
	}
	subscribe("subscribe", uri)
	post(t, a, "BlueLake", "RedSky", "INFO: at once", "x") // the other server does not know of the subscription yet
	first := next(t, heard)
	if first[0] != uri {
		t.Fatalf("heard of %q", first)
	}
	post(t, a, "BlueLake", "RedSky", "INFO: two", "x")
	second := next(t, heard)
	if second[0] != uri || second[1] == first[1] {
		t.Fatalf("heard of %q after %q", second, first)
	}
	cut()
	post(t, a, "BlueLake", "BlueLake", "INFO: for somebody else", "x")
	post(t, a, "BlueLake", "RedSky", "INFO: while nobody listens", "x")
	heard, cut = listenTo(t, w.at(urlA), second[1])
	defer cut()
	if got := next(t, heard); got[0] != uri {
		t.Errorf("heard of %q", got)
	}
	subscribe("unsubscribe", uri)
	const thread = "resource://thread/COORD-x"
	subscribe("subscribe", thread)
	post(t, a, "BlueLake", "RedSky", "INFO: no longer wanted", "x")
	sent, err := a.projects.home.mail.Send(t.Context(), mail.Outgoing{Draft: message.Draft{
		From: "BlueLake", To: []string{"RedSky"}, ThreadID: "COORD-x", Subject: "INFO: wanted", Body: "x",
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got := next(t, heard); got[0] != thread {
		t.Errorf("heard of %q after message %d", got, sent.Message.ID)
	}
}

// TestCancelledOnAnotherNode: a notification that reaches another server than the call cancels it.
func TestCancelledOnAnotherNode(t *testing.T) {
	_, b, urlA, urlB := twoNodes(t, Options{})
	w := sessionWire(t, urlA)
	answered := make(chan string, 1)
	go func() {
		response := w.at(urlB).post(t, fmt.Sprintf(waitForever, "7"))
		defer response.Body.Close()
		body, _ := io.ReadAll(response.Body)
		answered <- response.Header.Get("Content-Type") + string(body)
	}()
	waiting(t, b)
	if status := w.status(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`); status !=
		http.StatusAccepted {
		t.Errorf("the notification got %d", status)
	}
	select {
	case got := <-answered:
		if got != "text/event-stream" {
			t.Errorf("a cancelled call got %s", got)
		}
	case <-time.After(10 * time.Second):
		t.Error("the call goes on")
	}
}

// TestDrain: who waits or listens is told to ask again, and other calls are answered until the end.
func TestDrain(t *testing.T) {
	a, _, urlA, _ := twoNodes(t, Options{})
	w := sessionWire(t, urlA)
	heard, cut := listenTo(t, w.at(urlA), "")
	defer cut()
	answered := make(chan callResult, 1)
	go func() {
		answered <- callOver(t, w, "brenner_wait", `{"project_key":"srv-cells","agent_name":"BlueLake"}`)
	}()
	waiting(t, a)
	a.Drain()
	if result := <-answered; !strings.Contains(string(result.Structured), "nothing_yet") {
		t.Errorf("the wait ended with %s", result.Structured)
	}
	for range heard { // until it ends
	}
	if status := w.status(t, healthRequest); status != http.StatusOK {
		t.Errorf("a call got %d", status)
	}
	if result := callOver(t, w, "brenner_wait",
		`{"project_key":"srv-cells","agent_name":"BlueLake"}`); !strings.Contains(string(result.Structured), "nothing_yet") {
		t.Errorf("a late wait ended with %s", result.Structured)
	}
}

func (w *httpWire) request(tb testing.TB, method string) *http.Response {
	tb.Helper()
	request, err := http.NewRequestWithContext(tb.Context(), method, w.url, http.NoBody)
	if err != nil {
		tb.Fatal(err)
	}
	request.Header = w.header.Clone()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		tb.Fatal(err)
	}
	if response.StatusCode >= 300 {
		tb.Fatalf("%s: %s", method, response.Status)
	}
	return response
}

func waitUntil(tb testing.TB, done func() bool) {
	tb.Helper()
	for deadline := time.Now().Add(10 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			tb.Fatal("it never happened")
		}
	}
}
