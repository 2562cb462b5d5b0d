package server

import (
	"encoding/json"
	"net/http"
	"strings"

	"brenner/internal/protocol"
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
	mcp := s.identified(withoutReaders(s.deps.MCP))
	metrics := s.identified(readOnly(s.serveMetrics))
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
		case s.serves(r):
			return routeWeb, web
		default:
			return routeNotFound, http.HandlerFunc(notFound)
		}
	}))
}

// serves tells whether a request is the web app's to answer. What it lacks is not found before a token is asked
// for: a client that looks for an OAuth server must learn that there is none.
func (s *Server) serves(r *http.Request) bool {
	if s.deps.Web == nil || forPrograms(r.URL.Path) {
		return false
	}
	return s.deps.Serves == nil || signs(r) || s.deps.Serves(r)
}

// forPrograms tells whether a path that is none of ours is one that programs alone ask for, such as MCP
// clients looking for an OAuth server: a page that says so in HTML would confuse them.
func forPrograms(path string) bool {
	for _, prefix := range []string{"/mcp/", "/health", "/metrics/", "/api/"} {
		if strings.HasPrefix(path, prefix) && !strings.HasPrefix(path+"/", "/api/v1/") {
			return true
		}
	}
	return strings.Contains(path+"/", "/.well-known/") || path == "/register"
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
	OK    bool                 `json:"ok"`
	Error protocol.ErrorObject `json:"error"`
}

func answerError(w http.ResponseWriter, status int, code protocol.Code, message string) {
	answerJSON(w, status, failure{Error: protocol.ErrorObject{Code: code, Message: message, Findings: []protocol.Finding{}}})
}

func answerJSON(w http.ResponseWriter, status int, body any) {
	data, err := json.Marshal(body)
	if err != nil {
		panic(err) // plain data always encodes
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(data, '\n')) // the client is gone
}
