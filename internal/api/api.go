package api

import (
	"context"
	"log/slog"
	"net/http"
	"path"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// Deps are what the API serves.
type Deps struct {
	Sessions *session.Sessions
	// Caller tells under which name a request acts, and whether it may act for all.
	Caller func(ctx context.Context) Caller
	// Access is what a request may read; nil: everything.
	Access func(ctx context.Context) mail.Access
	// Admitted tells whether a request that lasts would still be let in; nil: always.
	Admitted func(ctx context.Context) bool
	// Roster is what the project's settings say about rosters, below what a request says.
	Roster session.RosterRequest
	// Cosign signs a colleague's checkpoint; nil: nobody does.
	Cosign func(CheckpointFile) (CheckpointFile, error)
	// Sources changes the evidence pack; nil: nothing does.
	Sources Sources
}

// Options are the settings of the API.
type Options struct {
	Lab     bool // what writes is allowed
	Remote  bool // other machines can reach the server: writing takes the operator's token
	Version string
	Now     func() time.Time // nil: the clock
	Logger  *slog.Logger     // nil: silent
	// Listeners is how many may listen to events at a time; 0: 256.
	Listeners int
}

// API answers below /api/v1/. Safe for concurrent use. Close it to let go of those who listen.
type API struct {
	deps     Deps
	options  Options
	handler  http.Handler
	routes   *http.ServeMux
	hub      *hub
	document []byte // OpenAPI
	palette  palette
}

// New makes the API.
func New(deps Deps, options Options) *API {
	if options.Now == nil {
		options.Now = time.Now
	}
	if deps.Access == nil {
		deps.Access = func(context.Context) mail.Access { return deps.Sessions.Mail().FullAccess() }
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	if options.Listeners == 0 {
		options.Listeners = defaultListeners
	}
	a := &API{deps: deps, options: options, hub: newHub(deps.Sessions, options.Listeners)}
	a.document = document(routes(), options.Version)
	a.routes = a.mux()
	a.handler = a.ownSite(a.routes)
	return a
}

// Close ends the streams of those who listen for events, and waits for what follows them.
func (a *API) Close() { a.hub.close() }

// ServeHTTP implements http.Handler.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.handler.ServeHTTP(w, r) }

// Has tells whether there is something at a request's address, for any method. One that has to be cleaned first is none.
func (a *API) Has(r *http.Request) bool {
	at := r.URL.EscapedPath()
	if tidy := path.Clean(at); tidy != at && tidy+"/" != at {
		return false
	}
	_, pattern := a.routes.Handler(&http.Request{Method: http.MethodGet, URL: r.URL, Host: r.Host})
	return pattern != "/"
}

// ownSite refuses what a page of another site made a browser send.
func (a *API) ownSite(next http.Handler) http.Handler {
	guard := http.NewCrossOriginProtection()
	guard.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.fail(w, r, protocol.Errorf(protocol.NotAllowed, "a page of another site sent this request: only pages of this server may write"))
	}))
	return guard.Handler(next)
}
