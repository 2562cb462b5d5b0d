package server

import (
	"errors"
	"io"
	"net/http"
	"runtime/debug"
	"time"

	"brenner/internal/protocol"
)

// gated checks Host and Origin, then hands the request to its route.
func (s *Server) gated(find func(*http.Request) (route, http.Handler)) func(http.ResponseWriter, *http.Request) route {
	return func(w http.ResponseWriter, r *http.Request) route {
		at, next := find(r)
		err := s.gate.check(r)
		if err == nil {
			r, err = s.proxies.resolve(r)
		}
		if err == nil && at == routeMCP {
			err = checkSite(r)
		}
		if err != nil {
			refuse(w, err, http.StatusForbidden)
			return at
		}
		s.bodied(next).ServeHTTP(w, r)
		return at
	}
}

// observed counts requests, gives slow readers a deadline, and keeps a defect in one handler from
// looking like a broken connection.
func (s *Server) observed(next func(http.ResponseWriter, *http.Request) route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reply := &reply{ResponseWriter: w, control: http.NewResponseController(w), patience: s.options.Limits.Write,
			linger: s.options.Limits.BodyTime, body: unread(r)}
		at := routeNotFound
		inert(w.Header())
		s.metrics.begin()
		defer func() {
			fault := recover()
			answered := reply.status != 0
			if fault != nil {
				s.rescue(reply, r, fault)
			}
			reply.finish()
			s.metrics.end(at, reply.status)
			if fault != nil && answered {
				panic(http.ErrAbortHandler) // half an answer must not look like a whole one
			}
		}()
		at = next(reply, r)
	})
}

// inert lets no browser make more of an answer than data. Pages, which are more, say so themselves.
func inert(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
}

// rescue answers for a handler that panicked, unless it has begun to.
func (s *Server) rescue(w *reply, r *http.Request, fault any) {
	if given, ok := fault.(error); !ok || !errors.Is(given, http.ErrAbortHandler) {
		s.options.Logger.Error("a handler panicked", "path", r.URL.Path, "panic", fault, "stack", string(debug.Stack()))
	}
	if w.status == 0 {
		answerError(w, http.StatusInternalServerError, protocol.Internal, "the request failed inside the server")
	}
}

// bodied bounds the size of a request and the time it may take to arrive.
func (s *Server) bodied(next http.Handler) http.Handler {
	limits := s.options.Limits
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		control := http.NewResponseController(w)
		_ = control.SetReadDeadline(time.Now().Add(limits.BodyTime)) // a recorder has none
		if r.ContentLength > limits.Body {
			tooLarge(w, limits.Body)
			return
		}
		r.Body = &timedBody{http.MaxBytesReader(w, r.Body, limits.Body), control}
		next.ServeHTTP(w, r)
	})
}

// timedBody is a body with a deadline, which ends with it: the handler may take its time
// afterwards.
type timedBody struct {
	io.ReadCloser
	control *http.ResponseController
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

func tooLarge(w http.ResponseWriter, limit int64) {
	w.Header().Set("Connection", "close") // the rest is not read
	answerError(w, http.StatusRequestEntityTooLarge, protocol.MessageTooLarge,
		"the request is larger than this server takes: "+bytesText(limit))
}
