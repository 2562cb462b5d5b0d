package foreigntest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// fields is an object of JSON as the other server makes it.
type fields = map[string]any

// Server is a small Agent Mail server of another program, with one project.
type Server struct {
	accent   Accent
	mu       sync.Mutex
	project  string // its human key; empty: nobody asked for one yet
	agents   []fields
	messages []fields
	states   map[string]fields // what a recipient did with a message
	session  int
	calls    int
}

// New makes a server for http.
func New(a Accent) *Server { return &Server{accent: a, states: map[string]fields{}} }

// Start serves until the test ends, and returns the server's address as a store.
func Start(t testing.TB, a Accent) (*Server, string) {
	s := New(a)
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	return s, "mcp+" + web.URL + "/mcp/"
}

// Post puts a message into a thread as a client of that server would: nobody looks at it.
func (s *Server) Post(from, to, thread, subject, body string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, fault := s.post(fields{"sender_name": from, "to": []any{to}, "body_md": body}, subject, thread, nil)
	if fault != "" {
		return errors.New(fault)
	}
	return nil
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var call struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Name, URI string
			Arguments fields
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if !s.admitted(w, r, call.Method) {
		return
	}
	if call.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	answer := fields{"jsonrpc": "2.0", "id": call.ID}
	switch {
	case call.Method == "initialize" && s.accent.bare:
		w.WriteHeader(http.StatusBadRequest)
		answer["error"] = fields{"code": -32601, "message": "no such method", "data": "initialize"}
	case call.Method == "initialize":
		answer["result"] = fields{"protocolVersion": "2025-03-26", "capabilities": fields{},
			"serverInfo": fields{"name": "other", "version": "9"}}
	case call.Method == "resources/read":
		if content, ok := s.read(call.Params.URI); ok {
			answer["result"] = fields{"contents": []fields{{"uri": call.Params.URI, "text": encode(content)}}}
		} else {
			answer["error"] = fields{"code": -32002, "message": "nothing there", "data": []string{call.Params.URI}}
		}
	default:
		answer["result"] = s.answer(s.tool(call.Params.Name, call.Params.Arguments))
	}
	s.write(w, encode(answer))
}

// admitted keeps the session: the header is demanded, and forgotten with every fifth call.
func (s *Server) admitted(w http.ResponseWriter, r *http.Request, method string) bool {
	if !s.accent.sessions {
		return true
	}
	if method == "initialize" {
		s.session++
		w.Header().Set("Mcp-Session-Id", fmt.Sprint("s", s.session))
		return true
	}
	if s.calls++; s.calls%5 == 0 {
		s.session++
	}
	if r.Header.Get("Mcp-Session-Id") == fmt.Sprint("s", s.session) {
		return true
	}
	status := http.StatusNotFound
	if s.calls%2 == 0 {
		status = http.StatusBadRequest
	}
	http.Error(w, `{"error":"Bad Request: no valid session ID provided"}`, status)
	return false
}

func (s *Server) write(w http.ResponseWriter, data string) {
	if !s.accent.events {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = io.WriteString(w, data)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, ": hello\n\nevent: message\r\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\","+
		"\"params\":{}}\r\n\r\n")
	half := strings.IndexByte(data, ',') + 1
	_, _ = io.WriteString(w, "event: message\nid: 7\ndata: "+data[:half]+"\ndata: "+data[half:]+"\n") // and no empty line at the end
}

// answer wraps what a tool returned.
func (s *Server) answer(content any, fault string) fields {
	if fault != "" {
		return fields{"isError": true, "content": []fields{{"type": "text", "text": fault}}}
	}
	result := fields{"content": []fields{{"type": "text", "text": encode(content)}}}
	list, isList := content.([]fields)
	switch {
	case s.accent.lists == "text":
	case isList && s.accent.lists == "result":
		result["structuredContent"] = fields{"result": list}
	case isList && s.accent.lists == "messages":
		result["structuredContent"] = fields{"messages": list, "count": len(list)}
	default:
		result["structuredContent"] = content
	}
	return result
}
