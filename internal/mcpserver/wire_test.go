package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"
)

// wire is a way to a server: requests go in as they are written, answers come back as they are.
type wire interface {
	send(tb testing.TB, request string) json.RawMessage
}

// wires are the ways that transcripts are played on; all give the same answers.
var wires = []struct {
	name string
	open func(tb testing.TB, s *Server) wire
}{
	{"bare", func(tb testing.TB, s *Server) wire { return &httpWire{url: serve(tb, s).URL} }},
	{"session", func(tb testing.TB, s *Server) wire {
		w := &httpWire{url: serve(tb, s).URL, header: http.Header{"Accept": {"application/json, text/event-stream"}}}
		w.open(tb)
		return w
	}},
	{"stdio", newStdioWire},
}

// httpWire speaks HTTP by hand; without a header it is the laziest of clients.
type httpWire struct {
	url    string
	header http.Header
}

func (w *httpWire) open(tb testing.TB) {
	tb.Helper()
	response := w.post(tb, initializeRequest)
	defer response.Body.Close()
	id := response.Header.Get(sessionHeader)
	if response.StatusCode != http.StatusOK || id == "" {
		tb.Fatalf("initialize: %s, session %q", response.Status, id)
	}
	w.header.Set(sessionHeader, id)
	w.header.Set(versionHeader, "2025-11-25")
	done := w.post(tb, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	defer done.Body.Close()
	if done.StatusCode != http.StatusAccepted {
		tb.Fatalf("initialized: %s", done.Status)
	}
}

const initializeRequest = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
	`"clientInfo":{"name":"t","version":"1"}}}`

func (w *httpWire) post(tb testing.TB, body string) *http.Response {
	tb.Helper()
	request, err := http.NewRequestWithContext(tb.Context(), http.MethodPost, w.url, bytes.NewReader([]byte(body)))
	if err != nil {
		tb.Fatal(err)
	}
	if w.header != nil {
		request.Header = w.header.Clone()
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		tb.Fatal(err)
	}
	return response
}

func (w *httpWire) send(tb testing.TB, request string) json.RawMessage {
	tb.Helper()
	response := w.post(tb, request)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		tb.Fatal(err)
	}
	if kind := response.Header.Get("Content-Type"); len(body) > 0 && kind != "application/json" {
		tb.Errorf("the answer is %s, not plain JSON", kind)
	}
	return body
}

// stdioWire speaks lines.
type stdioWire struct {
	in    io.Writer
	lines *bufio.Reader
}

func newStdioWire(tb testing.TB, s *Server) wire {
	tb.Helper()
	w := openStdio(tb, s)
	w.send(tb, initializeRequest)
	return w
}

// openStdio connects a client that has said nothing yet.
func openStdio(tb testing.TB, s *Server) *stdioWire {
	tb.Helper()
	clientIn, serverOut := io.Pipe()
	serverIn, clientOut := io.Pipe()
	ctx, cancel := context.WithCancel(context.WithoutCancel(tb.Context()))
	ended := make(chan error, 1)
	go func() { ended <- s.RunStdio(ctx, serverIn, serverOut) }()
	tb.Cleanup(func() {
		_ = clientOut.Close()
		if err := <-ended; err != nil {
			tb.Errorf("stdio ended with %v", err)
		}
		cancel()
		_ = serverOut.Close()
	})
	return &stdioWire{clientOut, bufio.NewReader(clientIn)}
}

func (w *stdioWire) send(tb testing.TB, request string) json.RawMessage {
	tb.Helper()
	var line bytes.Buffer
	if json.Compact(&line, []byte(request)) != nil {
		line.Reset()
		line.WriteString(request)
	}
	if _, err := fmt.Fprintf(w.in, "%s\n", line.Bytes()); err != nil {
		tb.Fatal(err)
	}
	answer, err := w.lines.ReadBytes('\n')
	if err != nil {
		tb.Fatal(err)
	}
	return answer
}

// callResult is what tools/call answers with.
type callResult struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
}

// call calls a tool and returns its result.
func callOver(tb testing.TB, w wire, tool, arguments string) callResult {
	tb.Helper()
	raw := w.send(tb, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments))
	var answer struct {
		Result *callResult `json:"result"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil || answer.Result == nil {
		tb.Fatalf("%s answered %s", tool, raw)
	}
	return *answer.Result
}
