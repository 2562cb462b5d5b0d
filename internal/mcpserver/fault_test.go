package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"brenner/internal/artifact"
)

// TestFaults: requests that are no requests get errors of JSON-RPC, whether or not there is a
// session.
func TestFaults(t *testing.T) {
	for _, test := range []struct {
		name, body string
		status     int
		code       int64
		id         string
	}{
		{"no JSON", `{"jsonrpc":"2.0","id":1,`, 400, jsonrpc.CodeParseError, "null"},
		{"nothing", ``, 400, jsonrpc.CodeParseError, "null"},
		{"text", `hello`, 400, jsonrpc.CodeParseError, "null"},
		{"a string", `"hello"`, 400, jsonrpc.CodeInvalidRequest, "null"},
		{"a number", `7`, 400, jsonrpc.CodeInvalidRequest, "null"},
		{"no version", `{"id":1,"method":"ping"}`, 400, jsonrpc.CodeInvalidRequest, "1"},
		{"another version", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, 400, jsonrpc.CodeInvalidRequest, "1"},
		{"no method", `{"jsonrpc":"2.0","id":1}`, 400, jsonrpc.CodeInvalidRequest, "1"},
		{"an empty method", `{"jsonrpc":"2.0","id":1,"method":""}`, 400, jsonrpc.CodeInvalidRequest, "1"},
		{"a method that is no string", `{"jsonrpc":"2.0","id":"a","method":7}`, 400, jsonrpc.CodeInvalidRequest, `"a"`},
		{"arguments that are a list", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"health_check","arguments":[]}}`, 200,
			jsonrpc.CodeInvalidParams, "1"},
		{"arguments that are a list, to one that waits",
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"brenner_wait","arguments":[]}}`, 200,
			jsonrpc.CodeInvalidParams, "1"},
		{"millions of values", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"health_check","arguments":{"x":[` +
			strings.Repeat("0,", maxElements) + `0]}}}`, 400, jsonrpc.CodeInvalidRequest, "1"},
		{"a batch of millions", `[` + strings.Repeat("0,", maxElements) + `0]`, 400, jsonrpc.CodeInvalidRequest, "null"},
		{"a strange id", `{"jsonrpc":"2.0","id":[1],"method":"ping"}`, 400, jsonrpc.CodeInvalidRequest, "null"},
		{"an empty batch", `[]`, 400, jsonrpc.CodeInvalidRequest, "null"},
		{"an unknown method", `{"jsonrpc":"2.0","id":1,"method":"tools/paint"}`, 200, jsonrpc.CodeMethodNotFound, "1"},
		{"an unknown tool", `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"paint"}}`, 200, jsonrpc.CodeInvalidParams,
			`"a"`},
		{"params of another kind", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}`, 200, jsonrpc.CodeInvalidParams, "1"},
		{"a call without id", `{"jsonrpc":"2.0","method":"tools/list"}`, 400, jsonrpc.CodeInvalidRequest, "null"},
	} {
		for _, w := range wires[:2] {
			t.Run(w.name+"/"+test.name, func(t *testing.T) {
				checkFault(t, w.open(t, newServer(t, Options{})).(*httpWire), test.body, test.status, test.code, test.id)
			})
		}
	}
}

func checkFault(t *testing.T, w *httpWire, request string, status int, code int64, id string) {
	t.Helper()
	response := w.post(t, request)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *jsonrpc.Error  `json:"error"`
	}
	if err := json.Unmarshal(body, &answer); err != nil || answer.Error == nil || answer.Version != "2.0" {
		t.Fatalf("%s: %s", response.Status, body)
	}
	if response.StatusCode != status || answer.Error.Code != code || string(answer.ID) != id || answer.Error.Message == "" {
		t.Errorf("%s: %s; want status %d, code %d, id %s", response.Status, body, status, code, id)
	}
}

// TestQuietMessages are taken in without an answer.
func TestQuietMessages(t *testing.T) {
	url := serve(t, newServer(t, Options{})).URL
	for _, body := range []string{
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","method":"notifications/of/the/future","params":{}}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
	} {
		response := (&httpWire{url: url}).post(t, body)
		got, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != http.StatusAccepted || len(got) > 0 {
			t.Errorf("%s: %s %s", body, response.Status, got)
		}
	}
}

