package server

import (
	"net"
	"net/http"
	"strconv"
	"strings"

	"brenner/internal/audit"
)

// audited writes into the audit log what operators ask for that may change something.
func (s *Server) audited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r)
		who := IdentityOf(r.Context())
		if !who.Operator || isRead(r) || strings.HasPrefix(r.URL.Path, "/api/v1/validate/") {
			return
		}
		code := audit.OK
		if answered, ok := w.(*reply); ok && answered.status >= http.StatusBadRequest {
			code = strconv.Itoa(answered.status)
		}
		s.noteAct(r, who, r.Method+" "+r.URL.Path, code)
	})
}

// noteAct writes an entry about what a request did.
func (s *Server) noteAct(r *http.Request, who Identity, act, code string) {
	via := audit.API
	if who.SignedIn || r.Header.Get("Authorization") == "" {
		via = audit.Browser
	}
	from, _, _ := net.SplitHostPort(r.RemoteAddr)
	audit.Keep(r.Context(), s.deps.Mail, s.options.Logger, audit.Entry{Who: who.Name, Via: via, From: from, Act: act, Code: code})
}
