package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"brenner/mail"
	"brenner/protocol"
)

// view is what a page function returns: which template shows which data.
type view struct {
	Template string // name of the file below templates, without its ending
	Title    string
	Nav      string // entry of the main navigation that is current
	Thread   string // the page changes when this thread does; empty: with any
	Data     any
	Status   int  // 0: 200
	Still    bool // nothing that happens in the project changes it
	Bare     bool // nothing of the project around it
}

// frame is what the layout shows around a view.
type frame struct {
	view
	Lab     bool
	Viewer  Viewer
	Project string
	Version string
	Cursor  mail.Cursor // the page is as of this event; live updates follow from here
	Query   string      // in the search field
}

// page turns a page function into a handler.
func (w *Web) page(make func(*http.Request) (view, error)) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		// The place in the log is taken before the data: what lands in between is shown twice, not never.
		cursor, err := w.deps.Sessions.Mail().Cursor(r.Context())
		var v view
		if err == nil {
			v, err = make(r)
		}
		if err != nil {
			w.fail(rw, r, err)
			return
		}
		w.show(rw, r, v, cursor)
	}
}

func (w *Web) show(rw http.ResponseWriter, r *http.Request, v view, cursor mail.Cursor) {
	f := frame{
		view: v, Lab: w.options.Lab, Viewer: w.deps.Viewer(r.Context()), Project: w.deps.Sessions.Mail().Project().HumanKey,
		Version: w.options.Version, Cursor: cursor,
	}
	if r.URL.Path == "/search" {
		f.Query = r.URL.Query().Get("q")
	}
	var b bytes.Buffer
	if err := w.templates.render(&b, f); err != nil {
		w.options.Logger.Error("a page cannot be rendered", "template", v.Template, "error", err)
		http.Error(rw, "the page cannot be shown", http.StatusInternalServerError)
		return
	}
	h := rw.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	if v.Status != 0 {
		rw.WriteHeader(v.Status)
	}
	_, _ = rw.Write(b.Bytes()) // whoever asked is gone
}

// problem is what the error page shows.
type problem struct {
	Code     protocol.Code
	Message  string
	Fix      string
	Findings []protocol.Finding
}

// failPlainly says what is wrong to a program.
func failPlainly(rw http.ResponseWriter, err error) {
	code := protocol.CodeOf(err)
	data, jsonErr := json.Marshal(map[string]any{
		"ok": false, "error": map[string]any{"code": code, "message": err.Error(), "findings": []protocol.Finding{}},
	})
	if jsonErr != nil {
		panic(jsonErr) // plain data always encodes
	}
	rw.Header().Set("Content-Type", "application/json")
	rw.Header().Set("Cache-Control", "no-store")
	rw.WriteHeader(code.Info().Class.HTTPStatus())
	_, _ = rw.Write(append(data, '\n')) // whoever asked is gone
}

// fail shows what is wrong, and how to go on: to a person as a page, to a program as JSON.
func (w *Web) fail(rw http.ResponseWriter, r *http.Request, err error) {
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		failPlainly(rw, err)
		return
	}
	code := protocol.CodeOf(err)
	info := code.Info()
	p := problem{Code: code, Message: err.Error(), Fix: info.Fix}
	if e, ok := errors.AsType[*protocol.Error](err); ok {
		p.Findings = e.Findings
	}
	status := info.Class.HTTPStatus()
	if status == http.StatusInternalServerError {
		w.options.Logger.Warn("a page failed", "path", r.URL.Path, "error", err)
	}
	w.show(rw, r, view{Template: "problem", Title: "Not here", Data: p, Status: status}, 0)
}
