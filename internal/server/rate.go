package server

import (
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// rates hold one limiter for each client.
type rates struct {
	rate  rate.Limit
	burst int
	now   func() time.Time

	mu      sync.Mutex
	clients map[string]*rate.Limiter
}

// maxClients bounds the memory that strangers can take; beyond it clients that have asked for nothing lately are forgotten.
const maxClients = 10_000

func newRates(perSecond float64, burst int, now func() time.Time) *rates {
	return &rates{rate: rate.Limit(perSecond), burst: burst, now: now, clients: map[string]*rate.Limiter{}}
}

// allow tells whether a client may make one more request now.
func (r *rates) allow(client string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	limiter := r.clients[client]
	if limiter == nil {
		r.forget(now)
		limiter = rate.NewLimiter(r.rate, r.burst)
		r.clients[client] = limiter
	}
	return limiter.AllowN(now, 1)
}

// forget drops clients that a new limiter would serve as well. If there is none, all
// begin anew: better too lenient for a moment than memory without end.
func (r *rates) forget(now time.Time) {
	if len(r.clients) < maxClients {
		return
	}
	for client, limiter := range r.clients {
		if limiter.TokensAt(now) >= float64(r.burst) {
			delete(r.clients, client)
		}
	}
	if len(r.clients) >= maxClients {
		clear(r.clients)
	}
}

// clientOf names whom a request counts for: who showed a token, else where it came from.
func clientOf(r *http.Request, who Identity) string {
	if who.Name != "" {
		return "token " + who.Name
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
