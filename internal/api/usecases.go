package api

import (
	"context"
	"net/http"
	"reflect"

	"brenner/internal/usecase"
)

// declaredRoutes are made from declarations: below a session, and for the whole project where the request need not name a thread.
func declaredRoutes() []route {
	var list []route
	for _, c := range usecase.All() {
		if c.Effect != usecase.Reads {
			list = append(list, declaredWrite(c))
			continue
		}
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

// effects are what declared use cases that write do, in the words of this table.
var effects = map[usecase.Effect]effect{usecase.Acts: acts, usecase.Governs: governs}

// declaredWrite makes a route of a declared use case that writes.
func declaredWrite(c *usecase.Case) route {
	return writing(effects[c.Effect], route{path: c.Route(), about: c.About, in: c.Request, out: c.Answer},
		func(a *API, ctx context.Context, who Caller, in reflect.Value) (any, error) {
			if err := a.setActor(ctx, who, c, in); err != nil {
				return nil, err
			}
			out, err := c.Do(ctx, usecase.At{Sessions: a.deps.Sessions}, in.Interface())
			if receipt := usecase.ReceiptOf(out); err != nil && receipt != nil {
				err = refused{err, receipt}
			}
			return out, err
		})
}

// setActor fills in who acts. In a trial nobody does, and whose name it gives has to be the caller's all the same.
func (a *API) setActor(ctx context.Context, who Caller, c *usecase.Case, in reflect.Value) error {
	trial := usecase.IsTrial(in.Interface())
	for _, f := range c.Fields() {
		if name := in.Field(f.Index); f.Actor && trial && name.String() != "" {
			if err := who.mayAct(name.String()); err != nil {
				return err
			}
		} else if f.Actor && !trial {
			as, err := a.actor(ctx, who, name.String())
			if err != nil {
				return err
			}
			in.Field(f.Index).SetString(as)
		}
	}
	return nil
}

// ask does a declared use case.
func (a *API) ask(ctx context.Context, c *usecase.Case, thread string, in any) (any, error) {
	at, err := c.At(ctx, a.deps.Sessions, thread)
	if err == nil && c.Anyhow && thread == "" {
		at.Readable, err = a.deps.Access(ctx).ThreadSet(ctx)
	}
	if err != nil {
		return nil, err
	}
	return c.Do(ctx, at, in)
}
