package api

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// onceNote is the kind of the notes that remember what became of writes that named an Idempotency-Key, so that
// a client that never saw the answer may ask again, any server of the store, also after a restart. Mail keeps its keys
// for good beside them.
const onceNote mail.NoteKind = "api.once"

// How long a request is taken to be under way after the last sign of its server, how often another looks whether it
// is over, and how long its answer is kept. Larger answers are not.
const (
	onceAlive = 6 * time.Second
	oncePause = 100 * time.Millisecond
	onceKept  = 24 * time.Hour
	onceBytes = 1 << 20
)

// replay is what such a note says.
type replay struct {
	Request string `json:"request"` // hash of what was asked
	Holder  string `json:"holder"`  // whose it is while it is under way
	Body    []byte `json:"body"`    // of an answer that succeeded
}

// once runs a write, or answers what became of it before.
func (a *API) once(w http.ResponseWriter, r *http.Request, who Caller, in any, do func(context.Context, http.ResponseWriter)) {
	key := r.Header.Get("Idempotency-Key")
	if key == "" {
		do(r.Context(), w)
		return
	}
	seal, holder := sha256.Sum256(encode(in)), rand.Text()
	mine := replay{Request: hex.EncodeToString(seal[:]), Holder: holder}
	name := sha256.Sum256([]byte(who.viewer() + "\n" + r.URL.Path + "\n" + key))
	for {
		note, there, err := a.claim(r.Context(), hex.EncodeToString(name[:]), mine)
		switch {
		case err != nil:
			a.fail(w, r, err)
			return
		case there.Holder == holder:
			a.run(w, r, note, there, do)
			return
		case there.Request != mine.Request:
			a.fail(w, r, protocol.Errorf(protocol.IdempotencyConflict, "the idempotency key was used before, for another request"))
			return
		case there.Body != nil:
			write(w, http.StatusOK, there.Body)
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-time.After(oncePause):
		}
	}
}

// claim takes a key, unless it is taken; it returns by which request.
func (a *API) claim(ctx context.Context, key string, mine replay) (mail.Note, replay, error) {
	m := a.deps.Sessions.Mail()
	note := mail.Note{Kind: onceNote, Key: key, Expires: time.Now().Add(onceAlive), Data: encode(mine)}
	kept, err := m.Store().PutNote(ctx, m.Project().ID, time.Now(), note)
	if !errors.Is(err, mail.ErrNoteChanged) {
		return kept, mine, err
	}
	there, err := m.Note(ctx, time.Now(), onceNote, key)
	if protocol.CodeOf(err) == protocol.NotFound { // it was given up just now
		return note, replay{Request: mine.Request}, nil
	}
	var holder replay
	if err == nil {
		err = json.Unmarshal(there.Data, &holder)
	}
	return there, holder, err
}

// run does what was asked, and remembers the answer. One that failed may be tried again.
func (a *API) run(w http.ResponseWriter, r *http.Request, note mail.Note, mine replay, do func(context.Context, http.ResponseWriter)) {
	hold := a.hold(context.WithoutCancel(r.Context()), note)
	rec := &recorder{ResponseWriter: w}
	defer func() {
		mine.Body = rec.answer()
		hold.end(mine)
	}()
	// What is sent on the way has a key too: should this server end before the answer is kept, another one
	// that is asked again sends nothing twice.
	do(mail.WithKey(r.Context(), "api:"+note.Key), rec)
}

// hold keeps others from a key while its request is under way.
type hold struct {
	api  *API
	ctx  context.Context
	stop context.CancelFunc
	done sync.WaitGroup
	note mail.Note
}

func (a *API) hold(ctx context.Context, note mail.Note) *hold {
	h := &hold{api: a, note: note}
	h.ctx, h.stop = context.WithCancel(ctx)
	h.done.Go(func() {
		tick := time.NewTicker(onceAlive / 3)
		defer tick.Stop()
		for {
			select {
			case <-h.ctx.Done():
				return
			case <-tick.C:
				_ = h.put(h.ctx, h.note.Data, onceAlive) // until it succeeds others may come
			}
		}
	})
	return h
}

func (h *hold) put(ctx context.Context, data []byte, lasts time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, onceAlive)
	defer cancel()
	m, now := h.api.deps.Sessions.Mail(), time.Now()
	h.note.Data, h.note.Expires = data, now.Add(lasts)
	kept, err := m.Store().PutNote(ctx, m.Project().ID, now, h.note)
	if err == nil {
		h.note = kept
	}
	return err
}

// end keeps the answer, or gives the key up if there is none.
func (h *hold) end(mine replay) {
	ctx := context.WithoutCancel(h.ctx)
	h.stop()
	h.done.Wait()
	lasts := onceKept
	if mine.Body == nil {
		lasts = 0
	}
	if err := h.put(ctx, encode(mine), lasts); err != nil {
		h.api.options.Logger.Warn("the answer to a request with a key was not kept", "error", err)
	}
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
	if w.status != http.StatusOK || w.body.Len() > onceBytes {
		return nil
	}
	return bytes.TrimSuffix(w.body.Bytes(), []byte("\n"))
}
