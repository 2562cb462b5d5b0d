package web

import (
	"cmp"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/evidence"
	"brenner/internal/figure"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/session"
)

// sourcePage is one source with its text, what is quoted from it, and what rests on it.
type sourcePage struct {
	sourceView
	Wrong    []protocol.Finding
	LookedUp string // day of the snapshot of retractions it was looked up in; empty: it was not
	Pages    int    // of its text; 0: it has none
	Added    string // day
	Figure   string // address of its picture; empty: it is none
	Whole    string // address of its file; empty: it is not here
	BibTeX   string // address of its entry

	Blocks []textBlock
	Count  int // lines of the whole text
	Older  string
	Newer  string

	False      []quoteNote // quoted from it, and not in it
	Rests      []restView
	More       int // that are not listed
	Questions  int // they belong to
	StillStand []restView
	Without    []withoutView
}

// textBlock is a paragraph of the text, or lines that stand as they are written.
type textBlock struct {
	Page   int // that begins here; 0: none does
	Line   int
	Pieces []passagePiece
	Plain  bool // its lines are kept
	Notes  []quoteNote
}

// passagePiece is a stretch of text: a line's beginning, plain words, or a quoted passage.
type passagePiece struct {
	Line  int    // an anchor; 0: none
	Text  string // plain, unless marked
	Mark  int    // number of the passage; 0: nobody quotes it
	Stale bool   // what quoted it no longer stands
	Ends  bool   // the passage ends here
	Cite  string // an excerpt that begins here
}

// quoteNote says who quotes a passage.
type quoteNote struct {
	session.SourceQuote
	Number   int // of the passage
	Author   figure.Agent
	Href     string // of the item
	Letter   string // where it was written
	Question string
	Thread   string
	Stale    bool // its source is not current, and it stands on it
	Field    string
	Fix      string
}

// restView is something that rests on a source.
type restView struct {
	Item, Name     string
	How            string
	Question, Href string
	Thread         string
	State          string // withdrawn, given up, stands
	Gone           bool
	Warn           bool
}

// withoutView is what would be believed of a question if the source were not there.
type withoutView struct {
	Question, Href string
	With, Without  shareBar
	Says           string
}

// source shows one source of the pack.
func (w *Web) source(r *http.Request) (view, error) {
	s, err := w.deps.Sessions.Source(r.PathValue("id"))
	if err != nil {
		return view{}, err
	}
	content := s.Open()
	wrong := append(append([]protocol.Finding{}, content.Wrong...), s.Doubts()...)
	p := sourcePage{sourceView: newSourceView(s), Wrong: wrong, Pages: content.Text.Pages()}
	p.Added, _, _ = strings.Cut(s.AddedAt, "T")
	if s.Figure != nil && s.Figure() != nil {
		p.Figure = sourceURL(s.ID) + "/figure"
	}
	if s.Bytes != nil && s.File != "" && len(content.Wrong) == 0 {
		p.Whole = sourceURL(s.ID) + "/file"
	}
	if s.Kind == evidence.KindSource {
		p.BibTeX = sourceURL(s.ID) + "/bib"
	}
	b := newSourceBuilder(w, r, &p)
	if err := b.rests(); err != nil {
		return view{}, err
	}
	notes, err := b.quotes()
	if err != nil {
		return view{}, err
	}
	if content.Text != nil {
		from, _ := strconv.Atoi(r.URL.Query().Get("from")) // anything else is the beginning
		p.text(content.Raw, from, notes)
	}
	return view{Template: "source", Title: s.ID + " " + short(60, s.Title), Nav: "evidence", Data: &p}, nil
}