// TestBatch: several bare calls in one request are answered together, in their order.
func TestBatch(t *testing.T) {
	url := serve(t, newServer(t, Options{})).URL
	raw := (&httpWire{url: url}).send(t, `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},`+
		`{"jsonrpc":"2.0","id":"b","method":"nothing"},{"jsonrpc":"1.0","id":3,"method":"ping"},7]`)
	if want := `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":"b","error":{"code":-32601,"message":"method \"nothing\" not ` +
		`found"}},{"jsonrpc":"2.0","id":3,"error":{"code":-32600,"message":"the request is not JSON-RPC: \"jsonrpc\" is not ` +
		`\"2.0\""}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the request is not a JSON-RPC message"}}]`; string(
		raw) != want {
		t.Errorf("%s, want %s", raw, want)
	}
}

// TestIdsComeBack as they were sent, also where a float would lose a digit.
func TestIdsComeBack(t *testing.T) {
	w := &httpWire{url: serve(t, newServer(t, Options{})).URL}
	for _, id := range []string{"0", "-7", "1763180000123456789", `""`, `"a\u00e9"`} {
		if raw := w.send(t, `{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`); string(raw) != `{"jsonrpc":"2.0","id":`+id+`,"result":{}}` {
			t.Errorf("%s: %s", id, raw)
		}
	}
}

