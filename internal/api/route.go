package api

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"brenner/internal/protocol"
	"brenner/internal/usecase"
)

const prefix = "/api/v1"

// effect is what a request does to the project.
type effect uint8

const (
	shows   effect = iota // reads
	judges                // takes a text and says what is to be said about it; stores nothing
	acts                  // writes what an agent may do as itself
	governs               // writes what belongs to the operator
)

func (e effect) writes() bool { return e == acts || e == governs }

// route is a row of the table from which both the handlers and the OpenAPI document are made.
type route struct {
	method  string
	path    string // below prefix
	effect  effect
	about   string
	in, out reflect.Type // out is nil for what answers for itself
	media   string       // of an answer that is not JSON
	handle  func(a *API, w http.ResponseWriter, r *http.Request)
}

// paths are the addresses of a route: the API itself has one with a slash behind it too.
func (rt *route) paths() []string {
	if rt.path == "" {
		return []string{"", "/{$}"}
	}
	return []string{rt.path}
}

// handler answers a request that was decoded.
type handler[In, Out any] func(a *API, ctx context.Context, who Caller, in In) (Out, error)

// get is a route that reads.
func get[In, Out any](path, about string, do handler[In, Out]) route {
	return route{
		method: http.MethodGet, path: path, about: about, in: reflect.TypeFor[In](), out: reflect.TypeFor[Out](),
		handle: func(a *API, w http.ResponseWriter, r *http.Request) {
			in, err := decode[In](r)
			if err == nil {
				err = a.mayRead(r)
			}
			if err != nil {
				a.fail(w, r, err)
				return
			}
			out, err := do(a, r.Context(), a.deps.Caller(r.Context()), in)
			a.reply(w, r, out, err)
		},
	}
}

// post is a route that takes a JSON object.
func post[In, Out any](e effect, path, about string, do handler[In, Out]) route {
	return writing(e, route{path: path, about: about, in: reflect.TypeFor[In](), out: reflect.TypeFor[Out]()},
		func(a *API, ctx context.Context, who Caller, in reflect.Value) (any, error) {
			return do(a, ctx, who, in.Interface().(In))
		})
}

// writing completes a route that takes a JSON object with what does it.
func writing(e effect, rt route, do func(a *API, ctx context.Context, who Caller, in reflect.Value) (any, error)) route {
	rt.method, rt.effect = http.MethodPost, e
	rt.handle = func(a *API, w http.ResponseWriter, r *http.Request) {
		who, in := a.deps.Caller(r.Context()), reflect.New(rt.in).Elem()
		err := decodeInto(r, in)
		earnest := e.writes() && !usecase.IsTrial(in.Interface())
		// The gate comes first: who may not write learns that, whatever they sent.
		if e.writes() && (err != nil || earnest) {
			if closed := a.mayWrite(who, e); closed != nil {
				a.fail(w, r, closed)
				return
			}
		}
		if err == nil {
			err = a.mayRead(r)
		}
		if err == nil && earnest {
			err = a.account(r, who, in)
		}
		if err != nil {
			a.fail(w, r, err)
			return
		}
		answer := func(ctx context.Context, w http.ResponseWriter) {
			out, err := do(a, ctx, who, in)
			a.reply(w, r, out, err)
		}
		if earnest { // a trial is nothing to be remembered: the real thing may follow under its key
			a.once(w, r, who, in.Interface(), answer)
			return
		}
		answer(r.Context(), w)
	}
	return rt
}

// mayRead refuses threads and messages in an address that do not exist for the caller.
func (a *API) mayRead(r *http.Request) error {
	return a.deps.Access(r.Context()).CheckAddress(r.Context(), r.PathValue("thread"), r.PathValue("id"))
}

func (a *API) reply(w http.ResponseWriter, r *http.Request, out any, err error) {
	if err != nil {
		a.fail(w, r, err)
		return
	}
	write(w, http.StatusOK, succeeded(out))
}

// mux registers the table. What is not in it is answered as JSON too.
func (a *API) mux() *http.ServeMux {
	mux := http.NewServeMux()
	methods := map[string][]string{}
	for _, rt := range routes() {
		for _, path := range rt.paths() {
			mux.HandleFunc(rt.method+" "+prefix+path, func(w http.ResponseWriter, r *http.Request) { rt.handle(a, w, r) })
			methods[path] = append(methods[path], rt.method)
		}
	}
	for path, known := range methods {
		allow := strings.Join(known, ", ")
		if known[0] == http.MethodGet {
			allow = strings.Replace(allow, "GET", "GET, HEAD", 1)
		}
		mux.HandleFunc(prefix+path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Allow", allow)
			a.fail(w, r, statusError{protocol.Errorf(protocol.Usage, "%s is not answered at %s, only %s", r.Method, r.URL.Path, allow),
				http.StatusMethodNotAllowed})
		})
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		a.fail(w, r, protocol.Errorf(protocol.NotFound, "the API has nothing at %s; %s/openapi.json lists what it has",
			protocol.Brief(r.URL.Path), prefix))
	})
	return mux
}
