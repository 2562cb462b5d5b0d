package web

import (
	"net/http"
	"strconv"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/evidence"
	"brenner/internal/protocol"
)

// Bounds of the evidence pages.
const (
	maxSources    = 500
	evidenceLines = 300 // of a text, on one page
	maxEvidence   = 2000
)

// evidencePage lists the sources of the project, and what a search in them found.
type evidencePage struct {
	Query    string
	None     bool // the project has no pack
	Sources  []sourceView
	More     int
	Hits     []evidenceHit
	Findings []protocol.Finding
}

type sourceView struct {
	*evidence.Source
	Href     string
	Excerpts []excerptView

	Reference string // its line of a bibliography; empty: it has no entry
	Link      string // to the work
	Stale     bool   // it is not current
}

type excerptView struct {
	ID, Cite, Text string
	From           int
}

type evidenceHit struct {
	Cite, Text, Href string
	Line             int
	Page             int // 0: not known
}

func newSourceView(s *evidence.Source) sourceView {
	v := sourceView{Source: s, Href: sourceURL(s.ID), Stale: s.Standing() != evidence.Current}
	reference := s.Reference()
	v.Link = reference.Item.Link()
	if s.Cite != nil {
		v.Reference = short(maxEvidence, reference.Item.String())
	}
	for _, e := range s.AllExcerpts() {
		v.Excerpts = append(v.Excerpts, excerptView{e.ID, s.ID + "#" + e.ID, short(maxEvidence, e.Text), e.From})
	}
	return v
}

// evidence shows the evidence pack.
func (w *Web) evidence(r *http.Request) (view, error) {
	p := evidencePage{Query: short(400, strings.TrimSpace(r.URL.Query().Get("q")))}
	v := view{Template: "evidence", Title: "Sources", Nav: "evidence", Data: &p}
	pack, err := w.deps.Sessions.Pack()
	if protocol.CodeOf(err) == protocol.NotFound {
		p.None = true
		return v, nil
	}
	if err != nil {
		return view{}, err
	}
	p.Findings = pack.Findings
	for i, s := range pack.Sources {
		if i == maxSources {
			p.More = len(pack.Sources) - i
			break
		}
		p.Sources = append(p.Sources, newSourceView(s))
	}
	if p.Query != "" {
		for _, h := range pack.Search(p.Query) {
			cite := artifact.Citation{Evidence: h.ID, Excerpt: h.Excerpt}
			p.Hits = append(p.Hits, evidenceHit{cite.String(), short(400, h.Text), sourceURL(h.ID) + "?from=" + strconv.Itoa(h.Line) +
				"#L" + strconv.Itoa(h.Line), h.Line, h.Page})
		}
	}
	return v, nil
}
