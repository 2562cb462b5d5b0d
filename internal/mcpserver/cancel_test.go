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
)

const waitForever = `{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"brenner_wait",` +
	`"arguments":{"project_key":"srv-cells","agent_name":"BlueLake","timeout_seconds":50}}}`

// waiting returns when a call waits in the server.
func waiting(t *testing.T, s *Server) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); s.Waiters() == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nobody waits")
		}
	}
}

// TestCancelledOverStdio: a call that was cancelled gets no answer; the next one does, and the input may end.
func TestCancelledOverStdio(t *testing.T) {
	s := newServer(t, Options{})
	populate(t, s, "BlueLake")
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- s.RunStdio(t.Context(), in, out)
		out.Close()
	}()
	say := func(lines ...string) {
		for _, line := range lines {
			if _, err := fmt.Fprintln(toServer, line); err != nil {
				t.Error(err)
			}
		}
	}
	lines := bufio.NewScanner(fromServer)
	say(fmt.Sprintf(waitForever, `"w"`))
	waiting(t, s)
	say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"\u0077"}}`)
	go func() {
		say(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
		toServer.Close()
	}()
	var got []string
	for lines.Scan() {
		got = append(got, lines.Text())
	}
	if err := <-ended; err != nil || len(got) != 1 || !strings.Contains(got[0], `"id":2`) {
		t.Errorf("%v, answers %q", err, got)
	}
}

// TestCancelledInSession: over HTTP the answer of a cancelled call is a stream with nothing in it.
func TestCancelledInSession(t *testing.T) {
	s := newServer(t, Options{})
	populate(t, s, "BlueLake")
	w := &httpWire{url: serve(t, s).URL, header: http.Header{}}
	w.open(t)
	type answer struct {
		kind string
		body []byte
	}
	answered := make(chan answer, 1)
	go func() {
		response := w.post(t, fmt.Sprintf(waitForever, "7"))
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Error(err)
		}
		answered <- answer{response.Header.Get("Content-Type"), body}
	}()
	waiting(t, s)
	for _, id := range []int{8, 7} { // the first is of no call
		response := w.post(t, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id))
		response.Body.Close()
	}
	if got := <-answered; len(got.body) != 0 || got.kind != "text/event-stream" {
		t.Errorf("%s: %s", got.kind, got.body)
	}
	var alive struct{ Result json.RawMessage }
	if raw := w.send(t, `{"jsonrpc":"2.0","id":9,"method":"ping"}`); json.Unmarshal(raw, &alive) != nil || alive.Result == nil {
		t.Errorf("afterwards: %s", raw)
	}
}
