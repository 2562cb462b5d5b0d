package api

import (
	"context"
	"net/http"
	"reflect"

	"brenner/internal/usecase"
)

// declaredRoutes are the reads of the science, made from their declarations: below a session, and for the whole project where the
// request need not name a thread.
func declaredRoutes() []route {
	var list []route
	for _, c := range usecase.Science() {
		list = append(list, declared(c, c.Route()))
		if c.Anyhow {
			list = append(list, declared(c, "/"+c.Name))
		}
	}
	return list
}

// declared makes a route of a declared read.
func declared(c *usecase.Case, path string) route {
	return route{
		method: http.MethodGet, path: path, about: c.About, in: c.Request, out: c.Answer,
		handle: func(a *API, w http.ResponseWriter, r *http.Request) {
			in := reflect.New(c.Request).Elem()
			err := decodeInto(r, in)
			if err == nil {
				err = a.mayRead(r)
			}
			if err != nil {
				a.fail(w, r, err)
				return
			}
			out, err := a.ask(r.Context(), c, r.PathValue("thread"), in.Interface())
			a.reply(w, r, out, err)
		},
	}
}

// ask does a declared use case.
func (a *API) ask(ctx context.Context, c *usecase.Case, thread string, in any) (any, error) {
	at := usecase.At{Sessions: a.deps.Sessions}
	var err error
	if thread != "" {
		at.Session, err = a.deps.Sessions.Session(ctx, thread)
	} else {
		at.Readable, err = a.deps.Access(ctx).ThreadSet(ctx)
	}
	if err != nil {
		return nil, err
	}
	return c.Do(ctx, at, in)
}