// figure hands out the picture of a source. Shown in a page it runs nothing; opened alone it may not either.
func (w *Web) figure(rw http.ResponseWriter, r *http.Request) {
	s, err := w.deps.Sessions.Source(r.PathValue("id"))
	var data []byte
	if err == nil && s.Figure != nil {
		data = s.Figure()
	}
	kind := http.DetectContentType(data)
	if err == nil && strings.EqualFold(path.Ext(s.File), ".svg") {
		kind = "image/svg+xml"
	}
	if data == nil || !strings.HasPrefix(kind, "image/") {
		if err == nil {
			err = protocol.Errorf(protocol.NotFound, "%s is no picture", s.ID)
		}
		w.fail(rw, r, err)
		return
	}
	h := rw.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	h.Set("Cache-Control", "private, no-cache")
	_, _ = rw.Write(data) // the client is gone
}

// sourceBuilder gathers what the project says about a source.
type sourceBuilder struct {
	web     *Web
	page    *sourcePage
	request *http.Request
	threads map[string]*session.Session
	order   []string // threads that rest on it
}

func newSourceBuilder(w *Web, r *http.Request, p *sourcePage) *sourceBuilder {
	return &sourceBuilder{web: w, page: p, request: r, threads: map[string]*session.Session{}}
}

// session takes a thread, once.
func (b *sourceBuilder) session(thread string) *session.Session {
	of, known := b.threads[thread]
	if !known {
		of, _ = b.web.deps.Sessions.Session(b.request.Context(), thread) // what it says is only left out
		b.threads[thread] = of
	}
	return of
}

// rests lists what rests on the source in the threads that may be read.
func (b *sourceBuilder) rests() error {
	p, r := b.page, b.request
	pack, err := b.web.deps.Sessions.Pack()
	if err != nil {
		return err
	}
	if pack.LookedUp(p.Source) {
		p.LookedUp = pack.Snapshot.Day
	}
	readable, err := b.web.deps.Access(r.Context()).ThreadSet(r.Context())
	if err != nil {
		return err
	}
	list, err := b.web.deps.Sessions.RestsOn(r.Context(), p.ID, readable)
	if err != nil {
		return err
	}
	for i := range list {
		if !slices.Contains(b.order, list[i].ThreadID) {
			b.order = append(b.order, list[i].ThreadID)
		}
		if i >= maxSources {
			p.More++
			continue
		}
		v := b.rest(&list[i])
		same := func(o restView) bool { return o.Href == v.Href && o.Item == v.Item && v.Item != "" }
		if k := slices.IndexFunc(p.Rests, same); k >= 0 {
			p.Rests[k].How = "quotes it"
			continue
		}
		p.Rests = append(p.Rests, v)
		if p.Stale && !v.Gone && v.Item != "" {
			p.StillStand = append(p.StillStand, v)
		}
	}
	p.Questions = len(b.order)
	b.without()
	return nil
}

func (b *sourceBuilder) rest(c *session.Reliance) restView {
	v := restView{Thread: c.ThreadID, Question: c.ThreadID, Href: threadURL(c.ThreadID), How: "cites it"}
	of := b.session(c.ThreadID)
	if of != nil {
		v.Question = short(120, firstNonBlank(of.View.Question, c.ThreadID))
	}
	switch {
	case c.How == session.ByResult && c.Item != nil && c.MessageID != nil:
		v.Item, v.Name = *c.Item, "result #"+strconv.FormatInt(*c.MessageID, 10)
		v.How, v.Href = "was measured with it", messageURL(c.ThreadID, *c.MessageID)
		v.State, v.Gone = b.resultState(of, c)
	case c.Item != nil:
		v.Item, v.Href = *c.Item, latestItemURL(c.ThreadID, *c.Item)
		if c.How == session.ByQuote {
			v.How = "quotes it"
		}
		if of != nil {
			if it := of.View.Fold.Artifact().Item(artifact.ItemID(*c.Item)); it != nil {
				v.Name = short(120, it.Title())
			}
		}
	case c.MessageID != nil:
		v.Name, v.Href = "message #"+strconv.FormatInt(*c.MessageID, 10), messageURL(c.ThreadID, *c.MessageID)
	}
	v.Warn = b.page.Stale && !v.Gone
	if v.Warn && v.State == "" && v.Item != "" {
		v.State = "stands"
	}
	return v
}

