package mcpserver

import (
	"context"
	"net/http"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"brenner/internal/protocol"
)

// Identity is on whose behalf an HTTP request comes: an agent, which then acts for itself alone; an operator,
// who may act for all; or neither, which is anonymous.
type Identity struct {
	Name     string // of the token
	Agent    string
	Operator bool
}

// identify tells on whose behalf an HTTP request comes.
func (s *Server) identify(r *http.Request) (caller, error) {
	profile, err := s.wanted(r)
	if err != nil || s.options.Identity == nil {
		return caller{anyone: !s.options.Strict, profile: profile}, err
	}
	who, err := s.options.Identity(r)
	if err != nil {
		return caller{}, err
	}
	nobody := who.Agent == "" && !who.Operator
	c := caller{agent: who.Agent, anyone: who.Operator || nobody && !s.options.Strict, profile: profile}
	if who.Operator {
		c.operator, c.from = who.Name, r.RemoteAddr
	}
	return c, nil
}

// wanted reads from a request's address which tools its client wants to be offered: ?tools=session. It
// gets no more than the server offers.
func (s *Server) wanted(r *http.Request) (Profile, error) {
	name := r.URL.Query().Get("tools")
	if name == "" {
		return s.options.Profile, nil
	}
	p, ok := ParseProfile(name)
	if !ok {
		return p, protocol.Errorf(protocol.InvalidInput, "there is no profile of tools %q; tools is session, core or all", name)
	}
	return p, nil
}

// local is who sits at the other end of stdio: a program that this machine's user started.
func (s *Server) local() caller {
	return caller{agent: s.options.As, anyone: !s.options.Strict, local: true, profile: s.options.Profile, thread: s.options.Thread}
}

type callerKey struct{}

// introduce hands the caller through the SDK to the tools, as the bearer of a token: the SDK
// passes that on with each request, and keeps others out of the bearer's session.
func introduce(next http.Handler) http.Handler {
	known := auth.RequireBearerToken(func(ctx context.Context, _ string, _ *http.Request) (*auth.TokenInfo, error) {
		who, _ := ctx.Value(callerKey{}).(caller)
		agreed, _ := ctx.Value(handshakeKey{}).(*handshake)
		return &auth.TokenInfo{UserID: who.bearer(),
			Extra: map[string]any{callerExtra: who, goneExtra: ctx.Done(), handshakeExtra: agreed}}, nil
	}, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Authorization", "Bearer identified") // what the client sent was judged before
		known.ServeHTTP(w, r)
	})
}

// What goes along with a token.
const (
	callerExtra = "brenner.caller"
	goneExtra   = "brenner.gone"

	handshakeExtra = "brenner.handshake"
)

type handshakeKey struct{}

// handshake is told whether initialize succeeded.
type handshake struct{ done atomic.Bool }

// shaken notes that the handshake of a request over HTTP succeeded.
func shaken(extra *mcp.RequestExtra) {
	if extra == nil || extra.TokenInfo == nil {
		return
	}
	if agreed, _ := extra.TokenInfo.Extra[handshakeExtra].(*handshake); agreed != nil {
		agreed.done.Store(true)
	}
}

// callerOf finds the caller of a request that came through the SDK. Without any introduction it
// came over stdio.
func (s *Server) callerOf(extra *mcp.RequestExtra) caller {
	if extra == nil || extra.TokenInfo == nil {
		return s.local()
	}
	who, _ := extra.TokenInfo.Extra[callerExtra].(caller)
	return who
}

type goneKey struct{}

// withGone lets a call know when its client went. In a session that does not end the call, by the
// specification: a message that was asked for is sent all the same. But who waits for mail must not
// take it from a client that will ask again.
func withGone(ctx context.Context, extra *mcp.RequestExtra) context.Context {
	if extra == nil || extra.TokenInfo == nil {
		return ctx
	}
	return context.WithValue(ctx, goneKey{}, extra.TokenInfo.Extra[goneExtra])
}

// gone returns a channel that is closed when the client of a call went; nil if that cannot be told.
func gone(ctx context.Context) <-chan struct{} {
	ch, _ := ctx.Value(goneKey{}).(<-chan struct{})
	return ch
}
