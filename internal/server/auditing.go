package server

import (
	"context"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"brenner/internal/audit"
)

// auditPatience is how long an entry of the audit log may take to be written.
const auditPatience = 5 * time.Second

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

// noteAct writes an entry. The client may be gone meanwhile; what it did stays done.
func (s *Server) noteAct(r *http.Request, who Identity, act, code string) {
	via := audit.API
	if who.SignedIn || r.Header.Get("Authorization") == "" {
		via = audit.Browser
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), auditPatience)
	defer cancel()
	from, _, _ := net.SplitHostPort(r.RemoteAddr)
	if err := audit.Write(ctx, s.deps.Mail, audit.Entry{Who: who.Name, Via: via, From: from, Act: act, Code: code}); err != nil {
		s.options.Logger.Error("the audit log cannot be written", "who", who.Name, "act", act, "error", err)
	}
}
