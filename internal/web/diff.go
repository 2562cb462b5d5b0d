package web

import (
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"brenner/internal/artifact"
	"brenner/internal/fold"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// diffPage compares two versions, and leads through all of them.
type diffPage struct {
	Thread   string
	From, To sideView
	Versions []versionEntry
	Place    int    // of the later side among Versions, from 1; 0: it is none of them
	Older    string // the step before: from the version before From to From
	Newer    string
	Counts   []countView
	Changes  []changeView
	Pager    pager
	Text     []regionView
	TextMore string // address of the next part of the text
	TextPart int
	Empty    bool
	Clashes  []clashView // what agents set differently on the way

	reader *reader
	found  map[artifact.ItemID][]resultCard // by the messages between the two
}

// sideView is one of the two that are compared.
type sideView struct {
	Name  string // v2, draft, nothing
	Value string // as in an address
	Href  string
}

// versionEntry is a version in the list, and the draft at its end.
type versionEntry struct {
	Name    string
	Value   string // as in an address
	Href    string // what changed with it
	Show    string // the version itself
	At      string // empty: not published yet
	By      string
	Summary string
	Added   int
	Edited  int
	Killed  int
	From    bool
	To      bool
}

// draftName is how addresses call what is not published yet.
const draftName = "draft"

// diff shows what changed from one version to another; without any named, with the latest one.
func (w *Web) diff(r *http.Request) (view, error) {
	thread := r.PathValue("thread")
	of, err := w.deps.Sessions.Session(r.Context(), thread)
	if err != nil {
		return view{}, err
	}
	now := of.View
	from, to, err := sidesOf(r.URL.Query(), now)
	if err != nil {
		return view{}, err
	}
	a, err := side(r, of, from)
	if err != nil {
		return view{}, err
	}
	b, err := side(r, of, to)
	if err != nil {
		return view{}, err
	}
	p := diffPage{Thread: thread, From: sideOf(thread, from), To: sideOf(thread, to), reader: w.readerOf(now, onTimeline)}
	p.clashes(now, from, to)
	p.list(now, from, to)
	p.found = w.foundBetween(of, from, to)
	c := comparisonOf(a, b)
	p.changes(r.URL, c)
	p.text(r.URL, c.regions())
	return view{Template: "diff", Nav: "sessions", Title: thread + " " + p.From.Name + " → " + p.To.Name, Thread: thread, Data: p}, nil
}

// foundBetween are the results that the messages between two versions gave.
func (w *Web) foundBetween(of *session.Session, from, to int) map[artifact.ItemID][]resultCard {
	after, before := int64(0), int64(math.MaxInt64)
	for _, v := range of.View.Versions() {
		if v.Version == from {
			after = v.MessageID
		}
		if v.Version == to {
			before = v.MessageID
		}
	}
	list := w.given(of)
	for id, cards := range list {
		list[id] = slices.DeleteFunc(cards, func(c resultCard) bool { return c.MessageID <= after || c.MessageID >= before })
	}
	return list
}

// clashes lists what agents set differently between the two.
func (p *diffPage) clashes(now *fold.View, from, to int) {
	if from == draftVersion {
		return
	}
	list := now.ConflictsBetween(from, to)
	if to == draftVersion {
		list = append(now.ConflictsBetween(from, now.Fold.Latest().Number), now.OpenConflicts()...)
	}
	list, _ = cutRows(list, maxRows)
	for _, c := range list {
		v := clashOf(c, p.Thread, p.reader.cast)
		v.Href = itemIn(p.To.Href, c.Item)
		p.Clashes = append(p.Clashes, v)
	}
}

// side is one of the two that are compared.
func side(r *http.Request, of *session.Session, version int) (*session.Content, error) {
	if version == draftVersion {
		return of.Draft(), nil
	}
	return of.Content(r.Context(), version)
}

// draftVersion stands for what is not published yet.
const draftVersion = -1

// sidesOf reads which versions are compared. The defaults are those of `artifact diff`: the latest
// version against the one before it; before the first one, the draft against nothing.
func sidesOf(q url.Values, now *fold.View) (from, to int, err error) {
	latest, newest := now.Fold.Latest().Number, draftVersion
	if latest > 0 {
		newest = latest
	}
	if to, err = versionOf(q.Get("to"), newest); err != nil {
		return 0, 0, err
	}
	before := now.Fold.Before(to)
	if to == draftVersion {
		before = latest
	}
	from, err = versionOf(q.Get("from"), before)
	return from, to, err
}

func versionOf(text string, otherwise int) (int, error) {
	switch text {
	case "":
		return otherwise, nil
	case draftName:
		return draftVersion, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, protocol.Errorf(protocol.NotFound, "%q is no version: versions are numbers from 0, and draft", text)
	}
	return n, nil
}

func sideOf(thread string, version int) sideView {
	switch version {
	case draftVersion:
		return sideView{draftName, draftName, threadURL(thread) + "/draft"}
	case 0:
		return sideView{"nothing", "0", ""}
	}
	n := strconv.Itoa(version)
	return sideView{"v" + n, n, versionURL(thread, version)}
}

func compareURL(thread string, from, to int) string {
	q := url.Values{"from": {sideOf(thread, from).Value}, "to": {sideOf(thread, to).Value}}
	return threadURL(thread) + "/diff?" + q.Encode()
}

// maxVersions is how many a list shows, those around the one that is looked at.
const maxVersions = 300

// list makes the list of versions, and the steps to either side.
func (p *diffPage) list(now *fold.View, from, to int) {
	open := now.Fold.Window()
	var entries []versionEntry
	numbers := []int{}
	before := 0
	for _, v := range now.Versions() {
		entries = append(entries, versionEntry{
			Name: "v" + strconv.Itoa(v.Version), Value: strconv.Itoa(v.Version), Href: compareURL(p.Thread, before, v.Version),
			Show: versionURL(p.Thread, v.Version),
			At:   v.CompiledAt, By: v.CompiledBy, Summary: short(160, summaryOf(v.Subject)),
			Added: len(v.Changes.Added), Edited: len(v.Changes.Edited), Killed: len(v.Changes.Killed),
			From: v.Version == from, To: v.Version == to,
		})
		numbers = append(numbers, v.Version)
		before = v.Version
	}
	if open.Deltas.Applied > 0 || to == draftVersion {
		entries = append(entries, versionEntry{
			Name: draftName, Value: draftName, Href: compareURL(p.Thread, before, draftVersion), Show: threadURL(p.Thread) + "/draft",
			Summary: protocol.Plural(open.Deltas.Applied, "delta") + " not compiled yet",
			Added:   len(open.Changes.Added), Edited: len(open.Changes.Edited), Killed: len(open.Changes.Killed), To: to == draftVersion,
		})
		numbers = append(numbers, draftVersion)
	}
	place := -1
	for i, n := range numbers {
		if n == to {
			place = i
		}
	}
	if place > 0 {
		p.Older = entries[place-1].Href
	}
	if place+1 < len(entries) {
		p.Newer = entries[place+1].Href
	}
	first := max(0, min(place-maxVersions/2, len(entries)-maxVersions))
	p.Versions = entries[first:min(len(entries), first+maxVersions)]
	p.Place = place - first + 1
}
