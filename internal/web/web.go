package web

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"brenner/protocol"
	"brenner/session"
	"brenner/transcript"
)

// Deps are what pages are made from.
type Deps struct {
	Sessions *session.Sessions
	// Viewer tells under which name a request acts, and whether it may act for everybody.
	Viewer func(ctx context.Context) Viewer
	// Presets are the rosters that the start form offers.
	Presets []protocol.Preset
	// Transcript has the numbered sections that a start can quote; nil: there are none.
	Transcript *transcript.Transcript
}

// Viewer is who looks at a page.
type Viewer struct {
	Name     string // empty: nobody in particular
	Operator bool
	SignedIn bool // by the page for it, so that it can sign out
}

// Options are the settings of the pages.
type Options struct {
	Lab     bool // forms that write are shown; whether they may is decided by the API
	Version string
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

	comparisons comparisons
}

// New makes the pages.
func New(deps Deps, options Options) *Web {
	if options.Now == nil {
		options.Now = time.Now
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
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
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
	mux.HandleFunc("GET /favicon.ico", w.assets.icon)
	mux.HandleFunc("GET /login", w.login)
	mux.HandleFunc("GET /{$}", w.page(w.sessions))
	mux.HandleFunc("GET /search", w.page(w.search))
	mux.HandleFunc("GET /start", w.page(w.start))
	w.documentRoutes(mux)
	w.threadRoutes(mux)
	mux.HandleFunc("/", w.nowhere)
	return mux
}

// nowhere answers for every address that has no page: with a page only where a browser surely asks.
// Programs probe such addresses and read what comes back (MAIL, transport), whatever they accept.
func (w *Web) nowhere(rw http.ResponseWriter, r *http.Request) {
	err := protocol.Errorf(protocol.NotFound, "there is nothing at %s", r.URL.Path)
	if strings.HasPrefix(r.Header.Get("Accept"), "text/html") && strings.HasPrefix(r.UserAgent(), "Mozilla/") {
		w.fail(rw, r, err)
		return
	}
	failPlainly(rw, err)
}
