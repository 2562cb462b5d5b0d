package web

import (
	"net/http"

	"brenner/session"
)

// sessionsPage is the list of all sessions.
type sessionsPage struct {
	Sessions []session.Status
}

// sessions shows every session of the project, most recently active first.
func (w *Web) sessions(r *http.Request) (view, error) {
	list, err := w.deps.Sessions.List(r.Context())
	if err != nil {
		return view{}, err
	}
	return view{Template: "sessions", Title: "Sessions", Nav: "sessions", Data: sessionsPage{Sessions: list}}, nil
}
