package web

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/figure"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/study"
)

// maxRows is how many critiques and members a page shows.
const maxRows = 40

// timelinePage is how many messages of a thread a page shows.
const timelinePage = 50

// sessionPage is one session: its state, what waits, and a page of its thread.
type sessionPage struct {
	session.Detail
	Study                                   *studyView // nil for ordinary mail
	Ancestry                                session.Ancestry
	MoreAgain                               int // that are not shown
	Title                                   string
	Links                                   sessionLinks
	Sections                                []sectionCount // of the latest artifact
	People                                  []person
	Versions                                []versionLine // the newest first
	MoreVersions                            int           // that are not listed
	Critiques                               []critiqueLine
	MoreCritiques, MorePeople, MoreRejected int // that are not shown

	Open     int // critiques without an answer
	FoldFrom int // the first of Critiques that is folded away; -1: none is
	Entries  []mailEntry
	Runs     []entryRun // the same, with runs of small messages together
	Types    []typeFilter
	Type     protocol.MessageType // that is shown alone; empty: all
	Show     session.Show         // what is looked for; empty: everything
	At       int64                // the message that was asked for
	API      string               // where forms about the session are sent
	Actor    string               // under whose name they write
	Next     int                  // the version that compiling would publish

	NextRound int
	Ran       bool // programs were run for it
	Active    bool // it is a session that is not over
	Unjoined  bool // agents were called and none has contributed yet
	Stale     bool // an older page is shown: what is new does not appear on it
}

// person is a member with what is known of its program.
type person struct {
	fold.Member
	By       figure.Agent
	RoleName string
	State    string // working, waiting, idle, silent, dead; empty: not known
	Reason   string
	Turn     string // where its turn is carried to a chat; empty: nobody asks it
}

type sessionLinks struct{ Newest, Newer, Older, Diagnose, Draft, Artifact, Diff string }

// versionLine is a published version in the record.
type versionLine struct {
	Number               int
	Href, Diff           string
	At, By, Summary      string
	Added, Edited, Ended int
}

// maxListedVersions is how many versions the record lists.
const maxListedVersions = 12

// versionLines lists the versions of a session, the newest first, and how many more there are.
func versionLines(thread string, list []fold.Version) (lines []versionLine, more int) {
	for i, v := range slices.Backward(list) {
		if len(lines) == maxListedVersions {
			return lines, i + 1
		}
		before := 0
		if i > 0 {
			before = list[i-1].Version
		}
		lines = append(lines, versionLine{
			Number: v.Version, Href: versionURL(thread, v.Version), Diff: diffURL(thread, before, v.Version),
			At: v.CompiledAt, By: v.CompiledBy,
			Summary: short(160, message.CompiledSummary(v.Subject)), Added: len(v.Changes.Added), Edited: len(v.Changes.Edited),
			Ended: len(v.Changes.Killed),
		})
	}
	return lines, 0
}

type sectionCount struct {
	Name  string
	Count int
}

type typeFilter struct {
	Name    string
	Link    string
	Current bool
}

// critiqueLine is a row of the review queue.
type critiqueLine struct {
	fold.QueueEntry
	Link   string // to what is attacked
	Source string // to the critique itself
	Grave  bool

	By       figure.Agent
	On       string // the item that is attacked; empty: the whole question
	Do       string // where it is answered; empty: it needs no answer, or has no message of its own
	Said     bodyText
	Answered []answerText
}

// mark is the attack as its message shows it.
func (c *critiqueLine) mark() *attackMark {
	m := &attackMark{Target: c.On, Link: c.Link, Open: c.State == "open", Grave: c.Grave}
	if c.Severity != nil {
		m.Severity = *c.Severity
	}
	return m
}

func (w *Web) session(r *http.Request) (view, error) {
	q, err := timelineQuery(r)
	if err != nil {
		return view{}, err
	}
	of, err := w.deps.Sessions.Session(r.Context(), r.PathValue("thread"))
	if err != nil {
		return view{}, err
	}
	detail, err := of.Detail(r.Context(), q)
	if err != nil {
		return view{}, err
	}
	p := w.sessionPage(r.Context(), of, detail, q)
	if err := w.readerOf(of.View, inAttack).tellAttacks(r.Context(), of, p.Critiques); err != nil {
		return view{}, err
	}
	if detail.Enforced {
		p.Active, p.Unjoined = !detail.Phase.Over(), of.Unjoined()
		if p.Study, err = w.study(r, of, detail); err != nil {
			return view{}, err
		}
		rd := w.readerOf(of.View, onTimeline)
		for i := range p.Entries {
			rd.tell(&p.Entries[i], p.Study.Study, cardMaker{detail.ThreadID, w.sourceNamed})
		}
	}
	readable, err := w.deps.Access(r.Context()).ThreadSet(r.Context())
	if err != nil {
		return view{}, err
	}
	p.Ancestry = of.Ancestry(readable)
	p.Ancestry.Again, p.MoreAgain = cutRows(p.Ancestry.Again, maxRows)
	fresh := 0
	if !p.Stale {
		fresh = freshEntries
	}
	p.Runs = runsOf(p.Entries, q.At, fresh)
	return view{Template: "session", Title: p.Title, Nav: "sessions", Thread: detail.ThreadID, Data: p}, nil
}

