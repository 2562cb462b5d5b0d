package web

import (
	"net/http"

	"brenner/internal/commandline"
	"brenner/internal/session"
)

// nowPage is what everyone does, and what waits for the operator.
type nowPage struct {
	ToDo   []session.ToDo
	Groups []nowGroup
	Quiet  int
}

// nowGroup is the agents of one session.
type nowGroup struct {
	ThreadID string
	Agents   []*session.Activity
}

func (w *Web) now(r *http.Request) (view, error) {
	readable, err := w.deps.Access(r.Context()).ThreadSet(r.Context())
	if err != nil {
		return view{}, err
	}
	p := nowPage{}
	if p.ToDo, err = w.deps.Sessions.ToDos(r.Context(), readable); err != nil {
		return view{}, err
	}
	for i := range p.ToDo {
		p.ToDo[i].Command = p.ToDo[i].Command.Worded(commandline.Of(p.ToDo[i].Command))
	}
	found, err := w.deps.Sessions.Activity(r.Context(), readable)
	if err != nil {
		return view{}, err
	}
	p.Quiet = found.Quiet
	for i := range found.Agents {
		a := &found.Agents[i]
		if n := len(p.Groups); n == 0 || p.Groups[n-1].ThreadID != a.ThreadID {
			p.Groups = append(p.Groups, nowGroup{ThreadID: a.ThreadID})
		}
		last := &p.Groups[len(p.Groups)-1]
		last.Agents = append(last.Agents, a)
	}
	return view{Template: "now", Title: "Now", Nav: "now", Data: p}, nil
}

// changing turns a page function into a handler of a page that is made for each look: what programs do makes no
// event.
func (w *Web) changing(look maker) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		news, err := w.deps.Sessions.Revision(r.Context(), "")
		if err != nil {
			w.failIf(rw, r, err)
			return
		}
		v, err := look(r)
		if err != nil {
			w.failIf(rw, r, err)
			return
		}
		w.show(rw, r, v, news.Cursor)
	}
}
