package mcpserver

import (
	"net/http"
	"testing"
	"time"
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

// TestSessionsAreBounded: one session too many ends the one that was idle the longest, never one
// that is in use.
func TestSessionsAreBounded(t *testing.T) {
	s := newServer(t, Options{MaxSessions: 3})
	web := serve(t, s)
	populate(t, s, "BlueLake")
	first, second, third := sessionWire(t, web.URL), sessionWire(t, web.URL), sessionWire(t, web.URL)
	waiting := make(chan callResult, 1)
	go func() {
		waiting <- callOver(t, first, "brenner_wait", `{"project_key":"srv-cells","agent_name":"BlueLake"}`)
	}()
	waitUntil(t, func() bool { return s.Waiters() == 1 })
	if status := third.status(t, pingRequest); status != http.StatusOK {
		t.Fatalf("the third session answers %d", status)
	}
	fourth := sessionWire(t, web.URL) // second was idle the longest: first waits, third was used just now
	for i, want := range map[*httpWire]int{second: http.StatusNotFound, third: http.StatusOK, fourth: http.StatusOK} {
		for _, request := range []string{healthRequest, pingRequest} {
			if status := i.status(t, request); status != want {
				t.Errorf("%s: %d, want %d", request, status, want)
			}
		}
	}
	post(t, s, "BlueLake", "BlueLake", "INFO: now", "x")
	if result := <-waiting; result.IsError {
		t.Errorf("the session in use was ended: %s", result.Structured)
	}
	if n := count(s.sdk.Sessions()); n != 3 {
		t.Errorf("the SDK holds %d sessions", n)
	}
}

// TestIdleSessionsEnd: what nobody uses ends, what is listened to or ended by its client does not
// linger.
func TestIdleSessionsEnd(t *testing.T) {
	s := newServer(t, Options{SessionTimeout: 300 * time.Millisecond})
	web := serve(t, s)
	idle, listening, ended := sessionWire(t, web.URL), sessionWire(t, web.URL), sessionWire(t, web.URL)
	stream := listening.request(t, http.MethodGet)
	defer stream.Body.Close()
	ended.request(t, http.MethodDelete).Body.Close()
	if status := ended.status(t, healthRequest); status != http.StatusNotFound {
		t.Errorf("a session that its client ended answers %d", status)
	}
	waitUntil(t, func() bool { return count(s.sdk.Sessions()) == 1 })
	if status := idle.status(t, healthRequest); status != http.StatusNotFound {
		t.Errorf("an idle session answers %d", status)
	}
	if status := listening.status(t, healthRequest); status != http.StatusOK {
		t.Errorf("a session with a listener answers %d", status)
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

func count[T any](seq func(yield func(T) bool)) int {
	n := 0
	for range seq {
		n++
	}
	return n
}
