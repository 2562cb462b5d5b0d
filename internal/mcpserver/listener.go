package mcpserver

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// primes is the first version of the protocol whose clients take an event without data: it tells them where to
// go on should the stream break at once.
const primes = "2025-11-25"

// listenPulse is how often a silent stream shows that it is alive, and is asked whether it still may be.
const listenPulse = 20 * time.Second

// maxReplayed bounds how many events are read to find out what changed while the client did not listen; beyond that
// it is taken for granted that something did.
const maxReplayed = 10_000

// listener is the stream of a session: it tells of changes of what the session subscribed to, on any
// server. The ids of what it tells are places in the store's sequence of events, so that a client can go on at any
// server. Telling twice is harmless; not telling is not.
type listener struct {
	server *Server
	who    caller
	ctx    context.Context // of the request
	stop   context.CancelFunc
	wake   chan struct{}

	mu      sync.Mutex
	wanted  map[string]mail.Cursor // every address, and where its subscription began
	fresh   []string               // of those, what is not followed yet
	gone    []string               // what is no longer wanted
	pending map[string]mail.Cursor // what has to be told, with the event that changed it

	// Of the goroutine of the request alone.
	out     *http.ResponseController
	w       http.ResponseWriter
	resume  mail.Cursor // the client knows everything up to here
	told    mail.Cursor // the last id
	project *project    // that is followed; two have no order of their own
	mixed   bool        // there are two
	follows map[string]target
}

// listen lets a client listen in its session, until it goes, the session ends or the server does.
func (g *gate) listen(w http.ResponseWriter, r *http.Request, who caller, t ticket) {
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	l := &listener{
		server: g.server, who: who, ctx: ctx, stop: stop, wake: make(chan struct{}, 1), wanted: map[string]mail.Cursor{},
		pending: map[string]mail.Cursor{}, out: http.NewResponseController(w), w: w, follows: map[string]target{},
	}
	if last, err := strconv.ParseInt(r.Header.Get("Last-Event-ID"), 10, 64); err == nil && last > 0 {
		l.resume = mail.Cursor(last)
	}
	leave, err := g.server.sessions.attach(t, l)
	if err != nil {
		w.Header().Set("Retry-After", "5")
		writeFault(w, http.StatusServiceUnavailable, nil, faultOf(err, ""))
		return
	}
	defer leave()
	defer g.server.subscriptions.drop(l)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // a proxy passes on what comes
	l.run(r.Header.Get(versionHeader) >= primes, g.server.sessions.state(ctx, t.key(), time.Now()).Subscriptions)
}

// attach makes a stream that of its session; one that was there before ends.
func (s *sessions) attach(t ticket, l *listener) (leave func(), err error) {
	key := t.key()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.local) >= s.server.options.MaxStreams && s.local[key] == nil {
		return nil, protocol.Errorf(protocol.StoreUnavailable, "%d sessions listen or wait here: too many", len(s.local))
	}
	here := s.at(key)
	if here.stream != nil {
		here.stream.end()
	}
	here.stream = l
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if here.stream == l {
			here.stream = nil
			s.tidy(key)
		}
	}, nil
}

func (l *listener) end() { l.stop() }

// want is told all subscriptions of the session.
func (l *listener) want(all map[string]mail.Cursor) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for uri, from := range all {
		if _, have := l.wanted[uri]; !have {
			l.wanted[uri] = from
			l.fresh = append(l.fresh, uri)
		}
	}
	for uri := range l.wanted {
		if _, still := all[uri]; !still {
			delete(l.wanted, uri)
			delete(l.pending, uri)
			l.gone = append(l.gone, uri)
		}
	}
	if len(l.fresh)+len(l.gone) > 0 {
		tell(l.wake, struct{}{})
	}
}

// changed is told that what an address shows was changed by an event.
func (l *listener) changed(uri string, event mail.Cursor) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, wanted := l.wanted[uri]; !wanted {
		return
	}
	l.pending[uri] = max(l.pending[uri], event)
	tell(l.wake, struct{}{})
}

// run tells what changes until the client or the server goes. With prime it first says where the stream begins.
//
//nolint:revive // only a client that can resume understands that
func (l *listener) run(prime bool, subscriptions map[string]mail.Cursor) {
	if prime {
		if news, err := l.server.projects.home.sessions.Revision(l.ctx, ""); err == nil {
			l.told = max(l.resume, news.Cursor)
			if l.resume == 0 && len(subscriptions) > 0 {
				l.told = 0 // what changed before is told first
			}
			if l.told > 0 {
				fmt.Fprintf(l.w, "id: %d\ndata: \n\n", l.told)
			}
		}
	}
	l.want(subscriptions)
	beat := time.NewTicker(listenPulse)
	defer beat.Stop()
	for l.out.Flush() == nil {
		select {
		case <-l.ctx.Done():
			return
		case <-l.server.draining.Done():
			return
		case <-beat.C:
			fmt.Fprint(l.w, ": alive\n\n")
		case <-l.wake:
		}
		if l.server.options.Admitted != nil && !l.server.options.Admitted(l.ctx) {
			return // a stream may outlive the right to listen to it
		}
		if l.renew() != nil {
			return // the client comes back, and misses nothing
		}
		l.write()
	}
}

