package server

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// reply remembers the status, and gives each piece of the answer a deadline of its own: a
// stream may last for hours, but a client may not stop reading.
type reply struct {
	http.ResponseWriter
	control  *http.ResponseController
	patience time.Duration
	linger   time.Duration // for a client that goes on sending after it was refused
	status   int
	body     io.Reader     // of the request, as far as it was not read; nil: there is none to read
	refusal  *bytes.Buffer // the answer to a body that is too large; nil: it is not
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
	if w.refusal != nil {
		return
	}
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
	}
	if status == http.StatusRequestEntityTooLarge && w.body != nil {
		w.refusal = new(bytes.Buffer) // finish sends it with its length
		return
	}
	w.hurry()
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *reply) Write(data []byte) (int, error) {
	if w.refusal != nil {
		return w.refusal.Write(data)
	}
	if w.status == 0 {
		w.status = http.StatusOK
	}
	w.hurry()
	return w.ResponseWriter.Write(data)
}

// Flush implements http.Flusher, for handlers that ask for it directly.
func (w *reply) Flush() {
	if w.refusal != nil {
		return
	}
	w.hurry()
	_ = w.control.Flush() // a connection that cannot be flushed buffers
}

// hurry sets the deadline of what is written next. Where there is no connection (tests with
// a recorder) there is none.
func (w *reply) hurry() { _ = w.control.SetWriteDeadline(time.Now().Add(w.patience)) }

// finish is called when the handler is done.
func (w *reply) finish() {
	w.hurry() // what the handler left to be written
	if w.refusal != nil {
		w.refuse()
		w.drain()
	}
}

// refuse tells a client at once that its body is too large: it may wait for the answer before it sends any of it.
func (w *reply) refuse() {
	_ = w.control.EnableFullDuplex() // the answer does not wait for the body
	w.Header().Set("Connection", "close")
	w.Header().Set("Content-Length", strconv.Itoa(w.refusal.Len()))
	w.ResponseWriter.WriteHeader(w.status)
	_, _ = w.ResponseWriter.Write(w.refusal.Bytes()) // the client is gone
	_ = w.control.Flush()
}

// How long a client that was refused may be silent, and how much it may go on sending, before it is no longer listened to.
const (
	pause      = 2 * time.Second
	maxDrained = 256 << 20
)

// drain throws away what a client goes on sending, for a while. Many read the answer only after they have sent everything, and
// to close a connection with something unread resets it: the answer would be lost.
func (w *reply) drain() {
	piece, end := make([]byte, 32<<10), time.Now().Add(w.linger)
	for left := maxDrained; left > 0; {
		if w.control.SetReadDeadline(earlier(end, time.Now().Add(pause))) != nil {
			return // a recorder has no connection to keep
		}
		n, err := w.body.Read(piece)
		if err != nil {
			return
		}
		left -= n
	}
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
