package web

import (
	"net/http"
	"net/url"
	"strconv"

	"brenner/internal/artifact"
	"brenner/internal/figure"
	"brenner/internal/fold"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// artifactPage is an artifact as a working document.
type artifactPage struct {
	Thread   string
	Title    string
	Draft    bool
	Version  int // 0: the draft, or a persisted file
	Latest   int
	Older    string // address of the version before; empty: there is none
	Newer    string
	Pending  int
	Meta     artifact.Metadata
	People   []contributor
	Compiled *int64 // the COMPILED message
	Sections []sectionView
	Lint     lintView
	Notes    []noteView
	Cut      int // items that are on other pages
}

// contributor is an agent whose deltas are in the artifact.
type contributor struct {
	figure.Agent
	Role   string
	Deltas int
}

// artifact shows a published version, or the latest.
func (w *Web) artifact(r *http.Request) (view, error) {
	number, err := versionInAddress(r.PathValue("n"))
	if err != nil {
		return view{}, err
	}
	thread := r.PathValue("thread")
	of, err := w.deps.Sessions.Session(r.Context(), thread)
	if number == 0 && protocol.CodeOf(err) == protocol.NotFound { // a file may be all there is
		e, err := w.deps.Sessions.Filed(r.Context(), thread)
		if err != nil {
			return view{}, err
		}
		return w.artifactView(r, nil, e, published), nil
	}
	if err != nil {
		return view{}, err
	}
	e, err := of.Artifact(r.Context(), number)
	item := readingOf(r.URL.Query()).item
	if err == nil && number == 0 && item != "" && e.Document.Artifact.Item(item) == nil || number == 0 &&
		protocol.CodeOf(err) == protocol.NotFound {
		return w.draftOf(r, of) // other sessions may refer to what no version has yet
	}
	if err != nil {
		return view{}, err
	}
	return w.artifactView(r, of, e, published), nil
}

// draft shows what the next version would be.
func (w *Web) draft(r *http.Request) (view, error) {
	of, err := w.deps.Sessions.Session(r.Context(), r.PathValue("thread"))
	if err != nil {
		return view{}, err
	}
	return w.draftOf(r, of)
}

func (w *Web) draftOf(r *http.Request, of *session.Session) (view, error) {
	e, err := of.Proposed()
	if err != nil {
		return view{}, err
	}
	return w.artifactView(r, of, e, drafted), nil
}

// edition says what kind of document a page shows.
type edition uint8

const (
	published edition = iota
	drafted
)

// artifactView shows an artifact of a session; nil: a file is all there is.
func (w *Web) artifactView(r *http.Request, of *session.Session, e session.Artifact, kind edition) view {
	thread := r.PathValue("thread")
	p := artifactPage{
		Thread: thread, Draft: kind == drafted, Version: e.Version, Latest: e.Latest, Pending: e.Pending, Meta: e.Document.Metadata,
	}
	name := "v" + strconv.Itoa(e.Version)
	switch {
	case p.Draft:
		name = "draft"
	case e.Version == 0:
		name = "file"
	}
	b := newBinder(e, readingOf(r.URL.Query()), layOut(e.Document.Artifact))
	if of != nil {
		b.cast = castOf(of.View.Members())
	}
	for _, c := range p.Meta.ContributorDetails {
		p.People = append(p.People, contributor{b.cast.Of(c.Agent), roleWords(c.Role), c.Deltas})
	}
	p.neighbours(e.Versions)
	if of != nil && (kind == drafted || e.Version == e.Latest) {
		b.reviews, b.given = reviewsOf(of), w.given(of)
	}
	b.clashes = clashesOf(e.Conflicts, thread, b.cast)
	b.thread, b.refs.thread, b.refs.page = thread, thread, w.hasPage
	b.results = w.resultForm(r, thread, e, kind)
	p.Title = short(200, b.art.Thread.Text(artifact.Statement))
	p.Sections = b.sections()
	for _, s := range p.Sections {
		p.Cut += s.Elsewhere
	}
	p.Lint = b.lint(e.Lint)
	p.Notes = b.notes
	return view{Template: "artifact", Nav: "sessions", Title: thread + " " + name, Thread: thread, Data: p}
}

// reviewsOf says how far each hypothesis was checked by others.
func reviewsOf(of *session.Session) map[artifact.ItemID]mark {
	marks := map[artifact.ItemID]mark{}
	for _, h := range of.Review().Hypotheses {
		marks[h.ID] = mark{State: string(h.State), Glyph: glyphs[string(h.State)]}
	}
	return marks
}

// neighbours finds the versions on either side, and the message of this one.
func (p *artifactPage) neighbours(versions []fold.Version) {
	for i, v := range versions {
		if v.Version != p.Version {
			continue
		}
		p.Compiled = &versions[i].MessageID
		if i > 0 {
			p.Older = versionURL(p.Thread, versions[i-1].Version)
		}
		if i+1 < len(versions) {
			p.Newer = versionURL(p.Thread, versions[i+1].Version)
		}
	}
	if p.Draft && p.Latest > 0 {
		p.Older = versionURL(p.Thread, p.Latest)
	}
}

// reading is what of a long artifact a reader asks for.
type reading struct {
	item    artifact.ItemID  // in full, whatever its length, with its neighbours
	section artifact.Section // whose page is asked for
	page    int              // from 1; 0: none is asked for
	allLint bool
	whole   bool // everything on one page, to be printed
}

func readingOf(q url.Values) reading {
	rd := reading{allLint: q.Get("lint") == "all", whole: q.Has("whole")}
	if id, _, _, ok := artifact.ParseItemID(q.Get("item")); ok {
		rd.item = id
	}
	if s, ok := artifact.ParseSection(q.Get("section")); ok {
		rd.section = s
		rd.page, _ = strconv.Atoi(q.Get("page")) // 0 for what is no number
	}
	return rd
}
