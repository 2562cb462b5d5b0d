package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

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
	Near     *refLink // what was probably meant; nil: nothing is near
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
		return "The list of questions has all of them; the page of a question has every version and message."
	case "m":
		return "Search finds messages by their words."
	case "inbox":
		return "The inbox lists every agent."
	case "evidence":
		return "The list of sources has everything in the evidence pack."
	case "sections":
		return "The start form lists the sections of the transcript."
	}
	return "The list of questions is a place to begin."
}

// navOf is the entry of the main navigation that a place belongs to.
func navOf(path string) string {
	switch kind, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/"); kind {
	case "inbox", "compose":
		return "inbox"
	case "evidence", "sections":
		return "evidence"
	case "now", "genealogy":
		return kind
	}
	return "sessions"
}

// sentence writes what a program says as a person would: with a capital, and a full stop.
func sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if text == "" || size == 0 {
		return text
	}
	text = string(unicode.ToUpper(first)) + text[size:]
	if strings.ContainsAny(text[len(text)-1:], ".!?") {
		return text
	}
	return text + "."
}

// near finds the question or the agent that an address was probably meant to name.
func (w *Web) near(r *http.Request) *refLink {
	kind, typed, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	typed, _, _ = strings.Cut(typed, "/")
	var names []string
	href := threadURL
	if len(typed) > maxTyped {
		return nil
	}
	switch kind {
	case "t":
		threads, err := w.deps.Access(r.Context()).LatestThreads(r.Context(), maxNear)
		if err != nil {
			return nil
		}
		for _, t := range threads {
			names = append(names, t.ID)
		}
	case "inbox":
		href = agentURL
		agents, err := w.deps.Sessions.Mail().Agents(r.Context())
		if err != nil {
			return nil
		}
		for _, a := range agents[:min(len(agents), maxNear)] {
			names = append(names, a.Name)
		}
	}
	best, least := "", 1+len(typed)/4
	for _, name := range names {
		if d := protocol.EditDistance(strings.ToLower(typed), strings.ToLower(name)); d < least {
			best, least = name, d
		}
	}
	if best == "" {
		return nil
	}
	return &refLink{Name: best, Href: href(best)}
}

// What is compared with an address that leads nowhere.
const (
	maxNear  = 500
	maxTyped = 200
)

// fail shows what is wrong, and how to go on: to a person as a page, to a program as JSON.
func (w *Web) fail(rw http.ResponseWriter, r *http.Request, err error) {
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		failPlainly(rw, err)
		return
	}
	code := mail.CodeOf(err)
	info := code.Info()
	p := problem{Code: code, Message: sentence(err.Error()), Fix: info.Fix, Action: code.Action()}
	if code == protocol.NotFound {
		p.Fix, p.Action, p.Near = wayOn(r.URL.Path), nil, w.near(r)
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
	w.show(rw, r, view{Template: "problem", Title: "Not here", Nav: navOf(r.URL.Path), Still: true, Data: p, Status: status}, 0)
}
