package server

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// rates hold one bucket for each client: it fills at a rate and holds a burst.
type rates struct {
	rate  float64
	burst float64
	now   func() time.Time

	mu      sync.Mutex
	buckets map[string]*bucket
}

type bucket struct {
	left float64
	at   time.Time
}

// mostClients bounds the memory that strangers can take; beyond it full buckets are forgotten.
const mostClients = 10_000

func newRates(rate float64, burst int, now func() time.Time) *rates {
	return &rates{rate: rate, burst: float64(burst), now: now, buckets: map[string]*bucket{}}
}

// allow takes one request of a client out of its bucket.
func (r *rates) allow(client string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	b := r.buckets[client]
	if b == nil {
		r.forget(now)
		b = &bucket{left: r.burst, at: now}
		r.buckets[client] = b
	}
	b.left = r.filled(b, now)
	b.at = now
	if b.left < 1 {
		return false
	}
	b.left--
	return true
}

func (r *rates) filled(b *bucket, now time.Time) float64 {
	return min(r.burst, b.left+max(0, now.Sub(b.at).Seconds())*r.rate)
}

// forget drops clients that a fresh bucket would serve as well. If there is none, all
// begin anew: better too lenient for a moment than memory without end.
func (r *rates) forget(now time.Time) {
	if len(r.buckets) < mostClients {
		return
	}
	for client, b := range r.buckets {
		if r.filled(b, now) >= r.burst {
			delete(r.buckets, client)
		}
	}
	if len(r.buckets) >= mostClients {
		clear(r.buckets)
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
