package server

import (
	"net"
	"net/http"
	"strconv"
	"strings"

	"brenner/internal/audit"
)

// audited writes into the audit log what operators ask for that may change something. What cannot be written there
// is not done.
func (s *Server) audited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who := IdentityOf(r.Context())
		if !who.Operator || isRead(r) || strings.HasPrefix(r.URL.Path, "/api/v1/validate/") {
			next.ServeHTTP(w, r)
			return
		}
		act, err := s.begin(r, who, r.Method+" "+r.URL.Path)
		if err != nil {
			refuse(w, err, http.StatusServiceUnavailable)
			return
		}
		next.ServeHTTP(w, r.WithContext(act.Carry(r.Context())))
		code := audit.OK
		if answered, ok := w.(*reply); ok && answered.status >= http.StatusBadRequest {
			code = strconv.Itoa(answered.status)
		}
		act.EndLogged(r.Context(), code, s.options.Logger)
	})
}

// begin writes that a request begins an act.
func (s *Server) begin(r *http.Request, who Identity, act string) (*audit.Act, error) {
	via := audit.API
	if who.SignedIn || r.Header.Get("Authorization") == "" {
		via = audit.Browser
	}
	from, _, _ := net.SplitHostPort(r.RemoteAddr)
	return audit.Begin(r.Context(), s.deps.Mail, audit.Entry{Who: who.Name, Via: via, From: from, Act: act, Thread: threadOf(r.URL.Path)})
}

// threadOf is the thread that an address of the API names, empty if it names none.
func threadOf(address string) string {
	parts := strings.Split(strings.TrimPrefix(address, "/api/v1/"), "/")
	if len(parts) < 2 || parts[0] != "sessions" && parts[0] != "threads" {
		return ""
	}
	return parts[1]
}
