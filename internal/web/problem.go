package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// problem is what the error page shows.
type problem struct {
	Code     protocol.Code
	Message  string
	Fix      string
	Action   *protocol.Action
	Findings []protocol.Finding
}

// failPlainly says what is wrong to a program.
func failPlainly(rw http.ResponseWriter, err error) {
	code := mail.CodeOf(err)
	data, jsonErr := json.Marshal(map[string]any{"ok": false, "error": protocol.NewErrorObject(code, err)})
	if jsonErr != nil {
		panic(jsonErr) // plain data always encodes
	}
	rw.Header().Set("Content-Type", "application/json")
	rw.Header().Set("Cache-Control", "no-store")
	rw.WriteHeader(code.Info().Class.HTTPStatus())
	_, _ = rw.Write(append(data, '\n')) // the client is gone
}

// wayOn says where to look for what is not at an address.
func wayOn(path string) string {
	switch kind, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/"); kind {
	case "t":
		return "The list of sessions has every thread; its page has every version and message."
	case "m":
		return "Search finds messages by their words."
	case "inbox":
		return "The list of inboxes has every agent."
	case "evidence":
		return "The list of sources has everything in the evidence pack."
	case "sections":
		return "The start form lists the sections of the transcript."
	}
	return "The list of sessions is a place to begin."
}

// fail shows what is wrong, and how to go on: to a person as a page, to a program as JSON.
func (w *Web) fail(rw http.ResponseWriter, r *http.Request, err error) {
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		failPlainly(rw, err)
		return
	}
	code := mail.CodeOf(err)
	info := code.Info()
	p := problem{Code: code, Message: err.Error(), Fix: info.Fix, Action: code.Action()}
	if code == protocol.NotFound {
		p.Fix, p.Action = wayOn(r.URL.Path), nil
	}
	if e, ok := errors.AsType[*protocol.Error](err); ok {
		p.Findings = e.Findings
		if e.Action != nil {
			p.Action = e.Action
		}
	}
	status := info.Class.HTTPStatus()
	if status == http.StatusInternalServerError {
		w.options.Logger.Warn("a page failed", "path", r.URL.Path, "error", err)
	}
	w.show(rw, r, view{Template: "problem", Title: "Not here", Still: true, Data: p, Status: status}, 0)
}
