package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"brenner/mail"
	"brenner/protocol"
)

// pulse is how often a silent stream shows that it is alive.
const pulse = 20 * time.Second

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

// events streams what happens after a cursor as server-sent events, whose ids are cursors: a
// client that comes back with the last one misses nothing.
func (a *API) events(w http.ResponseWriter, r *http.Request) {
	after, err := a.place(r)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	out := http.NewResponseController(w)
	fmt.Fprint(w, "retry: 1000\n\n")
	if out.Flush() != nil {
		return
	}
	news, done := make(chan mail.Event), make(chan struct{})
	go func() {
		defer close(done)
		a.follow(ctx, after, r.URL.Query().Get("thread"), news)
	}()
	defer func() { cancel(); <-done }()
	tick := time.NewTicker(pulse)
	defer tick.Stop()
	for {
		select {
		case e := <-news:
			writeEvent(w, e)
		case <-tick.C:
			fmt.Fprint(w, ": alive\n\n")
		case <-done:
			return
		case <-a.closing:
			return
		case <-ctx.Done():
			return
		}
		if out.Flush() != nil {
			return
		}
	}
}

// place is where the client wants to go on: after the last event it saw, or from now.
func (a *API) place(r *http.Request) (mail.Cursor, error) {
	text := r.Header.Get("Last-Event-ID")
	if text == "" {
		text = r.URL.Query().Get("after")
	}
	if text == "" {
		return a.deps.Sessions.Mail().Cursor(r.Context())
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, protocol.Errorf(protocol.Usage, "%q is no cursor", text)
	}
	return mail.Cursor(n), nil
}

func (a *API) follow(ctx context.Context, after mail.Cursor, thread string, news chan<- mail.Event) {
	for e, err := range a.deps.Sessions.Mail().Follow(ctx, after) {
		if err != nil {
			return
		}
		if thread != "" && e.Thread != thread {
			continue
		}
		select {
		case news <- e:
		case <-ctx.Done():
			return
		}
	}
}

func writeEvent(w http.ResponseWriter, e mail.Event) {
	object := eventObject{
		Kind: e.Kind, Message: e.Message, Thread: e.Thread, Agent: e.Agent, Version: e.Version, At: mail.FormatTime(e.At),
	}
	if e.Kind == mail.EventDelivery {
		object.State = e.State.String()
	}
	data, err := json.Marshal(object)
	if err != nil {
		panic(err) // plain data always encodes
	}
	fmt.Fprintf(w, "id: %d\nevent: %s\ndata: %s\n\n", e.Seq, e.Kind, data)
}