// resultState says what became of a result.
func (b *sourceBuilder) resultState(of *session.Session, c *session.Reliance) (state string, gone bool) {
	if of == nil {
		return "", false
	}
	for _, row := range of.Results() {
		if row.MessageID != *c.MessageID || string(row.Test) != *c.Item {
			continue
		}
		switch row.Standing {
		case science.Withdrawn, science.Replaced:
			return string(row.Standing), true
		}
		return "counts", false
	}
	return "", false
}

// without says what would be believed without the source, for the questions whose results rest on it.
func (b *sourceBuilder) without() {
	for _, thread := range b.order {
		of := b.session(thread)
		if of == nil || len(b.page.Without) == 3 {
			continue
		}
		reasons := of.Reasons()
		i := slices.IndexFunc(reasons.If, func(f science.If) bool { return f.Name == "without "+b.page.ID })
		if i < 0 {
			continue
		}
		g := of.Account().Glance()
		question := short(120, firstNonBlank(of.View.Question, thread))
		v := withoutView{Question: question, Href: threadURL(thread), With: barOf(inRow, sharesOf(g.Worlds))}
		without := slices.Clone(g.Worlds)
		moved := 0.0
		for k := range without {
			p := reasons.If[i].Pooled[without[k].World.ID()]
			moved, without[k].P = max(moved, max(p-without[k].P, without[k].P-p)), p
		}
		v.Without = barOf(inRow, sharesOf(without))
		switch {
		case reasons.If[i].ChangesLeader:
			v.Says = "Another explanation would lead."
		case moved < 0.005:
			v.Says = "Nothing would change."
		default:
			v.Says = "The leader would stay; the largest change is " + figure.Percent(moved) + "."
		}
		b.page.Without = append(b.page.Without, v)
	}
}

// quotes lists what is quoted from the source. Those that are not in it are kept apart.
func (b *sourceBuilder) quotes() ([]quoteNote, error) {
	list, err := b.web.deps.Sessions.QuotesFrom(b.request.Context(), b.page.Source, b.order)
	if err != nil {
		return nil, err
	}
	var notes []quoteNote
	for _, q := range list {
		n := quoteNote{
			SourceQuote: q, Href: latestItemURL(q.ThreadID, string(q.Item)), Thread: q.ThreadID,
			Stale: b.page.Stale && q.Stands, Fix: q.Fix,
		}
		n.Field, _, _ = strings.Cut(q.Path, ".")
		n.Field = strings.ReplaceAll(n.Field, "_", " ")
		if of := b.session(q.ThreadID); of != nil {
			n.Question = short(60, firstNonBlank(of.View.Question, q.ThreadID))
			n.Author = castOf(of.View.Members()).Of(q.By)
		}
		if q.MessageID > 0 {
			n.Letter = messageURL(q.ThreadID, q.MessageID)
		}
		switch q.Verdict {
		case evidence.Found:
			if q.End > q.Start {
				notes = append(notes, n)
			}
		case evidence.NotFound:
			b.page.False = append(b.page.False, n)
		}
	}
	slices.SortStableFunc(notes, func(x, y quoteNote) int {
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.End, y.End))
	})
	number := 0
	for i := range notes {
		if i == 0 || notes[i].Start != notes[i-1].Start || notes[i].End != notes[i-1].End {
			number++
		}
		notes[i].Number = number
	}
	return notes, nil
}

// text cuts the part out of the text that has a line, paragraph by paragraph.
func (p *sourcePage) text(raw string, wanted int, notes []quoteNote) {
	all := strings.Split(strings.TrimSuffix(raw, "\n"), "\n")
	p.Count = len(all)
	from := (min(max(wanted, 1), p.Count) - 1) / evidenceLines * evidenceLines
	to := min(from+evidenceLines, p.Count)
	t := textCutter{page: p, notes: notes, excerpts: map[int]string{}, number: 1}
	for _, e := range p.Excerpts {
		t.excerpts[e.From] = e.Cite
	}
	for i := range from {
		t.offset += len(all[i]) + 1
		t.number += strings.Count(all[i], "\f")
	}
	t.newPage = p.Pages > 0
	for i := from; i < to; i++ {
		t.line(i+1, all[i])
	}
	t.end()
	if from > 0 {
		p.Older = p.Href + "?from=" + strconv.Itoa(from)
	}
	if to < p.Count {
		p.Newer = p.Href + "?from=" + strconv.Itoa(to+1)
	}
}

