package mcpserver

import (
	"context"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// subscriptions remember which resources clients want to hear of. The SDK notifies by the exact
// address that was subscribed to; this is what each address means.
type subscriptions struct {
	server *Server
	mu     sync.Mutex
	byURI  map[string]*subscription
}

type subscription struct {
	target    target
	sessions  map[*mcp.ServerSession]bool // of the SDK
	listeners map[*listener]bool          // of sessions over HTTP
}

// target is what a resource shows, as far as events can change it.
type target struct {
	project *project
	kind    resourceKind
	name    string // a thread, or an agent
	version int    // of an artifact; 0: the latest
}

// subscribe notes an address and sees to it that its project is followed.
func (s *subscriptions) subscribe(ctx context.Context, req *mcp.SubscribeRequest) error {
	who, known := ctx.Value(callerKey{}).(caller)
	if !known {
		who = s.server.callerOf(req.Extra)
	}
	t, err := s.server.targetOf(ctx, who, req.Params.URI)
	if err != nil {
		return faultOf(err, req.Params.URI)
	}
	if err := s.server.followers.of(t.project).start(ctx); err != nil {
		return faultOf(err, req.Params.URI)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prune()
	s.at(req.Params.URI, t).sessions[req.Session] = true
	return nil
}

// at returns what is known about an address. The lock is held.
func (s *subscriptions) at(uri string, t target) *subscription {
	if s.byURI[uri] == nil {
		s.byURI[uri] = &subscription{t, map[*mcp.ServerSession]bool{}, map[*listener]bool{}}
	}
	return s.byURI[uri]
}

// listen has a listener hear of an address.
func (s *subscriptions) listen(uri string, t target, l *listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at(uri, t).listeners[l] = true
}

// unlisten ends that.
func (s *subscriptions) unlisten(uri string, l *listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sub := s.byURI[uri]; sub != nil {
		delete(sub.listeners, l)
		if len(sub.sessions)+len(sub.listeners) == 0 {
			delete(s.byURI, uri)
		}
	}
}

// drop forgets a listener.
func (s *subscriptions) drop(l *listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for uri, sub := range s.byURI {
		delete(sub.listeners, l)
		if len(sub.sessions)+len(sub.listeners) == 0 {
			delete(s.byURI, uri)
		}
	}
}

func (s *subscriptions) unsubscribe(_ context.Context, req *mcp.UnsubscribeRequest) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sub := s.byURI[req.Params.URI]; sub != nil {
		delete(sub.sessions, req.Session)
	}
	s.prune()
	return nil
}

// prune forgets sessions that ended; the SDK does not tell.
func (s *subscriptions) prune() {
	alive := map[*mcp.ServerSession]bool{}
	for session := range s.server.sdk.Sessions() {
		alive[session] = true
	}
	for uri, sub := range s.byURI {
		for session := range sub.sessions {
			if !alive[session] {
				delete(sub.sessions, session)
			}
		}
		if len(sub.sessions)+len(sub.listeners) == 0 {
			delete(s.byURI, uri)
		}
	}
}

// wantInbox tells whether a client listens to an inbox of the project: only then it is worth
// asking who received a message.
func (s *subscriptions) wantInbox(p *project) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sub := range s.byURI {
		if sub.target.kind == inboxResource && sub.target.project == p {
			return true
		}
	}
	return false
}

// announce tells subscribers that what they look at has changed.
func (s *subscriptions) announce(ctx context.Context, p *project, event mail.Event, recipients []string) {
	s.mu.Lock()
	var changed []string
	for uri, sub := range s.byURI {
		if sub.target.project != p || !sub.target.changedBy(event, recipients) {
			continue
		}
		if len(sub.sessions) > 0 {
			changed = append(changed, uri)
		}
		for l := range sub.listeners {
			l.changed(uri, event.Seq)
		}
	}
	s.mu.Unlock()
	for _, uri := range changed {
		if err := s.server.sdk.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}); err != nil {
			s.server.options.Logger.Warn("a subscriber could not be told", "uri", uri, "error", err)
		}
	}
}

func (t *target) changedBy(event mail.Event, recipients []string) bool {
	switch t.kind {
	case artifactResource:
		return event.Kind == mail.EventCompiled && event.Thread == t.name && (t.version == 0 || t.version == event.Version)
	case threadResource:
		return event.Kind == mail.EventMessage && event.Thread == t.name
	case inboxResource:
		return slices.ContainsFunc(recipients, func(name string) bool { return protocol.SameAgent(name, t.name) })
	default:
		return false
	}
}
