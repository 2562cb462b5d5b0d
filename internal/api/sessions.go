package api

import (
	"net/http"

	"brenner/session"
)

type sessionList struct {
	OK       bool             `json:"ok"`
	Sessions []session.Status `json:"sessions"`
}

func (a *API) listSessions(r *http.Request) (any, error) {
	list, err := a.deps.Sessions.List(r.Context())
	return sessionList{OK: true, Sessions: list}, err
}
