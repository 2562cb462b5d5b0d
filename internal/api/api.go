package api

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"brenner/protocol"
	"brenner/session"
)

// Deps are what the API stands in front of.
type Deps struct {
	Sessions *session.Sessions
	// Caller tells under which name a request acts, and whether it may act for everybody.
	Caller func(ctx context.Context) Caller
	// Roster is what the project's settings say about rosters, below what a request says.
	Roster session.RosterRequest
}

// Caller is who asks.
type Caller struct {
	Name     string // empty: nobody in particular
	Operator bool
}

// Options are the settings of the API.
type Options struct {
	Lab     bool // what writes is allowed
	Version string
	Now     func() time.Time // nil: the clock
	Logger  *slog.Logger     // nil: silent
}

// API answers below /api/v1/. Safe for concurrent use. Close it to let go of those who listen.
type API struct {
	deps    Deps
	options Options
	mux     http.Handler
	closing chan struct{}
}

// New makes the API.
func New(deps Deps, options Options) *API {
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	a := &API{deps: deps, options: options, closing: make(chan struct{})}
	a.mux = http.NewCrossOriginProtection().Handler(a.routes())
	return a
}

// Close ends the streams of those who listen for events.
func (a *API) Close() { close(a.closing) }

// ServeHTTP implements http.Handler.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.mux.ServeHTTP(w, r) }

func (a *API) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/sessions", a.answer(a.listSessions))
	mux.HandleFunc("GET /api/v1/events", a.events)
	mux.HandleFunc("/api/v1/", a.answer(func(r *http.Request) (any, error) {
		return nil, protocol.Errorf(protocol.NotFound, "the API has nothing at %s", r.URL.Path)
	}))
	return mux
}