// textCutter makes paragraphs of lines.
type textCutter struct {
	page     *sourcePage
	notes    []quoteNote
	excerpts map[int]string
	offset   int // of the next line in the text
	number   int // of the page it is on
	newPage  bool
	lines    []cutLine // of the paragraph so far
}

type cutLine struct {
	number, offset int
	text           string
}

func (t *textCutter) line(number int, text string) {
	if strings.Contains(text, "\f") {
		t.end()
		t.number += strings.Count(text, "\f")
		t.newPage = true
	}
	if strings.TrimSpace(text) == "" {
		t.end()
	} else {
		t.lines = append(t.lines, cutLine{number, t.offset, text})
	}
	t.offset += len(text) + 1
}

// end finishes a paragraph.
func (t *textCutter) end() {
	if len(t.lines) == 0 {
		return
	}
	b := textBlock{Line: t.lines[0].number, Plain: t.page.Kind == evidence.KindRun || asWritten(t.lines)}
	if t.newPage {
		b.Page, t.newPage = t.number, false
	}
	start, end := t.lines[0].offset, t.lines[len(t.lines)-1].offset+len(t.lines[len(t.lines)-1].text)
	for _, n := range t.notes {
		if n.Start >= start && n.Start < end {
			b.Notes = append(b.Notes, n)
		}
	}
	between := "\n"
	for i, l := range t.lines {
		if i == len(t.lines)-1 {
			between = ""
		}
		b.Pieces = append(b.Pieces, passagePiece{Line: l.number, Cite: t.excerpts[l.number]})
		b.Pieces = append(b.Pieces, t.marked(l, between)...)
	}
	t.page.Blocks = append(t.page.Blocks, b)
	t.lines = nil
}

// marked cuts a line, with what ends it, where quoted passages begin and end. Of passages that overlap the first is marked.
func (t *textCutter) marked(l cutLine, end string) []passagePiece {
	text := l.text + end
	if len(text) > maxEvidence {
		return []passagePiece{{Text: short(maxEvidence, text)}}
	}
	var pieces []passagePiece
	at, stop := l.offset, l.offset+len(l.text)
	cut := func(to, mark int, stale, ends bool) {
		if to > at {
			pieces = append(pieces, passagePiece{Text: text[at-l.offset : to-l.offset], Mark: mark, Stale: stale, Ends: ends})
			at = to
		}
	}
	for i := range t.notes {
		n := &t.notes[i]
		if n.End <= at || n.Start >= stop {
			continue
		}
		stale := !slices.ContainsFunc(t.notes, func(o quoteNote) bool { return o.Number == n.Number && o.Stands })
		cut(max(n.Start, at), 0, false, false)
		last := n.End
		if last > stop { // it goes on in the next line
			last = l.offset + len(text)
		}
		cut(last, n.Number, stale, n.End <= stop)
	}
	cut(l.offset+len(text), 0, false, false)
	return pieces
}

// asWritten tells whether lines are a table or a listing rather than prose.
func asWritten(lines []cutLine) bool {
	columns := 0
	for _, l := range lines {
		text := strings.TrimSpace(l.text)
		if strings.ContainsAny(text, "\t|{}") || strings.Contains(text, "   ") || strings.Count(text, ",") > len(text)/8 {
			columns++
		}
	}
	return 2*columns > len(lines)
}

// Of counts what rests on the source, in words.
func (p *sourcePage) Of() string {
	return fmt.Sprintf("%s, %s", protocol.Plural(p.Questions, "question"), protocol.Plural(len(p.Rests)+p.More, "place"))
}
