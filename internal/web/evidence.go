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
	v := view{Template: "evidence", Title: "Evidence", Nav: "evidence", Data: &p}
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

// sourcePage is one source with its text.
type sourcePage struct {
	sourceView
	Wrong []protocol.Finding
	Rests []restView // what rests on it
	More  int        // that are not listed

	LookedUp string // day of the snapshot of retractions it was looked up in; empty: it was not

	Lines []sourceLine
	Count int // lines of the whole text
	Older string
	Newer string
}

type sourceLine struct {
	Number int
	Text   string
	Cites  []string // excerpts that begin here
}

// source shows one source of the pack.
func (w *Web) source(r *http.Request) (view, error) {
	s, err := w.deps.Sessions.Source(r.PathValue("id"))
	if err != nil {
		return view{}, err
	}
	content := s.Open()
	p := sourcePage{sourceView: newSourceView(s), Wrong: append(append([]protocol.Finding{}, content.Wrong...), s.Doubts()...)}
	if err := w.rests(r, &p); err != nil {
		return view{}, err
	}
	if content.Text != nil {
		from, _ := strconv.Atoi(r.URL.Query().Get("from")) // anything else is the beginning
		p.lines(content.Raw, from)
	}
	return view{Template: "source", Title: s.ID + " " + short(60, s.Title), Nav: "evidence", Data: p}, nil
}

// restView is something that rests on a source.
type restView struct {
	What, Thread, Href string
}

// rests lists what rests on a source in the threads that may be read.
func (w *Web) rests(r *http.Request, p *sourcePage) error {
	pack, err := w.deps.Sessions.Pack()
	if err != nil {
		return err
	}
	if pack.LookedUp(p.Source) {
		p.LookedUp = pack.Snapshot.Day
	}
	readable, err := w.deps.Access(r.Context()).ThreadSet(r.Context())
	if err != nil {
		return err
	}
	list, err := w.deps.Sessions.RestsOn(r.Context(), p.ID, readable)
	if err != nil {
		return err
	}
	for i, c := range list {
		if i == maxSources {
			p.More = len(list) - i
			break
		}
		v := restView{What: string(c.How), Thread: c.ThreadID, Href: threadURL(c.ThreadID)}
		switch {
		case c.Item != nil:
			v.What, v.Href = v.What+" "+*c.Item, latestItemURL(c.ThreadID, *c.Item)
		case c.MessageID != nil:
			v.What, v.Href = v.What+" #"+strconv.FormatInt(*c.MessageID, 10), messageURL(c.ThreadID, *c.MessageID)
		}
		p.Rests = append(p.Rests, v)
	}
	return nil
}

// lines cuts the page out of the text that has a line.
func (p *sourcePage) lines(text string, wanted int) {
	all := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	p.Count = len(all)
	page := (min(max(wanted, 1), p.Count) - 1) / evidenceLines
	from := page * evidenceLines
	to := min(from+evidenceLines, p.Count)
	begins := map[int][]string{}
	for _, e := range p.Excerpts {
		begins[e.From] = append(begins[e.From], e.Cite)
	}
	for i := from; i < to; i++ {
		p.Lines = append(p.Lines, sourceLine{i + 1, short(maxEvidence, all[i]), begins[i+1]})
	}
	if from > 0 {
		p.Older = p.Href + "?from=" + strconv.Itoa(from)
	}
	if to < p.Count {
		p.Newer = p.Href + "?from=" + strconv.Itoa(to+1)
	}
}
