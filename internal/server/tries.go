package server

import (
	"net/http"
	"sync"
	"time"

	"brenner/internal/protocol"
)

// tries count the secrets from each address that were wrong. An address that tries too fast is refused before its next one is
// judged: whether that one is right, nobody learns. Secrets that are right cost nothing.
type tries struct {
	perSecond, burst float64
	now              func() time.Time

	mu      sync.Mutex
	clients map[string]*tried
}

// tried is how many wrong secrets an address may still try.
type tried struct {
	left float64
	at   time.Time
}

func newTries(perSecond float64, burst int, now func() time.Time) *tries {
	return &tries{perSecond: perSecond, burst: float64(burst), now: now, clients: map[string]*tried{}}
}

// take counts a try before it is judged. False: it must not be judged.
func (t *tries) take(client string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	c := t.clients[client]
	if c == nil {
		t.forget(now)
		c = &tried{left: t.burst, at: now}
		t.clients[client] = c
	}
	t.fill(c, now)
	if c.left < 1 {
		return false
	}
	c.left--
	return true
}

// spare takes the count of a try back: its secret was right, or nobody could tell.
func (t *tries) spare(client string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := t.clients[client]; c != nil {
		c.left = min(t.burst, c.left+1)
	}
}

// fill gives back what the time since then allows. A clock that was set back gives nothing.
func (t *tries) fill(c *tried, now time.Time) {
	if passed := now.Sub(c.at).Seconds(); passed > 0 {
		c.left = min(t.burst, c.left+passed*t.perSecond)
	}
	c.at = now
}

// forget drops addresses that may try as much as a new one, as rates does.
func (t *tries) forget(now time.Time) {
	if len(t.clients) < maxClients {
		return
	}
	for client, c := range t.clients {
		if t.fill(c, now); c.left >= t.burst {
			delete(t.clients, client)
		}
	}
	if len(t.clients) >= maxClients {
		clear(t.clients)
	}
}

// showsSecret tells whether a request tries a token, or the secret of a visit.
func (s *Server) showsSecret(r *http.Request) bool {
	return r.Header.Get("Authorization") != "" || s.visits.secret(r) != ""
}

// judged asks who sent a request, unless its address has tried too many secrets that were wrong: false, and nobody was asked.
func (s *Server) judged(r *http.Request, identify func(*http.Request) (Identity, error)) (who Identity, asked bool, err error) {
	if !s.showsSecret(r) {
		who, err = identify(r)
		return who, true, err
	}
	from := clientOf(r, Identity{})
	if !s.tries.take(from) {
		return Identity{}, false, nil
	}
	if who, err = identify(r); protocol.CodeOf(err) != protocol.NotAllowed {
		s.tries.spare(from)
	}
	return who, true, err
}
