package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// lines feeds a server a whole input at once and returns what it writes.
func lines(t *testing.T, s *Server, input ...string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := s.RunStdio(t.Context(), strings.NewReader(strings.Join(input, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// TestPipe: everything asked before the input ends is answered, whether or not the client began
// with initialize.
func TestPipe(t *testing.T) {
	calls := []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"register_agent","arguments":{"project_key":"srv-cells",` +
			`"name":"BlueLake"}}}`,
		`{"jsonrpc":"2.0","id":"two","method":"resources/read","params":{"uri":"resource://agents//srv/cells"}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"brenner_wait","arguments":{"project_key":"srv-cells",` +
			`"agent_name":"BlueLake","timeout_seconds":1}}}`,
	}
	for name, input := range map[string][]string{
		"bare":    calls,
		"session": append([]string{initializeRequest, `{"jsonrpc":"2.0","method":"notifications/initialized"}`}, calls...),
	} {
		t.Run(name, func(t *testing.T) {
			got := strings.Join(lines(t, newServer(t, Options{}), input...), "\n")
			for _, want := range []string{`"id":1`, `"id":"two"`, `"id":3`} {
				if strings.Count(got, want) == 0 {
					t.Errorf("no answer with %s in\n%s", want, got)
				}
			}
		})
	}
}

// TestBrokenLines are answered, and the next line is read.
func TestBrokenLines(t *testing.T) {
	got := lines(t, newServer(t, Options{}),
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`,
		``,
		`{"jsonrpc":`,
		`[]`,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`,
		`{"jsonrpc":"2.0","id":7,"method":"nothing"}`,
		`{"jsonrpc":"2.0","method":"notifications/nothing"}`,
		`{"jsonrpc":"2.0","id":8,"method":"ping"}`)
	all := strings.Join(got, "\n")
	for _, want := range []string{
		`"id":1,"result":{}`, `"id":null,"error":{"code":-32700`, `"id":null,"error":{"code":-32600`,
		`"id":7,"error":{"code":-32601`, `"id":8,"result":{}`,
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no %s in\n%s", want, all)
		}
	}
	if len(got) != 6 {
		t.Errorf("%d lines:\n%s", len(got), all)
	}
}

// TestLongLine ends the connection, with a word about why.
func TestLongLine(t *testing.T) {
	var out bytes.Buffer
	s := newServer(t, Options{MaxBody: 1 << 10})
	err := s.RunStdio(t.Context(), strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"+strings.Repeat("x", 2<<10)), &out)
	if err == nil || !strings.Contains(out.String(), "more than 1024 bytes") {
		t.Errorf("%v: %s", err, out.String())
	}
}

// TestEmptyInput: there is no client at the other end.
func TestEmptyInput(t *testing.T) {
	var out bytes.Buffer
	if err := newServer(t, Options{}).RunStdio(t.Context(), strings.NewReader(""), &out); err != nil || out.Len() > 0 {
		t.Errorf("%v %q", err, out.String())
	}
}

// TestInterrupt ends a server whose client sends nothing.
func TestInterrupt(t *testing.T) {
	s := newServer(t, Options{})
	populate(t, s, "BlueLake")
	in, feed := io.Pipe()
	defer feed.Close() // ends the goroutine that reads
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.RunStdio(ctx, in, io.Discard) }()
	if _, err := io.WriteString(feed, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"brenner_wait",`+
		`"arguments":{"project_key":"srv-cells","agent_name":"BlueLake"}}}`+"\n"); err != nil {
		t.Fatal(err)
	}
	waits(t, s, 1)
	cancel()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("it goes on")
	}
}
