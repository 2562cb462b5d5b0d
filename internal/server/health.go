package server

import (
	"context"
	"net/http"
	"sync"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

type health struct {
	Status string `json:"status"` // alive, ready or unavailable
}

// liveness says that the process answers.
func (s *Server) liveness(w http.ResponseWriter, _ *http.Request) {
	answerJSON(w, http.StatusOK, health{"alive"})
}

// readyReport is what a server that is ready says about its store.
type readyReport struct {
	Status    string `json:"status"`
	Engine    string `json:"engine"`
	Messages  int64  `json:"messages"`
	SearchLag int64  `json:"search_lag"`
}

// readiness says whether mail can be accepted: the store proves it by a small write.
func (s *Server) readiness(w http.ResponseWriter, r *http.Request) {
	status, err := s.ready.check(r.Context())
	if s.stopping.Load() {
		err = protocol.Errorf(protocol.StoreUnavailable, "the server is stopping")
	}
	if err != nil {
		answerJSON(w, http.StatusServiceUnavailable, unready{Status: "unavailable", Error: protocol.ErrorObject{
			Code: protocol.StoreUnavailable, Message: err.Error(), Findings: []protocol.Finding{},
		}})
		return
	}
	answerJSON(w, http.StatusOK, readyReport{"ready", status.Engine, status.Messages, status.Lag()})
}

type unready struct {
	Status string               `json:"status"`
	Error  protocol.ErrorObject `json:"error"`
}

func (s *Server) probe(ctx context.Context) (mail.Status, error) {
	return s.deps.Mail.Store().Status(ctx)
}

// readiness shares probes: however many clients ask, the store writes once a moment, and a probe that hangs
// delays no client beyond the patience.
type readiness struct {
	probe    func(context.Context) (mail.Status, error)
	patience time.Duration
	now      func() time.Time

	mu      sync.Mutex
	last    *probing
	workers sync.WaitGroup
}

type probing struct {
	began  time.Time
	done   chan struct{}
	status mail.Status
	err    error
}

// fresh is how long the outcome of a probe counts.
const fresh = 500 * time.Millisecond

func (r *readiness) check(ctx context.Context) (mail.Status, error) {
	p := r.current()
	timer := time.NewTimer(r.patience)
	defer timer.Stop()
	select {
	case <-p.done:
		return p.status, p.err
	case <-timer.C:
		return mail.Status{}, protocol.Errorf(protocol.StoreUnavailable, "the store did not answer within %s", r.patience)
	case <-ctx.Done():
		return mail.Status{}, ctx.Err()
	}
}

// current returns the probe that is under way or fresh, or begins one.
func (r *readiness) current() *probing {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p := r.last; p != nil {
		select {
		case <-p.done:
			if age := r.now().Sub(p.began); age >= 0 && age < fresh {
				return p
			}
		default:
			return p
		}
	}
	p := &probing{began: r.now(), done: make(chan struct{})}
	r.last = p
	// The probe ends with its own patience, whether or not the one who asked still waits.
	ctx, cancel := context.WithTimeout(context.Background(), r.patience)
	r.workers.Go(func() {
		defer cancel()
		defer close(p.done)
		p.status, p.err = r.probe(ctx)
	})
	return p
}