// TestDoors: what is no POST, or no JSON, or of an unknown version.
func TestDoors(t *testing.T) {
	url := serve(t, newServer(t, Options{})).URL
	for _, test := range []struct {
		method, header, value string
		status                int
	}{
		{"GET", "Accept", "text/event-stream", 405},
		{"GET", "Accept", "text/html", 405},
		{"PUT", "", "", 405},
		{"DELETE", "", "", 405},
		{"GET", sessionHeader, "gone", 404},
		{"DELETE", sessionHeader, "gone", 404},
		{"POST", sessionHeader, "gone", 404},
		{"POST", "Content-Type", "text/plain", 415},
		{"POST", "Content-Type", "application/json; charset=utf-8", 200},
		{"POST", "Content-Type", "", 200},
		{"POST", "Accept", "text/html", 200},
		{"POST", versionHeader, "1999-01-01", 400},
		{"POST", versionHeader, "2024-11-05", 200},
		{"POST", versionHeader, "2999-01-01", 400},
	} {
		request, err := http.NewRequestWithContext(t.Context(), test.method, url,
			strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		if err != nil {
			t.Fatal(err)
		}
		if test.header != "" {
			request.Header.Set(test.header, test.value)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != test.status || response.Header.Get("Content-Type") != "application/json" || !json.Valid(body) {
			t.Errorf("%s with %s %q: %s %s", test.method, test.header, test.value, response.Status, body)
		}
	}
}

// TestSizes: the largest message passes, escaped in the most wasteful way; more than the limit
// is told so.
func TestSizes(t *testing.T) {
	s := newServer(t, Options{})
	populate(t, s, "BlueLake")
	for _, w := range wires {
		t.Run(w.name, func(t *testing.T) {
			way := w.open(t, s)
			body := strings.Repeat(`\u00`+`41`, artifact.MaxMessageBytes-len("INFO: big"))
			result := callOver(t, way, "send_message",
				`{"project_key":"srv-cells","sender_name":"BlueLake","to":"BlueLake","subject":"INFO: big","body_md":"`+body+`"}`)
			if result.IsError {
				t.Errorf("refused: %.200s", result.Structured)
			}
			body = strings.Repeat("A", artifact.MaxMessageBytes-len("INFO: big"))
			result = callOver(t, way, "send_message",
				`{"project_key":"srv-cells","sender_name":"BlueLake","to":"BlueLake","subject":"INFO: big","body_md":"`+body+`!"}`)
			if !strings.Contains(string(result.Structured), "MESSAGE_TOO_LARGE") {
				t.Errorf("not refused: %.200s", result.Structured)
			}
			if w.name == "stdio" { // there the line ends the connection
				return
			}
			large := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", DefaultMaxBody) + `"}}`
			checkFault(t, way.(*httpWire), large, http.StatusRequestEntityTooLarge, jsonrpc.CodeInvalidRequest, "null")
		})
		if t.Failed() {
			return
		}
		s = newServer(t, Options{})
		populate(t, s, "BlueLake")
	}
}

// TestNoise: ten thousand requests at random leave the server as it was.
func TestNoise(t *testing.T) {
	s := newServer(t, Options{MaxBody: 1 << 16})
	populate(t, s, "BlueLake")
	handler := s.Handler()
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{`{`, `}`, `[`, `]`, `"jsonrpc"`, `:`, `"2.0"`, `,`, `"id"`, `1`, `null`, `"method"`, `"tools/call"`, `"params"`,
		`"name"`, `"fetch_inbox"`, `"arguments"`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`, `{"name":"send_message","arguments":{"to":`, `"resources/read"`, `"uri"`,
		`"resource://inbox/%zz?limit=%"`, "\xff", `\ud800`}
	methods := []string{"POST", "POST", "POST", "GET", "PUT", "DELETE", "OPTIONS", "PATCH", "HEAD", "TRACE"}
	headers := []string{sessionHeader, versionHeader, "Accept", "Content-Type", "Last-Event-ID", "Authorization"}
	values := []string{"", "x", "2026-07-28", "2025-06-18", "application/json", "text/event-stream", "0_1", "Bearer x"}
	for range 10_000 {
		var body strings.Builder
		for range random.IntN(12) {
			body.WriteString(pieces[random.IntN(len(pieces))])
		}
		request, err := http.NewRequestWithContext(t.Context(), methods[random.IntN(len(methods))],
			"/"+strings.Repeat("mcp/", random.IntN(3)), strings.NewReader(body.String()))
		if err != nil {
			t.Fatal(err)
		}
		for range random.IntN(3) {
			request.Header.Set(headers[random.IntN(len(headers))], values[random.IntN(len(values))])
		}
		recorder := newRecorder()
		handler.ServeHTTP(recorder, request)
		if recorder.status >= 500 {
			t.Fatalf("%s %q %v: %d %s", request.Method, body.String(), request.Header, recorder.status, recorder.body.Bytes())
		}
	}
	url := serve(t, s).URL
	if result := callOver(t, &httpWire{url: url}, "fetch_inbox", `{"project_key":"srv-cells","agent_name":"BlueLake"}`); result.IsError {
		t.Errorf("afterwards: %s", result.Structured)
	}
}

// recorder keeps an answer, without the copies of httptest's.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func newRecorder() *recorder                       { return &recorder{header: http.Header{}, status: http.StatusOK} }
func (r *recorder) Header() http.Header            { return r.header }
func (r *recorder) WriteHeader(status int)         { r.status = status }
func (r *recorder) Write(data []byte) (int, error) { return r.body.Write(data) }

// TestSlowClient: a client that sends half a request, and one that does not read its answer, keep
// no other client waiting.
func TestSlowClient(t *testing.T) {
	s := newServer(t, Options{})
	populate(t, s, "BlueLake")
	for range 4 {
		post(t, s, "BlueLake", "BlueLake", "INFO: big", strings.Repeat("x", 1<<20-16))
	}
	web := serve(t, s)
	half := dial(t, web.Listener.Addr())
	fmt.Fprint(half, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"jsonrpc\":")
	deaf := dial(t, web.Listener.Addr())
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fetch_inbox","arguments":{"project_key":"srv-cells",` +
		`"agent_name":"BlueLake","include_bodies":true}}}`
	fmt.Fprintf(deaf, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	for range 20 {
		began := time.Now()
		if result := callOver(t, &httpWire{url: web.URL}, "whois", `{"project_key":"srv-cells","agent_name":"BlueLake"}`); result.IsError {
			t.Fatal(string(result.Structured))
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("a call took %v beside slow clients", took)
		}
	}
	// The one that read nothing so far still gets everything.
	response, err := http.ReadResponse(bufio.NewReader(deaf), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if n, err := io.Copy(io.Discard, response.Body); err != nil || n < 4<<20 {
		t.Errorf("read %d bytes, %v", n, err)
	}
}

func dial(t *testing.T, addr net.Addr) net.Conn {
	t.Helper()
	conn, err := net.Dial(addr.Network(), addr.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// TestGoneClient: a wait ends when its client goes, with and without a session, and takes no
// mail along.
func TestGoneClient(t *testing.T) {
	s := newServer(t, Options{})
	populate(t, s, "BlueLake")
	web := serve(t, s)
	session := &httpWire{url: web.URL, header: http.Header{}}
	session.open(t)
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"brenner_wait","arguments":{"project_key":"srv-cells",` +
		`"agent_name":"BlueLake"}}}`
	for name, header := range map[string]string{"bare": "X: y", "session": sessionHeader + ": " + session.header.Get(sessionHeader)} {
		conn := dial(t, web.Listener.Addr())
		fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\n%s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", header,
			len(body), body)
		waits(t, s, 1)
		conn.Close()
		waits(t, s, 0)
		post(t, s, "BlueLake", "BlueLake", "INFO: "+name, "x")
		result := callOver(t, &httpWire{url: web.URL}, "brenner_wait", `{"project_key":"srv-cells","agent_name":"BlueLake"}`)
		if !strings.Contains(string(result.Structured), "INFO: "+name) {
			t.Errorf("after a client in a %s went: %s", name, result.Structured)
		}
	}
}

// waits waits until so many calls wait.
func waits(t *testing.T, s *Server, n int) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); s.Waiters() != n; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d calls wait, want %d", s.Waiters(), n)
		}
	}
}
