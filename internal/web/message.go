package web

import (
	"context"
	"net/http"
	"strings"

	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// messagePage is one message, whole.
type messagePage struct {
	mailEntry
	Actor   string
	ReplyTo *mail.Message // what it answers, if that is here
	Re      string        // subject of an answer
	Answers []string      // who gets it
	Answer  string        // its thread
	Hash    string        // of the artifact it published; empty: none
	Turn    string        // where the turn is shown in which a program wrote it; empty: none is known
}

func (w *Web) message(r *http.Request) (view, error) {
	e, views, err := w.messageEntry(r)
	if err != nil {
		return view{}, err
	}
	viewer := w.deps.Viewer(r.Context())
	rd := w.readerOf(views[e.ThreadID], alone)
	rd.viewer, rd.latest = viewer.actor(), w.covering(r.Context(), e)
	p := messagePage{
		mailEntry: rd.entry(e), Actor: viewer.actor(),
		Re: mail.ReplySubject("Re:", short(maxHeadline, e.Subject)), Answers: []string{e.From}, Answer: mail.ThreadOfReply(&e.Message),
	}
	w.tell(r.Context(), rd, &p.mailEntry, views)
	p.Turn = w.turnOf(r, &e.Message)
	if protocol.SameAgent(e.From, p.Actor) {
		p.Answers = e.To
	}
	if e.ArtifactHash != ([32]byte{}) {
		p.Hash = e.ArtifactHash.String()
	}
	if e.ReplyTo != 0 {
		if m, err := w.deps.Access(r.Context()).Message(r.Context(), e.ReplyTo); err == nil {
			p.ReplyTo = &m
		}
	}
	nav := "inbox"
	if e.ThreadID != "" {
		nav = "sessions"
	}
	return view{Template: "message", Title: short(maxHeadline, e.Subject), Nav: nav, Thread: e.ThreadID, Data: p}, nil
}

// tell adds to a message what the study of its thread knows of it. A thread that cannot be folded has none.
func (w *Web) tell(ctx context.Context, rd *reader, e *mailEntry, views map[string]*fold.View) {
	if e.ThreadID == "" || len(e.Entry.Results) == 0 && !e.Source {
		return
	}
	of, err := w.deps.Sessions.SessionAmong(ctx, views, e.ThreadID)
	if err != nil || !of.Thread.Enforced() {
		return
	}
	s, err := w.studied(of)
	if err == nil {
		rd.tell(e, s, cardMaker{e.ThreadID, w.sourceNamed})
	}
}

// messageEntry finds a message with what became of it, and the fold of its thread where it has one that can be folded.
func (w *Web) messageEntry(r *http.Request) (session.Entry, map[string]*fold.View, error) {
	id, err := idOf(r.PathValue("id"))
	if err != nil {
		return session.Entry{}, nil, err
	}
	m, err := w.deps.Sessions.Mail().Message(r.Context(), id)
	if err != nil {
		return session.Entry{}, nil, err
	}
	views := w.deps.Sessions.Views(r.Context(), []string{m.ThreadID})
	e, err := w.deps.Sessions.Entry(r.Context(), views[m.ThreadID], m)
	return e, views, err
}

// covering is the version that took a DELTA in; nil: none has yet.
func (w *Web) covering(ctx context.Context, e session.Entry) *session.Latest {
	if e.Receipt == nil || e.ThreadID == "" {
		return nil
	}
	service := w.deps.Sessions.Mail()
	found, err := service.Store().Messages(ctx, mail.MessageQuery{
		Project: service.Project().ID, Thread: e.ThreadID, Types: []protocol.MessageType{protocol.TypeCompiled}, After: e.ID, Limit: 1,
	})
	if err != nil || len(found) == 0 || found[0].Version == 0 {
		return nil // only a link is missing
	}
	return &session.Latest{Version: found[0].Version, MessageID: found[0].ID}
}

// rawMessage hands out a body as it was sent, as plain text that no browser takes for anything else.
func (w *Web) rawMessage(rw http.ResponseWriter, r *http.Request) {
	id, err := idOf(r.PathValue("id"))
	if err != nil {
		w.fail(rw, r, err)
		return
	}
	m, err := w.deps.Access(r.Context()).Message(r.Context(), id)
	if err != nil {
		w.fail(rw, r, err)
		return
	}
	h := rw.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", "private, no-cache")
	http.ServeContent(rw, r, "", m.CreatedAt, strings.NewReader(m.Body))
}
