package server

import (
	"context"
	"net/http"
	"strings"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

type admissionKey struct{}

// admission is who was let in, and the question whether that would happen again.
type admission struct {
	who   Identity
	again func() (Identity, error)
}

// Identity is who asks.
type Identity struct {
	Name     string // of the token, or of the person a trusted proxy named; empty: anonymous
	Agent    string // whom it acts as; empty: no agent
	Operator bool   // may act for all
	Reader   bool   // reads everything and writes nothing
	SignedIn bool   // by a browser's visit, not with a token of its own
}

// IdentityOf tells who sent a request that passed the doors.
func IdentityOf(ctx context.Context) Identity {
	in, _ := ctx.Value(admissionKey{}).(admission)
	return in.who
}

// StillAdmitted tells whether a request that lasts would still be admitted under the same identity: tokens are revoked
// and visits end while it is under way. While the store does not answer, requests go on.
func StillAdmitted(ctx context.Context) bool {
	in, ok := ctx.Value(admissionKey{}).(admission)
	if !ok {
		return false
	}
	who, err := in.again()
	if err != nil {
		return protocol.CodeOf(err) != protocol.NotAllowed
	}
	return who == in.who
}

// mandatory tells whether every client needs a token: on addresses that others can reach, in strict
// mode, and behind a proxy, which makes all clients look local.
func (s *Server) mandatory() bool {
	return s.options.Strict || !s.gate.loopback || len(s.proxies.from) > 0
}

// demandTokens refuses to open a house that others can reach while it has no keys.
func (s *Server) demandTokens(ctx context.Context) error {
	if !s.mandatory() {
		return nil
	}
	tokens, err := s.keys.List(ctx)
	if err != nil || len(tokens) > 0 {
		return err
	}
	if s.gate.loopback {
		return protocol.Errorf(protocol.NotAllowed,
			"strict identity, and a trusted proxy, need tokens and there are none: make the operator's, and one for each agent").
			Doing(protocol.Operation("token.create").Giving("operator").Before(protocol.Operation("token.create").Giving("agent")))
	}
	return protocol.Errorf(protocol.NotAllowed,
		"%s can be reached from other machines and there are no tokens: make the operator's first, or listen on 127.0.0.1", s.options.Addr).
		Doing(protocol.Operation("token.create").Giving("operator"))
}

// identify reads the bearer token. Without one a client is anonymous, where that is allowed; with a wrong
// one it is refused.
func (s *Server) identify(r *http.Request) (Identity, error) {
	header := r.Header.Get("Authorization")
	scheme, token, _ := strings.Cut(header, " ")
	switch {
	case header == "" && !s.mandatory():
		return Identity{}, nil
	case header == "":
		return Identity{}, protocol.Errorf(protocol.NotAllowed, "a bearer token is needed here")
	case !strings.EqualFold(scheme, "Bearer") || strings.TrimSpace(token) == "":
		return Identity{}, protocol.Errorf(protocol.NotAllowed, "the Authorization header holds no bearer token")
	}
	return s.keys.Identify(r.Context(), token)
}

// identified lets in who may come in, and notes who it is.
func (s *Server) identified(next http.Handler) http.Handler { return s.identifiedBy(s.identify, next) }

func (s *Server) identifiedBy(identify func(*http.Request) (Identity, error), next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who, asked, err := s.judged(r, identify)
		if !asked {
			tooMany(w)
			return
		}
		if err != nil {
			refuse(w, err, http.StatusUnauthorized)
			return
		}
		if !s.rates.allow(clientOf(r, who)) {
			tooMany(w)
			return
		}
		if who.Reader && !isRead(r) {
			refuse(w, protocol.Errorf(protocol.NotAllowed, "%s reads and writes nothing: that takes the token of an agent or an operator",
				who.Name), http.StatusForbidden)
			return
		}
		in := admission{who, func() (Identity, error) { return identify(r) }}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), admissionKey{}, in)))
	})
}

// withoutReaders keeps out who only reads: MCP is for those who take part.
func withoutReaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if who := IdentityOf(r.Context()); who.Reader {
			refuse(w, protocol.Errorf(protocol.NotAllowed, "%s reads pages and the API; MCP takes the token of an agent or an operator",
				who.Name), http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func tooMany(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "1")
	answerError(w, http.StatusTooManyRequests, protocol.NotAllowed, "too many requests; slow down")
}

// refuse answers a failure at the door: no entry for what is not allowed, and the store's own
// trouble for what is not the caller's fault.
func refuse(w http.ResponseWriter, err error, status int) {
	code := mail.CodeOf(err)
	if code != protocol.NotAllowed {
		answerError(w, http.StatusServiceUnavailable, code, err.Error())
		return
	}
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="brenner"`)
	}
	answerError(w, status, code, err.Error())
}
