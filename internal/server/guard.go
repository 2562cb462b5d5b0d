package server

import (
	"errors"
	"io"
	"net/http"
	"runtime/debug"
	"strings"
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
		reply := &reply{ResponseWriter: w, control: http.NewResponseController(w), patience: s.options.Limits.Write, body: unread(r)}
		at := routeNotFound
		inert(w.Header())
		s.metrics.begin()
		defer func() {
			fault := recover()
			answered := reply.status != 0
			if fault != nil {
				s.rescue(reply, r, fault)
			}
			reply.hurry() // what the handler left to be written
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

// reply remembers the status, and gives each piece of the answer a deadline of its own: a
// stream may last for hours, but a client may not stop reading.
type reply struct {
	http.ResponseWriter
	control  *http.ResponseController
	patience time.Duration
	status   int
	body     io.Reader // of the request, as far as it was not read; nil: there is none to read
}

// unread is the body of a request. One that its client sends only if it is wanted is not waited for.
func unread(r *http.Request) io.Reader {
	if r.Body == nil || r.Body == http.NoBody || strings.EqualFold(r.Header.Get("Expect"), "100-continue") {
		return nil
	}
	return r.Body
}

// Unwrap lets response controllers reach the connection.
func (w *reply) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w *reply) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
	}
	if status == http.StatusRequestEntityTooLarge && w.body != nil {
		// Most clients read the answer after they have sent everything. To close before that would reset
		// the connection. The body has its deadline, and what is thrown away costs no memory.
		_, _ = io.Copy(io.Discard, w.body)
	}
	w.hurry()
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *reply) Write(data []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	w.hurry()
	return w.ResponseWriter.Write(data)
}

// Flush implements http.Flusher, for handlers that ask for it directly.
func (w *reply) Flush() {
	w.hurry()
	_ = w.control.Flush() // a connection that cannot be flushed buffers
}

// hurry sets the deadline of what is written next. Where there is no connection (tests with
// a recorder) there is none.
func (w *reply) hurry() { _ = w.control.SetWriteDeadline(time.Now().Add(w.patience)) }

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
