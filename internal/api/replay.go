package api

import (
	"bytes"
	"crypto/sha256"
	"net/http"
	"sync"

	"brenner/protocol"
)

// The bounds of what is remembered about requests with a key.
const (
	keptAnswers = 1024
	keptBytes   = 32 << 20
)

// replays remember what became of writes that named an Idempotency-Key, so that a client that never saw
// the answer may ask again. They last as long as the server; mail keeps its keys for good beside them.
type replays struct {
	mu    sync.Mutex
	by    map[replayKey]*replayed
	order []replayKey // oldest first
	bytes int         // of all bodies
}

// replayKey stands for a caller, an address and a key, which may be long.
type replayKey [sha256.Size]byte

// replayed is a write under way, or done.
type replayed struct {
	key     replayKey
	request [sha256.Size]byte
	done    chan struct{}
	body    []byte // of an answer that succeeded; nil: it failed, and may be tried again
}

// once runs a write, or answers what became of it before.
func (a *API) once(w http.ResponseWriter, r *http.Request, who Caller, in any, do func(http.ResponseWriter)) {
	key := r.Header.Get("Idempotency-Key")
	if key == "" {
		do(w)
		return
	}
	seal := sha256.Sum256(encode(in))
	for {
		mine, entry := a.replays.claim(sha256.Sum256([]byte(who.viewer()+"\n"+r.URL.Path+"\n"+key)), seal)
		if mine {
			rec := &recorder{ResponseWriter: w}
			defer func() { a.replays.finish(entry, rec.answer()) }()
			do(rec)
			return
		}
		if entry.request != seal {
			a.fail(w, r, protocol.Errorf(protocol.IdempotencyConflict, "the idempotency key was used before, for another request"))
			return
		}
		select {
		case <-entry.done:
		case <-r.Context().Done():
			return
		}
		if entry.body != nil {
			write(w, http.StatusOK, entry.body)
			return
		}
	}
}

// claim takes a key, or returns who has it. One whose write failed is free again.
func (p *replays) claim(key replayKey, request [sha256.Size]byte) (bool, *replayed) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if entry := p.by[key]; entry != nil && !entry.failed() {
		return false, entry
	}
	if p.by == nil {
		p.by = map[replayKey]*replayed{}
	}
	p.forget()
	if p.by[key] == nil {
		p.order = append(p.order, key)
	}
	p.by[key] = &replayed{key: key, request: request, done: make(chan struct{})}
	return true, p.by[key]
}

// forget drops the oldest answers until the rest is within bounds.
func (p *replays) forget() {
	for len(p.order) >= keptAnswers || p.bytes > keptBytes {
		p.bytes -= len(p.by[p.order[0]].body)
		delete(p.by, p.order[0])
		p.order = p.order[1:]
	}
}

func (e *replayed) failed() bool {
	select {
	case <-e.done:
		return e.body == nil
	default:
		return false
	}
}

func (p *replays) finish(e *replayed, body []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e.body = body
	if p.by[e.key] == e { // else it was forgotten meanwhile
		p.bytes += len(body)
	}
	close(e.done)
}

// recorder keeps a copy of an answer.
type recorder struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// WriteHeader implements http.ResponseWriter.
func (w *recorder) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *recorder) Write(data []byte) (int, error) {
	w.body.Write(data)
	return w.ResponseWriter.Write(data)
}

func (w *recorder) answer() []byte {
	if w.status != http.StatusOK {
		return nil
	}
	return bytes.TrimSuffix(w.body.Bytes(), []byte("\n"))
}
