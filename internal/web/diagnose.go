package web

import (
	"net/http"

	"brenner/internal/artifact/delta"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// diagnosisPage says what of a thread does not compile, why, and how it can be mended.
type diagnosisPage struct {
	ThreadID string
	Messages int // looked at
	Accepted int
	Rejected int
	Troubled []troubled
	More     int // messages with problems that are not shown
	Fixes    int
	API      string
	Actor    string
}

// troubled is a message with something wrong.
type troubled struct {
	session.Diagnosed
	Blocks     []blockLine
	MoreBlocks int
	Notes      []protocol.Finding
	MoreNotes  int
	Fix        *session.Fix
	Errors     int
}

func (w *Web) diagnosis(r *http.Request) (view, error) {
	thread := r.PathValue("thread")
	d, err := w.deps.Sessions.Diagnose(r.Context(), thread, session.ShowRepairs)
	if err != nil {
		return view{}, err
	}
	p := diagnosisPage{ThreadID: thread, Messages: len(d.Messages), Fixes: len(d.Fixes), API: sessionAPI(thread),
		Actor: w.deps.Viewer(r.Context()).actor()}
	for _, m := range d.Messages {
		if m.Receipt != nil {
			p.Accepted += m.Receipt.Accepted
			p.Rejected += m.Receipt.Rejected
		}
		if t, ok := troubleOf(m, d.Fixes); ok {
			p.Troubled = append(p.Troubled, t)
		}
	}
	p.Troubled, p.More = cutRows(p.Troubled, 100)
	return view{Template: "diagnose", Title: "What does not compile", Nav: "sessions", Thread: thread, Data: p}, nil
}

func troubleOf(m session.Diagnosed, fixes []session.Fix) (troubled, bool) {
	t := troubled{Diagnosed: m}
	for _, f := range m.Unlisted() {
		if f.Severity != protocol.SeverityInfo {
			t.Notes = append(t.Notes, f)
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
		t.Blocks, _ = cutRows(t.Blocks, onTimeline.rows)
		t.MoreBlocks = m.Receipt.Found - len(t.Blocks)
	}
	t.Notes, t.MoreNotes = cutRows(t.Notes, onTimeline.rows)
	t.MoreNotes += m.More
	rejected := m.Receipt != nil && m.Receipt.Rejected > 0
	return t, rejected || t.Errors > 0 || t.Fix != nil
}
