package web

import (
	"fmt"
	"net/http"

	"brenner/session"
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
	Agents   []nowAgent
}

// nowAgent is an agent as the page writes it.
type nowAgent struct {
	session.Activity
	Left, Age, CPU, Tokens string
}

func (w *Web) now(r *http.Request) (view, error) {
	readable, err := w.deps.Access(r.Context()).ThreadSet(r.Context())
	if err != nil {
		return view{}, err
	}
	p := nowPage{}
	if p.ToDo, err = w.deps.Sessions.ToDos(r.Context(), "", readable); err != nil {
		return view{}, err
	}
	found, err := w.deps.Sessions.Activity(r.Context(), "", readable)
	if err != nil {
		return view{}, err
	}
	p.Quiet = found.Quiet
	for _, a := range found.Agents {
		if n := len(p.Groups); n == 0 || p.Groups[n-1].ThreadID != a.ThreadID {
			p.Groups = append(p.Groups, nowGroup{ThreadID: a.ThreadID})
		}
		last := &p.Groups[len(p.Groups)-1]
		last.Agents = append(last.Agents, nowAgent{a, spanText(a.LeftS), spanText(a.OutputAgeS), percentText(a.CPUPercent), tokensText(a.Usage)})
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

// spanText is a time in seconds in the largest unit that fits.
func spanText(seconds *int64) string {
	if seconds == nil {
		return "–"
	}
	n, sign := *seconds, ""
	if n < 0 {
		n, sign = -n, "−"
	}
	switch {
	case n < 120:
		return fmt.Sprintf("%s%d s", sign, n)
	case n < 7200:
		return fmt.Sprintf("%s%d min", sign, n/60)
	}
	return fmt.Sprintf("%s%d h", sign, n/3600)
}

func percentText(p *float64) string {
	if p == nil {
		return "–"
	}
	return fmt.Sprintf("%.0f %%", *p)
}

func tokensText(u *session.Usage) string {
	if u == nil {
		return "–"
	}
	text := fmt.Sprintf("%d", u.InputTokens+u.OutputTokens)
	if u.CostUSD != nil {
		text += fmt.Sprintf(" · $%.2f", *u.CostUSD)
	}
	return text
}
