package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// pulse is how often a silent stream shows that it is alive.
const pulse = 20 * time.Second

// eventsQuery is where a client wants to go on: after the last event it saw, or from now.
type eventsQuery struct {
	Thread string `query:"thread" about:"only events of this thread"`
	After  *int64 `query:"after" about:"events later than this place; from now on unless said"`
	Last   *int64 `header:"Last-Event-ID" about:"as browsers send it when they come back; wins over after"`
}

var eventsType = reflect.TypeFor[eventsQuery]()

// eventObject is an event as clients read it.
type eventObject struct {
	Kind    mail.EventKind `json:"kind"`
	Message int64          `json:"message_id"`
	Thread  string         `json:"thread_id"`
	Agent   string         `json:"agent"`
	State   string         `json:"state,omitempty"`
	Version int            `json:"version,omitempty"`
	At      string         `json:"at"`
}

// serveEvents streams what happens after a cursor as server-sent events, whose ids are cursors: a
// client that comes back with the last one misses nothing.
func (a *API) serveEvents(w http.ResponseWriter, r *http.Request) {
	q, err := decode[eventsQuery](r)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	h := w.Header()
	if r.Method == http.MethodHead { // the client would not read what follows the header
		h.Set("Content-Type", "text/event-stream")
		h.Set("Cache-Control", "no-store")
		return
	}
	follower, leave, err := a.hub.join(r.Context())
	if err != nil {
		h.Set("Retry-After", "5")
		a.fail(w, r, err)
		return
	}
	defer leave()
	after, err := q.place(r.Context(), a.hub, follower.last())
	if err != nil {
		h.Set("Retry-After", "1")
		a.fail(w, r, err)
		return
	}
	s := stream{
		w: w, out: http.NewResponseController(w), follower: follower, thread: q.Thread, who: a.deps.Caller(r.Context()), after: after,
		admitted: a.deps.Admitted, access: a.deps.Access(r.Context()),
	}
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Accel-Buffering", "no") // a proxy passes on what comes
	s.run(r.Context())
}

// place is never behind the end: a cursor of another store would wait for ever. A client that another server told
// of an event may be ahead of what is known here; then the store knows the end.
func (q *eventsQuery) place(ctx context.Context, h *hub, last mail.Cursor) (mail.Cursor, error) {
	for _, given := range []*int64{q.Last, q.After} {
		if given == nil {
			continue
		}
		place := mail.Cursor(*given)
		if place <= last {
			return place, nil
		}
		end, err := h.last(ctx)
		return min(place, max(end, last)), err
	}
	return last, nil
}

// stream is one who listens.
type stream struct {
	w        http.ResponseWriter
	out      *http.ResponseController
	follower *follower
	thread   string
	who      Caller
	after    mail.Cursor // everything up to here was looked at
	told     mail.Cursor // and the client knows it

	admitted func(context.Context) bool // nil: always
	access   mail.Access
}

// run writes until the client, the follower or the server goes.
func (s *stream) run(ctx context.Context) {
	fmt.Fprintf(s.w, "retry: 1000\nid: %d\n\n", s.after)
	s.told = s.after
	for s.out.Flush() == nil {
		wait, cancel := context.WithTimeout(ctx, pulse)
		events, err := s.follower.next(wait, s.after)
		cancel()
		switch {
		case s.admitted != nil && !s.admitted(ctx):
			return // a stream may outlive the right to listen to it
		case err == nil:
			if s.write(ctx, events) != nil {
				return
			}
		case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
			s.beat()
		default:
			return
		}
	}
}

// beat shows that the stream is alive, and where it is: who comes back later need not be told again
// what was left out.
func (s *stream) beat() {
	if s.told == s.after {
		fmt.Fprint(s.w, ": alive\n\n")
		return
	}
	fmt.Fprintf(s.w, "id: %d\n\n", s.after)
	s.told = s.after
}

func (s *stream) write(ctx context.Context, events []mail.Event) error {
	for _, e := range events {
		if s.thread != "" && e.Thread != s.thread {
			s.after = e.Seq
			continue
		}
		switch err := s.access.CheckEvent(ctx, e); {
		case protocol.CodeOf(err) == protocol.NotFound:
			s.after = e.Seq
			continue
		case err != nil:
			return err // the client comes back, and misses nothing
		}
		s.after = e.Seq
		object := eventObject{
			Kind: e.Kind, Message: e.Message, Thread: e.Thread, Agent: e.Agent, Version: e.Version, At: mail.FormatTime(e.At),
		}
		if e.Kind == mail.EventDelivery {
			object.State = e.State.String()
			if !s.who.is(e.Agent) {
				object.Agent = "" // it may have been told in confidence: bcc
			}
		}
		fmt.Fprintf(s.w, "id: %d\nevent: %s\ndata: %s\n\n", e.Seq, e.Kind, encode(object))
		s.told = s.after
	}
	return nil
}
