package web

import (
	"net/http"

	"brenner/internal/evidence"
)

// sourceAct adds a source, or says where one stands.
type sourceAct struct {
	*sourcePage                   // nil: a new one
	States      []evidence.Status // that it may be marked as
	Others      []sourceName      // that may stand for it
}

// The acts on sources.
const (
	actAdd  = "add"
	actMark = "mark"
)

// addSource shows the form that adds a source.
func (w *Web) addSource(r *http.Request) (view, error) {
	p := actPage{Act: actAdd, Title: "Add a source", Back: "/evidence", Actor: w.deps.Viewer(r.Context()).actor(), Source: &sourceAct{}}
	return view{Template: "act", Title: p.Title, Nav: "evidence", Data: &p}, nil
}

// markSource shows the form that says where a source stands, beside what rests on it.
func (w *Web) markSource(r *http.Request) (view, error) {
	s, err := w.deps.Sessions.Source(r.PathValue("id"))
	if err != nil {
		return view{}, err
	}
	p := actPage{Act: actMark, Title: "Say where it stands:", Back: sourceURL(s.ID), Actor: w.deps.Viewer(r.Context()).actor(),
		Ref: refLink{Name: s.ID, Href: sourceURL(s.ID)}}
	p.Source = &sourceAct{sourcePage: &sourcePage{sourceView: newSourceView(s)}, States: evidence.Statuses}
	b := newSourceBuilder(w, r, p.Source.sourcePage)
	if err := b.rests(); err != nil {
		return view{}, err
	}
	pack, err := w.deps.Sessions.Pack()
	if err != nil {
		return view{}, err
	}
	for _, other := range pack.Sources {
		if other.ID != s.ID && len(p.Source.Others) < maxOffered {
			p.Source.Others = append(p.Source.Others, sourceName{ID: other.ID, Title: short(80, other.Title)})
		}
	}
	return view{Template: "act", Title: p.Title + " " + s.ID, Nav: "evidence", Data: &p}, nil
}
