package web

import (
	"net/http"
	"strconv"

	"brenner/internal/protocol"
	"brenner/internal/transcript"
)

// sectionPageView is a numbered section of the transcript.
type sectionPageView struct {
	transcript.Section
	Before, After int // its neighbours; 0: none
}

// section shows what §n refers to.
func (w *Web) section(r *http.Request) (view, error) {
	n, err := strconv.Atoi(r.PathValue("n"))
	t := w.deps.Transcript
	if err != nil || t == nil {
		return view{}, protocol.Errorf(protocol.NotFound, "there is no section %.20s of a transcript", r.PathValue("n"))
	}
	s, ok := t.Section(n)
	if !ok {
		return view{}, protocol.Errorf(protocol.NotFound, "the transcript has no section %d", n)
	}
	p := sectionPageView{Section: s}
	if _, ok := t.Section(n - 1); ok {
		p.Before = n - 1
	}
	if _, ok := t.Section(n + 1); ok {
		p.After = n + 1
	}
	return view{Template: "section", Title: "§" + strconv.Itoa(n) + " " + short(80, s.Title), Nav: "evidence", Still: true, Data: p}, nil
}
