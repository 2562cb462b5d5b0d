package web

import (
	"context"
	"log/slog"
	"net/http"
	"path"
	"strings"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/transcript"
)

// Deps are what pages are made from.
type Deps struct {
	Sessions *session.Sessions
	// Viewer tells under which name a request acts, and whether it may act for all.
	Viewer func(ctx context.Context) Viewer
	// Access is what a request may read; nil: everything.
	Access func(ctx context.Context) mail.Access
	// Presets are the rosters that the start form offers.
	Presets []protocol.Preset
	// Environment lists the variables of the server that override the roster of the start form.
	Environment []string
	// Transcript has the numbered sections that a start can quote; nil: there are none.
	Transcript *transcript.Transcript
	// Downloads makes the files of a version; nil: there are none.
	Downloads Downloads
	// Turns finds what the programs of a run did; nil: there are none.
	Turns Turns
}

// Viewer is who looks at a page.
type Viewer struct {
	Name     string // empty: anonymous
	Operator bool
	SignedIn bool // by the page for it, so that it can sign out
}

// Options are the settings of the pages.
type Options struct {
	Lab     bool // forms that write are shown; whether they may is decided by the API
	Version string
	Tour    []Stop           // that pages lead through; nil: there is none
	Now     func() time.Time // nil: the clock
	Logger  *slog.Logger     // nil: silent
}

// Web answers for every address that shows a page or holds an asset. Safe for concurrent use.
type Web struct {
	deps      Deps
	options   Options
	assets    *assets
	templates *templates
	mux       *http.ServeMux
	cache     *cache
}

// New makes the pages.
func New(deps Deps, options Options) *Web {
	if options.Now == nil {
		options.Now = time.Now
	}
	if deps.Access == nil {
		deps.Access = func(context.Context) mail.Access { return deps.Sessions.Mail().FullAccess() }
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	w := &Web{deps: deps, options: options, assets: newAssets(), cache: newCache()}
	w.templates = parseTemplates(w.assets, options.Now)
	w.mux = w.routes()
	return w
}

// ServeHTTP implements http.Handler.
func (w *Web) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	secure(rw.Header())
	if r.Method != http.MethodGet && r.Method != http.MethodHead && w.has(r) {
		rw.Header().Set("Allow", "GET, HEAD")
		w.fail(rw, r, protocol.Errorf(protocol.NotAllowed, "pages are only read; what writes is sent to /api/v1"))
		return
	}
	w.mux.ServeHTTP(rw, r)
}

// routes is the table of pages: one line each.
func (w *Web) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle("GET /assets/", w.assets)
	mux.HandleFunc("/assets", w.nowhere) // which would be led to the line above
	mux.HandleFunc("GET /favicon.ico", w.assets.icon)
	mux.HandleFunc("GET /login", w.login)
	mux.HandleFunc("GET /{$}", w.page(w.sessions))
	mux.HandleFunc("GET /now", w.changing(w.now))
	mux.HandleFunc("GET /search", w.page(w.search))
	mux.HandleFunc("GET /start", w.page(w.start))
	w.documentRoutes(mux)
	w.threadRoutes(mux)
	mux.HandleFunc("/", w.nowhere)
	return mux
}

// Serves tells whether a request gets more than the plain word that there is nothing here.
func (w *Web) Serves(r *http.Request) bool { return w.has(r) || reads(r) }

// has tells whether there is a page or a file at a request's address, for any method. An address that has to be
// cleaned first is none.
func (w *Web) has(r *http.Request) bool {
	at := r.URL.EscapedPath()
	if tidy := path.Clean(at); tidy != at && tidy+"/" != at {
		return false
	}
	_, pattern := w.mux.Handler(&http.Request{Method: http.MethodGet, URL: r.URL, Host: r.Host})
	return pattern != "/" && pattern != "/assets"
}

// reads tells whether a browser surely asks, on behalf of a reader. Programs send the same Accept.
func reads(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.HasPrefix(r.Header.Get("Accept"), "text/html") &&
		strings.HasPrefix(r.UserAgent(), "Mozilla/")
}

// nowhere answers for every address that has no page: with a page only where a browser surely asks.
// Programs probe such addresses and read what comes back (MAIL, transport), whatever they accept.
func (w *Web) nowhere(rw http.ResponseWriter, r *http.Request) {
	err := protocol.Errorf(protocol.NotFound, "there is nothing at %s", short(200, r.URL.Path))
	if reads(r) {
		w.fail(rw, r, err)
		return
	}
	failPlainly(rw, err)
}
