package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/figure"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/markup"
	"brenner/internal/protocol"
)

const (
	hitsPerPage = 20
	maxHitPages = 25
)

// searchPage is what a search found.
type searchPage struct {
	Text    string
	Type    protocol.MessageType
	Thread  string
	Types   []protocol.MessageType
	Things  []thing // items and sources
	Hits    []hit
	Problem string // why nothing was looked for
	Pager   pager
}

// hit is a message that was found.
type hit struct {
	mail.Message
	By      figure.Agent
	Title   []piece
	Snippet []piece
}

// search looks for messages.
func (w *Web) search(r *http.Request) (view, error) {
	query := r.URL.Query()
	at, err := pageOf(query)
	if err != nil {
		return view{}, err
	}
	p := searchPage{
		Text: strings.TrimSpace(query.Get("q")), Type: protocol.MessageType(strings.ToUpper(query.Get("type"))),
		Thread: strings.TrimSpace(query.Get("thread")), Types: protocol.MessageTypes(),
	}
	v := view{Template: "search", Title: "Search", Nav: "sessions", Thread: p.Thread, Data: &p}
	if p.Text == "" {
		return v, nil
	}
	v.Title = "Search: " + short(60, p.Text)
	expr, err := mail.ParseSearch(p.Text)
	switch {
	case protocol.CodeOf(err) == protocol.InvalidInput:
		p.Problem = err.Error()
		return v, nil
	case err != nil:
		return view{}, err
	case p.Type != "" && !slices.Contains(p.Types, p.Type):
		p.Problem = "There is no type of message called " + string(p.Type) + "."
		return v, nil
	case at > maxHitPages:
		p.Problem = "Nobody looks this far. Add words, a type or a thread."
		return v, nil
	}
	return v, w.find(r, &p, expr, at)
}

func (w *Web) find(r *http.Request, p *searchPage, expr mail.Expr, at int) error {
	q := mail.SearchQuery{Thread: p.Thread, Limit: at*hitsPerPage + 1}
	if p.Type != "" {
		q.Types = []protocol.MessageType{p.Type}
	}
	found, err := w.deps.Access(r.Context()).Search(r.Context(), p.Text, q)
	if err != nil {
		return err
	}
	p.Pager = searchPager(r.URL, at, len(found))
	terms := termsOf(expr)
	views := map[string]*fold.View{} // that were taken
	if at == 1 && p.Type == "" {
		if err := w.things(r, p, terms, views); err != nil {
			return err
		}
	}
	found = found[min(len(found), (at-1)*hitsPerPage):min(len(found), at*hitsPerPage)]
	threads := make([]string, len(found))
	for i := range found {
		threads[i] = found[i].ThreadID
	}
	w.take(r.Context(), views, threads)
	readers := w.readers(views, threads)
	for _, m := range found {
		h := hit{Message: m, Title: highlight(short(160, m.Subject), terms), Snippet: snippet(readable(&m), terms),
			By: readers[m.ThreadID].cast.Of(m.From)}
		h.Body = "" // the snippet is shown of it
		p.Hits = append(p.Hits, h)
	}
	return nil
}

// searchPager goes as far as is known: how many there are in all is not counted.
func searchPager(u *url.URL, at, found int) pager {
	p := newPager(u, at, hitsPerPage, found)
	p.Of = 0
	if at == maxHitPages {
		p.Next = ""
	}
	return p
}

// readable is the text of a message without the syntax of its delta blocks: what they say is still found.
func readable(m *mail.Message) string {
	if m.Type != protocol.TypeDelta {
		return m.Body
	}
	var out strings.Builder
	doc := markup.Parse(m.Body)
	out.WriteString(proseIn(doc))
	for _, d := range delta.Read(doc, protocol.Lenient).Deltas {
		for _, f := range d.Fields {
			out.WriteString("\n" + artifact.ValueText(f.Value))
		}
		out.WriteString("\n" + d.Reason + "\n" + d.Rationale)
	}
	return out.String()
}
