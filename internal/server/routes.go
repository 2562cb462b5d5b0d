package server

import (
	"encoding/json"
	"net/http"
	"strings"

	"brenner/protocol"
)

// route is a family of addresses, as metrics tell them apart.
type route string

const (
	routeMCP      route = "mcp"
	routeHealth   route = "health"
	routeMetrics  route = "metrics"
	routeWeb      route = "web"
	routeNotFound route = "none"
)

// routes builds the house. Paths are compared as they are: no redirects, no cleaning, since MCP
// clients do not follow them.
func (s *Server) routes() http.Handler {
	mcp := s.identified(s.deps.MCP)
	metrics := s.identified(http.HandlerFunc(s.serveMetrics))
	web := http.Handler(http.HandlerFunc(notFound))
	if s.deps.Web != nil {
		web = s.web(s.deps.Web)
	}
	return s.observed(s.gated(func(r *http.Request) (route, http.Handler) {
		switch path := r.URL.Path; {
		case path == "/mcp" || path == "/mcp/" || path == "/api" || path == "/api/":
			return routeMCP, mcp
		case path == "/health/liveness":
			return routeHealth, readOnly(s.liveness)
		case path == "/health/readiness":
			return routeHealth, readOnly(s.readiness)
		case path == "/metrics":
			return routeMetrics, metrics
		case s.deps.Web != nil && !discovery(path):
			return routeWeb, web
		default:
			return routeNotFound, http.HandlerFunc(notFound)
		}
	}))
}

// discovery tells whether a path is one that MCP clients probe for an OAuth server. There is
// none, and a page that says so in HTML would confuse them.
func discovery(path string) bool {
	return strings.Contains(path, "/.well-known/") || strings.HasPrefix(path, "/mcp/") || path == "/register"
}

// readOnly answers GET and HEAD alone.
func readOnly(h http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			answerError(w, http.StatusMethodNotAllowed, protocol.NotAllowed, "only GET is answered here")
			return
		}
		h(w, r)
	})
}

func notFound(w http.ResponseWriter, _ *http.Request) {
	answerError(w, http.StatusNotFound, protocol.NotFound, "there is nothing at this address")
}

// failure is the body of every answer that the doors give themselves.
type failure struct {
	OK    bool         `json:"ok"`
	Error errorMessage `json:"error"`
}

type errorMessage struct {
	Code     protocol.Code      `json:"code"`
	Message  string             `json:"message"`
	Findings []protocol.Finding `json:"findings"`
}

func answerError(w http.ResponseWriter, status int, code protocol.Code, message string) {
	answerJSON(w, status, failure{Error: errorMessage{code, message, []protocol.Finding{}}})
}

func answerJSON(w http.ResponseWriter, status int, body any) {
	data, err := json.Marshal(body)
	if err != nil {
		panic(err) // plain data always encodes
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(append(data, '\n')) // whoever asked is gone
}