func timelineQuery(r *http.Request) (session.TimelineQuery, error) {
	q := session.TimelineQuery{Limit: timelinePage}
	values := r.URL.Query()
	var err error
	for name, place := range map[string]*int64{"at": &q.At, "before": &q.Before, "after": &q.After} {
		if *place, err = idOf(values.Get(name)); err != nil {
			return q, err
		}
	}
	if q.Type, err = typeOf(values.Get("type")); err != nil {
		return q, err
	}
	q.Show = session.Show(values.Get("show"))
	if q.Show != "" && !slices.Contains(session.Shows(), q.Show) {
		return q, protocol.Errorf(protocol.Usage, "a thread shows results, changes, attacks, beliefs or questions, not %.40q", q.Show)
	}
	return q, nil
}

func (w *Web) sessionPage(ctx context.Context, of *session.Session, detail session.Detail, q session.TimelineQuery) sessionPage {
	viewer := w.deps.Viewer(ctx)
	rd := w.readerOf(of.View, onTimeline)
	rd.viewer, rd.latest = viewer.actor(), detail.Latest
	p := sessionPage{
		Detail: detail, Title: detail.Question, At: q.At, Type: q.Type,
		Show: q.Show, API: sessionAPI(detail.ThreadID), Actor: viewer.actor(), Next: 1,
		NextRound: detail.Round + 1,
		Stale:     q.At > 0 || q.Before > 0 || q.After > 0, Ran: w.deps.Turns != nil && w.deps.Turns.Ran(detail.ThreadID),
	}
	if p.Title = short(maxHeadline, p.Title); p.Title == "" {
		p.Title = detail.ThreadID
	}
	if detail.Latest != nil {
		p.Next = detail.Latest.Next()
		p.Sections = sectionCounts(detail.Latest.Stats)
		p.Versions, p.MoreVersions = versionLines(detail.ThreadID, of.View.Versions())
	}
	for _, e := range detail.Timeline.Entries {
		p.Entries = append(p.Entries, rd.entry(e))
	}
	for _, c := range detail.Critiques {
		line := critiqueOf(c, detail.Latest)
		line.By = rd.cast.Of(c.From)
		p.Critiques = append(p.Critiques, line)
		for i := range p.Entries {
			if p.Entries[i].ID == c.MessageID {
				p.Entries[i].Attack = line.mark()
			}
		}
		if c.State == "open" {
			p.Open++
		}
	}
	slices.SortStableFunc(p.Critiques, gravestFirst)
	p.Critiques, p.MoreCritiques = cutRows(p.Critiques, maxRows)
	if p.FoldFrom = p.Open; len(p.Critiques)-p.Open <= maxAnswered {
		p.FoldFrom = -1
	}
	p.People, p.MorePeople = cutRows(peopleOf(w.askable(of.View), detail, rd.cast), maxRows)
	p.Rejected, p.MoreRejected = cutRows(p.Rejected, 10)
	linkReplies(p.Entries)
	p.Links = linksOf(detail, q)
	p.Types = filtersOf(detail.ThreadID, q)
	return p
}

// maxAnswered is how many answered critiques are shown unfolded.
const maxAnswered = 3

// linkReplies leads from messages to answers on the same page.
func linkReplies(entries []mailEntry) {
	places := map[int64]int{}
	for i := range entries {
		places[entries[i].ID] = i
	}
	for _, e := range slices.Backward(entries) {
		if i, here := places[e.ReplyTo]; here && e.Type != protocol.TypeAck && len(entries[i].Replies) < maxRows {
			entries[i].Replies = append(entries[i].Replies, e.ID)
		}
	}
}

// askable are the agents whose turn can be carried to a chat from here.
func (w *Web) askable(v *fold.View) []string {
	var list []string
	for _, c := range v.Called() {
		if w.options.Lab && c.Direct {
			list = append(list, mail.NameKey(c.Agent))
		}
	}
	return list
}

