package server

import (
	"net/http"
	"net/url"
	"strings"

	"brenner/internal/audit"
	"brenner/internal/canon"
	"brenner/internal/protocol"
)

// The addresses of signing in. The page itself is the web app's.
const (
	loginPath  = "/login"
	logoutPath = "/logout"
)

// tokenFormBytes bounds what is sent to sign in.
const tokenFormBytes = 16 << 10

// public tells whether an address is read without a token: what the sign-in page is made of holds nothing of
// the project.
func public(r *http.Request) bool {
	return isRead(r) && (r.URL.Path == loginPath || strings.HasPrefix(r.URL.Path, "/assets/"))
}

// signs tells whether a request signs a person in or out.
func signs(r *http.Request) bool {
	return r.Method == http.MethodPost && (r.URL.Path == loginPath || r.URL.Path == logoutPath)
}

func isRead(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// web guards the pages and their API: it takes sign-ins, shows the sign-in page to a
// browser that is not signed in, and admits the others.
func (s *Server) web(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	inside := s.identifiedBy(s.identifyVisitor, s.audited(next))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case signs(r):
			if err := cross.Check(r); err != nil {
				answerError(w, http.StatusForbidden, protocol.NotAllowed, "pages of other sites cannot sign in or out")
				return
			}
			s.sign(w, r)
		case public(r):
			s.limitRate(next).ServeHTTP(w, r)
		case s.mustSignIn(r):
			http.Redirect(w, r, loginPath+"?"+url.Values{"next": {r.URL.RequestURI()}}.Encode(), http.StatusSeeOther)
		default:
			inside.ServeHTTP(w, r)
		}
	})
}

// mustSignIn tells whether a person's browser asks for a page that it may see after signing in.
func (s *Server) mustSignIn(r *http.Request) bool {
	if !s.mandatory() || !isRead(r) || r.Header.Get("Authorization") != "" || strings.HasPrefix(r.URL.Path, "/api/") ||
		!strings.Contains(r.Header.Get("Accept"), "text/html") {
		return false
	}
	_, asked, err := s.judged(r, s.identifyVisitor)
	return asked && protocol.CodeOf(err) == protocol.NotAllowed
}

// identifyVisitor is identify for pages and their API: a browser's visit counts as the token it began with.
func (s *Server) identifyVisitor(r *http.Request) (Identity, error) {
	if r.Header.Get("Authorization") == "" {
		token, ok, err := s.visits.token(r)
		if err != nil {
			return Identity{}, err
		}
		if ok {
			who, err := s.keys.identify(r.Context(), token)
			if err == nil {
				who.SignedIn = true
				return who, nil
			}
			if protocol.CodeOf(err) != protocol.NotAllowed { // the store's trouble, not the token's
				return Identity{}, err
			}
		}
	}
	if who, ok := s.proxies.person(r); ok && r.Header.Get("Authorization") == "" {
		return who, nil
	}
	return s.identify(r)
}

func (s *Server) sign(w http.ResponseWriter, r *http.Request) {
	if !s.rates.allow(clientOf(r, Identity{})) {
		tooMany(w)
		return
	}
	if err := s.visits.end(r); err != nil { // a browser is one visitor at a time
		refuse(w, err, http.StatusUnauthorized)
		return
	}
	if r.URL.Path == logoutPath {
		s.visits.put(w, r, "")
		http.Redirect(w, r, loginPath, http.StatusSeeOther)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, tokenFormBytes)
	if err := r.ParseForm(); err != nil {
		answerError(w, http.StatusBadRequest, protocol.Usage, "the form cannot be read")
		return
	}
	s.signIn(w, r, r.PostForm.Get("token"), localPath(r.PostForm.Get("next")))
}

func (s *Server) signIn(w http.ResponseWriter, r *http.Request, token, next string) {
	from := clientOf(r, Identity{})
	if !s.tries.take(from) {
		tooMany(w)
		return
	}
	hash := hashToken(token)
	who, err := s.keys.identify(r.Context(), hash)
	if protocol.CodeOf(err) != protocol.NotAllowed {
		s.tries.spare(from)
	}
	switch {
	case protocol.CodeOf(err) == protocol.NotAllowed:
		http.Redirect(w, r, loginPath+"?"+url.Values{"next": {next}, "failed": {"1"}}.Encode(), http.StatusSeeOther)
		return
	case err != nil:
		refuse(w, err, http.StatusUnauthorized)
		return
	}
	secret, err := s.visit(r, who, hash)
	if err != nil {
		refuse(w, err, http.StatusUnauthorized)
		return
	}
	s.visits.put(w, r, secret)
	http.Redirect(w, r, next, http.StatusSeeOther)
}

// visit begins a visit of one who showed a token, and writes an operator's into the audit log.
func (s *Server) visit(r *http.Request, who Identity, token canon.Hash) (string, error) {
	if !who.Operator {
		return s.visits.begin(r.Context(), token)
	}
	act, err := s.begin(r, who, "sign in")
	if err != nil {
		return "", err
	}
	secret, err := s.visits.begin(r.Context(), token)
	act.EndLogged(r.Context(), audit.CodeOf(err), s.options.Logger)
	return secret, err
}

// localPath keeps an address on this server: a link to the sign-in page must not lead elsewhere
// afterwards.
func localPath(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") ||
		strings.ContainsAny(next, "\\\r\n\t") || strings.HasPrefix(u.Path, loginPath) || strings.HasPrefix(u.Path, logoutPath) {
		return "/"
	}
	return next
}

// limitRate admits every client that does not ask too often.
func (s *Server) limitRate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.rates.allow(clientOf(r, Identity{})) {
			tooMany(w)
			return
		}
		next.ServeHTTP(w, r)
	})
}