// renew begins to follow what is wanted since, and finds out what has changed already.
func (l *listener) renew() error {
	l.mu.Lock()
	fresh, gone := l.fresh, l.gone
	from := make(map[string]mail.Cursor, len(fresh))
	for _, uri := range fresh {
		from[uri] = l.wanted[uri]
	}
	l.fresh, l.gone = nil, nil
	l.mu.Unlock()
	for _, uri := range gone {
		l.server.subscriptions.unlisten(uri, l)
	}
	for _, uri := range fresh {
		t, err := l.server.targetOf(l.ctx, l.who, uri)
		switch {
		case protocol.CodeOf(err) == protocol.StoreUnavailable:
			return err
		case err != nil:
			continue // it may not be read any more
		}
		l.mixed = l.mixed || l.project != nil && l.project != t.project
		l.project = t.project
		if err := l.server.followers.of(t.project).start(l.ctx); err != nil {
			return err
		}
		l.server.subscriptions.listen(uri, t, l)
		if err := l.replay(uri, t, max(from[uri], l.resume)); err != nil {
			return err
		}
	}
	return nil
}

// replay looks for an event after a place that changed what an address shows: it is followed from now on, and
// the client was not told what happened before.
func (l *listener) replay(uri string, t target, after mail.Cursor) error {
	n := 0
	for event, err := range t.project.mail.Since(l.ctx, after) {
		if err != nil {
			return err
		}
		if n++; n > maxReplayed {
			l.changed(uri, event.Seq)
			return nil
		}
		recipients, err := l.server.recipients(l.ctx, t, event)
		if err != nil {
			return err
		}
		if t.changedBy(event, recipients) {
			l.changed(uri, event.Seq)
			return nil
		}
	}
	return nil
}

// recipients returns who received the message of an event, if that matters for a target.
func (s *Server) recipients(ctx context.Context, t target, event mail.Event) ([]string, error) {
	if t.kind != inboxResource || event.Kind != mail.EventMessage {
		return nil, nil
	}
	return recipientsOf(ctx, t.project, event.Message)
}

func recipientsOf(ctx context.Context, p *project, message int64) (names []string, err error) {
	deliveries, err := p.mail.Store().Deliveries(ctx, mail.DeliveryQuery{Project: p.mail.Project().ID, Messages: []int64{message}})
	for i := range deliveries {
		names = append(names, deliveries[i].Agent)
	}
	return names, err
}

// write tells what is pending. The last one has the id: who is cut off before it is told again.
func (l *listener) write() {
	type change struct {
		uri   string
		event mail.Cursor
	}
	l.mu.Lock()
	var list []change
	for uri, event := range l.pending {
		list = append(list, change{uri, event})
	}
	clear(l.pending)
	l.mu.Unlock()
	slices.SortFunc(list, func(a, b change) int { return cmp.Or(cmp.Compare(a.event, b.event), cmp.Compare(a.uri, b.uri)) })
	for i, c := range list {
		data, err := encode(notification{"2.0", "notifications/resources/updated", &mcp.ResourceUpdatedNotificationParams{URI: c.uri}})
		if err != nil {
			continue // an address that was subscribed to encodes
		}
		if i == len(list)-1 && c.event > l.told && !l.mixed {
			l.told = c.event
			fmt.Fprintf(l.w, "id: %d\n", c.event)
		}
		fmt.Fprintf(l.w, "event: message\ndata: %s\n\n", data)
	}
}

type notification struct {
	Version string `json:"jsonrpc"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}

// subscribeIn is resources/subscribe in a session.
func (s *Server) subscribeIn(ctx context.Context, who caller, t ticket, uri string) error {
	at, err := s.targetOf(ctx, who, uri)
	if err != nil {
		return faultOf(err, uri)
	}
	news, err := at.project.sessions.Revision(ctx, "")
	if err == nil {
		err = s.sessions.subscribe(ctx, t, uri, news.Cursor)
	}
	if err != nil {
		return faultOf(err, uri)
	}
	return nil
}

// sessionFault answers a request in a session that cannot be served.
func sessionFault(w http.ResponseWriter, err error) {
	switch protocol.CodeOf(err) {
	case protocol.NotFound:
		writeFault(w, http.StatusNotFound, nil, newFault(sessionNotFound, "%v", err))
	case protocol.NotAllowed:
		writeFault(w, http.StatusForbidden, nil, newFault(jsonrpc.CodeInvalidRequest, "%v", err))
	default:
		writeFault(w, http.StatusServiceUnavailable, nil, faultOf(err, ""))
	}
}
