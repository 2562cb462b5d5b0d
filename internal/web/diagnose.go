package web

import (
	"net/http"

	"brenner/artifact/delta"
	"brenner/protocol"
	"brenner/session"
)

// diagnosisPage says what of a thread does not compile, why, and how it can be mended.
type diagnosisPage struct {
	ThreadID string
	Messages int // looked at
	Accepted int
	Rejected int
	Troubled []troubled
	Fixes    int
	API      string
	Actor    string
}

// troubled is a message with something wrong.
type troubled struct {
	session.Diagnosed
	Blocks []blockLine
	Fix    *session.Fix
	Errors int
}

func (w *Web) diagnosis(r *http.Request) (view, error) {
	thread := r.PathValue("thread")
	d, err := w.deps.Sessions.Diagnose(r.Context(), thread, session.ShowRepairs)
	if err != nil {
		return view{}, err
	}
	p := diagnosisPage{ThreadID: thread, Messages: len(d.Messages), Fixes: len(d.Fixes), API: sessionAPI(thread), Actor: w.deps.Viewer(r.Context()).actor()}
	for _, m := range d.Messages {
		if m.Receipt != nil {
			p.Accepted += m.Receipt.Accepted
			p.Rejected += m.Receipt.Rejected
		}
		if t, ok := troubleOf(m, d.Fixes); ok {
			p.Troubled = append(p.Troubled, t)
		}
	}
	return view{Template: "diagnose", Title: "What does not compile", Nav: "sessions", Thread: thread, Data: p}, nil
}

func troubleOf(m session.Diagnosed, fixes []session.Fix) (troubled, bool) {
	t := troubled{Diagnosed: m}
	t.Findings = nil
	for _, f := range m.Unsaid() {
		if f.Severity != protocol.SeverityInfo {
			t.Findings = append(t.Findings, f)
		}
		if f.Severity == protocol.SeverityError {
			t.Errors++
		}
	}
	for i := range fixes {
		if fixes[i].MessageID == m.ID {
			t.Fix = &fixes[i]
		}
	}
	if m.Receipt != nil {
		for _, b := range m.Receipt.Blocks {
			t.Blocks = append(t.Blocks, blockLine{Block: b, Accepted: b.Status == delta.Accepted})
		}
	}
	rejected := m.Receipt != nil && m.Receipt.Rejected > 0
	return t, rejected || t.Errors > 0 || t.Fix != nil
}