func peopleOf(askable []string, detail session.Detail, cast study.Cast) []person {
	list := make([]person, 0, len(detail.Members))
	for _, m := range detail.Members {
		one := person{Member: m, By: cast.Of(m.Agent), RoleName: strings.ReplaceAll(string(m.Role), "_", " ")}
		if slices.Contains(askable, mail.NameKey(m.Agent)) {
			one.Turn = actURL(detail.ThreadID, actTurn, m.Agent)
		}
		for _, state := range detail.Liveness {
			if detail.Phase == fold.PhaseComplete {
				break // no agent is waited for
			}
			if protocol.SameAgent(state.Name, m.Agent) {
				one.State, one.Reason = string(state.State), state.Reason
			}
		}
		list = append(list, one)
	}
	return list
}

// sessionAPI is the address of a session in the API.
func sessionAPI(thread string) string { return "/api/v1/sessions/" + url.PathEscape(thread) }

// actor is the name that the viewer's forms write under.
func (v Viewer) actor() string {
	if v.Name != "" {
		return v.Name
	}
	return mail.Operator
}

func linksOf(detail session.Detail, q session.TimelineQuery) sessionLinks {
	links := sessionLinks{Diagnose: threadURL(detail.ThreadID) + "/diagnose", Draft: threadURL(detail.ThreadID) + "/draft"}
	if detail.Latest != nil {
		links.Artifact = versionURL(detail.ThreadID, detail.Latest.Version)
		links.Diff = diffURL(detail.ThreadID, detail.Latest.Previous, detail.Latest.Version)
	}
	t := detail.Timeline
	links.Newest = timelineURL(detail.ThreadID, q, "", 0)
	if n := len(t.Entries); n > 0 {
		if t.Newer {
			links.Newer = timelineURL(detail.ThreadID, q, "after", t.Entries[0].ID)
		}
		if t.Older {
			links.Older = timelineURL(detail.ThreadID, q, "before", t.Entries[n-1].ID)
		}
	}
	return links
}

func timelineURL(thread string, q session.TimelineQuery, turn string, id int64) string {
	values := url.Values{}
	if q.Type != "" {
		values.Set("type", string(q.Type))
	}
	if q.Show != "" {
		values.Set("show", string(q.Show))
	}
	if turn != "" {
		values.Set(turn, strconv.FormatInt(id, 10))
	}
	address := threadURL(thread)
	if len(values) > 0 {
		address += "?" + values.Encode()
	}
	return address + "#timeline"
}

// filtersOf are the words by which a thread is looked through.
func filtersOf(thread string, q session.TimelineQuery) []typeFilter {
	list := []typeFilter{{"All", timelineURL(thread, session.TimelineQuery{}, "", 0), q.Type == "" && q.Show == ""}}
	for _, show := range session.Shows() {
		name := strings.ToUpper(string(show[:1])) + string(show[1:])
		list = append(list, typeFilter{name, timelineURL(thread, session.TimelineQuery{Show: show}, "", 0), show == q.Show})
	}
	return list
}

func sectionCounts(s artifact.Stats) []sectionCount {
	return []sectionCount{
		{"Hypotheses", s.Hypotheses}, {"Predictions", s.Predictions}, {"Tests", s.Tests},
		{"Assumptions", s.Assumptions}, {"Anomalies", s.Anomalies}, {"Critiques", s.Critiques},
	}
}

// gravestFirst puts what waits for an answer before what has one, and the gravest first.
func gravestFirst(a, b critiqueLine) int {
	rank := func(c critiqueLine) int {
		if c.State == "open" {
			return 0
		}
		return 1
	}
	grave := func(c critiqueLine) int {
		if c.Severity != nil {
			if i := slices.Index(message.Severities(), *c.Severity); i >= 0 {
				return i
			}
		}
		return len(message.Severities())
	}
	return cmp.Or(rank(a)-rank(b), grave(a)-grave(b))
}

// critiqueOf links a critique to what it attacks, where that is an item that can be seen.
func critiqueOf(c fold.QueueEntry, latest *session.Latest) critiqueLine {
	line := critiqueLine{QueueEntry: c, Grave: c.Severity != nil && *c.Severity == message.Severities()[0], On: c.FirstTarget()}
	if c.MessageID > 0 && c.Item == nil && c.State == "open" {
		line.Do = actURL(c.ThreadID, actAnswer, strconv.FormatInt(c.MessageID, 10))
	}
	if c.MessageID > 0 {
		line.Source = messageURL(c.ThreadID, c.MessageID)
	}
	switch {
	case c.Item != nil && (c.Promoted || latest == nil || c.MessageID > latest.MessageID): // no version has it yet
		line.Link = threadURL(c.ThreadID) + "/draft#" + *c.Item
	case latest == nil:
	case c.Item != nil:
		line.Link = versionItemURL(c.ThreadID, latest.Version, *c.Item)
	case c.Target != nil:
		first, _, _ := strings.Cut(*c.Target, ",")
		if id, _, _, ok := artifact.ParseItemID(first); ok {
			line.Link = versionItemURL(c.ThreadID, latest.Version, string(id))
		}
	}
	return line
}
