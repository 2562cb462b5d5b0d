package server

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"sync"
	"time"

	"brenner/canon"
	"brenner/protocol"
)

// visits are the browsers that showed a token at the sign-in page: they cannot send one with every
// request. A visit is a random number in a cookie, kept here by its hash for as long as the server runs, and
// stands for the token: when that is revoked, so is the visit. Safe for concurrent use.
type visits struct {
	cookie string
	now    func() time.Time

	mu   sync.Mutex
	open map[[sha256.Size]byte]visit
}

type visit struct {
	token canon.Hash
	began time.Time
	seen  time.Time
}

// How long a browser stays signed in: unused, and at most. mostVisits bounds the memory.
const (
	visitIdle  = 12 * time.Hour
	visitMost  = 7 * 24 * time.Hour
	mostVisits = 1000
)

// newVisits names the cookie after the project: browsers send the cookies of one port to all others of
// the same host.
func newVisits(project string, now func() time.Time) *visits {
	sum := sha256.Sum256([]byte(project))
	return &visits{cookie: "brenner_" + hex.EncodeToString(sum[:4]), now: now, open: map[[sha256.Size]byte]visit{}}
}

// begin makes a visit of somebody who showed a token, and returns its secret.
func (v *visits) begin(token canon.Hash) (string, error) {
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return "", protocol.Errorf(protocol.Internal, "this machine gives no random numbers: %w", err)
	}
	text := base64.RawURLEncoding.EncodeToString(secret)
	v.mu.Lock()
	defer v.mu.Unlock()
	now := v.now()
	v.makeRoom(now)
	v.open[sha256.Sum256([]byte(text))] = visit{token: token, began: now, seen: now}
	return text, nil
}

// makeRoom forgets visits that are over and, if too many are left, the one that was used longest ago.
func (v *visits) makeRoom(now time.Time) {
	if len(v.open) < mostVisits {
		return
	}
	var oldest [sha256.Size]byte
	var at time.Time
	for key, visit := range v.open {
		if visit.over(now) {
			delete(v.open, key)
		} else if at.IsZero() || visit.seen.Before(at) {
			oldest, at = key, visit.seen
		}
	}
	if len(v.open) >= mostVisits {
		delete(v.open, oldest)
	}
}

func (s visit) over(now time.Time) bool {
	return now.Sub(s.seen) > visitIdle || now.Sub(s.began) > visitMost
}

// token finds the token that a request's cookie stands for.
func (v *visits) token(r *http.Request) (canon.Hash, bool) {
	c, err := r.Cookie(v.cookie)
	if err != nil {
		return canon.Hash{}, false
	}
	key := sha256.Sum256([]byte(c.Value))
	v.mu.Lock()
	defer v.mu.Unlock()
	found, ok := v.open[key]
	if !ok {
		return canon.Hash{}, false
	}
	now := v.now()
	if found.over(now) {
		delete(v.open, key)
		return canon.Hash{}, false
	}
	found.seen = now
	v.open[key] = found
	return found.token, true
}

// end forgets the visit of a request.
func (v *visits) end(r *http.Request) {
	if c, err := r.Cookie(v.cookie); err == nil {
		v.mu.Lock()
		defer v.mu.Unlock()
		delete(v.open, sha256.Sum256([]byte(c.Value)))
	}
}

// put hands the secret to the browser; an empty one takes it away. Scripts cannot read it, and no other
// site can make the browser send it.
func (v *visits) put(w http.ResponseWriter, r *http.Request, secret string) {
	c := &http.Cookie{
		Name: v.cookie, Value: secret, Path: "/", HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteStrictMode,
		MaxAge: int(visitMost / time.Second),
	}
	if secret == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}
