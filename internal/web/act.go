package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/commandline"
	"brenner/internal/figure"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// actPage is one thing to do, beside what it is about. Other pages open it as a drawer; alone it is a page.
type actPage struct {
	Act      string
	Title    string
	Ref      refLink // of what it is about
	Thread   string
	Question string
	Back     string // the page that it belongs to
	Actor    string
	API      string
	Command  string // what does it in a terminal; empty: not said

	Place, Of int // among what waits, from 1; 0: it is nothing that waits
	Next      string
	NextName  string

	Said   *saidView
	Answer *answerAct
	Take   *takeAct
	Result *resultAct
	Ask    *askAct
	Turn   *turnAct
	Source *sourceAct
}

// The acts, as addresses name them.
const (
	actAnswer = "answer"
	actReply  = "reply"
	actTake   = "take"
	actResult = "result"
	actAsk    = "ask"
	actTurn   = "turn"
)

// saidView is the message that something is about.
type saidView struct {
	ID       int64
	By       figure.Agent
	At       any
	Severity string
	Title    string
	Body     bodyText
}

// actURL is the address of an act.
func actURL(thread, act, of string) string {
	at := threadURL(thread) + "/do/" + act
	if of == "" {
		return at
	}
	return at + "?" + url.Values{"of": {of}}.Encode()
}

// actOn is the address where something that waits is done; empty: it has no form.
func actOn(t *session.ToDo) string {
	switch {
	case t.Kind == session.ToDoAnswer && t.MessageID > 0:
		return actURL(t.ThreadID, actAnswer, strconv.FormatInt(t.MessageID, 10))
	case t.Kind == session.ToDoReply:
		return actURL(t.ThreadID, actReply, strconv.FormatInt(t.MessageID, 10))
	case t.Kind == session.ToDoCompile:
		return actURL(t.ThreadID, actTake, "")
	}
	return ""
}

// act shows the form for one thing to do.
func (w *Web) act(r *http.Request) (view, error) {
	of, err := w.deps.Sessions.Session(r.Context(), r.PathValue("thread"))
	if err != nil {
		return view{}, err
	}
	name := r.URL.Query().Get("of")
	b := actBuilder{web: w, request: r, of: of, name: name, reader: w.readerOf(of.View, inDrawer)}
	b.page = actPage{
		Act: r.PathValue("act"), Thread: of.ID(), Question: short(120, firstNonBlank(of.View.Question, of.ID())), API: sessionAPI(of.ID()),
		Actor: w.deps.Viewer(r.Context()).actor(), Back: threadURL(of.ID()),
	}
	makers := map[string]func() error{
		actAnswer: b.answer, actReply: b.reply, actTake: b.take, actResult: b.result, actAsk: b.ask,
		actTurn: b.turn,
	}
	do := makers[b.page.Act]
	if do == nil || of.View.Phase().Over() {
		return view{}, protocol.Errorf(protocol.NotFound, "there is nothing to do at %s", short(80, r.URL.Path))
	}
	if err := do(); err != nil {
		return view{}, err
	}
	b.queue()
	return view{Template: "act", Title: b.page.Title, Nav: "sessions", Thread: of.ID(), Data: &b.page}, nil
}

// actBuilder gathers what a form needs.
type actBuilder struct {
	web     *Web
	request *http.Request
	of      *session.Session
	name    string // of what it is about
	reader  *reader
	page    actPage
}

// queue finds the place among what waits in the session, and what comes next.
func (b *actBuilder) queue() {
	waits, err := b.of.First()
	if err != nil {
		return // only the way on is missing
	}
	open := slices.DeleteFunc(slices.Clone(waits), func(t session.ToDo) bool { return actOn(&t) == "" })
	here := actURL(b.of.ID(), b.page.Act, b.name)
	i := slices.IndexFunc(open, func(t session.ToDo) bool { return actOn(&t) == here })
	p := &b.page
	p.Of = len(open)
	if i >= 0 {
		p.Place, p.Command = i+1, commandline.Of(open[i].Command)
	}
	if next := (i + 1) % max(1, len(open)); i >= 0 && next != i {
		_, _, p.NextName, _, _ = waitWords(&open[next])
		p.Next = actOn(&open[next])
	}
}

// message is the message with the number that the address names.
func (b *actBuilder) message() (mail.Message, error) {
	id, err := idOf(b.name)
	if err != nil {
		return mail.Message{}, err
	}
	m, err := b.web.deps.Access(b.request.Context()).Message(b.request.Context(), id)
	if err == nil && m.ThreadID != b.of.ID() {
		err = protocol.Errorf(protocol.NotFound, "message %d is not of this question", id)
	}
	return m, err
}

// reply answers a question of an agent.
func (b *actBuilder) reply() error {
	m, err := b.message()
	if err != nil {
		return err
	}
	p := &b.page
	p.Title, p.Ref = "Answer "+short(40, m.From), refLink{Name: fmt.Sprintf("#%d", m.ID), Href: messageURL(m.ThreadID, m.ID)}
	p.Said = b.said(&m, proseOf(m.Body))
	return nil
}

func (b *actBuilder) said(m *mail.Message, text string) *saidView {
	return &saidView{ID: m.ID, By: b.reader.cast.Of(m.From), At: m.CreatedAt, Title: short(maxHeadline, titleOf(m.Subject)),
		Body: bodyOf(text, inDrawer, b.reader.links)}
}

// answerAct answers an attack.
type answerAct struct {
	Target  string // the item that it is on and that stands; empty: none
	Name    string
	Href    string
	Percent string // what is believed of it; empty: it is no explanation
	Claim   string
	Fields  []fieldText // its texts, which an answer may change
	Earlier []earlierAttack
	Against []shareLine // explanations that a test may tell apart
}

type fieldText struct{ Name, Label, Text string }

// earlierAttack is another attack on the same item.
type earlierAttack struct{ ID, Href, State string }

// maxEarlier is how many earlier attacks are named.
const maxEarlier = 6

func (b *actBuilder) answer() error {
	m, err := b.message()
	if err != nil {
		return err
	}
	c, err := b.of.Critique(m.ID)
	if err != nil {
		return err
	}
	p := &b.page
	p.Said = b.said(&m, session.AttackText(&m))
	p.Said.Title, p.Said.Severity = short(maxHeadline, c.Title), c.Severity
	p.Title = "Answer " + short(40, m.From) + "’s attack"
	p.Answer = b.attacked(c)
	if a := p.Answer; a.Target != "" {
		p.Title += " on"
		p.Ref = refLink{Name: a.Target, Href: a.Href}
	}
	return nil
}

// attacked says what an attack is on.
func (b *actBuilder) attacked(c *fold.Critique) *answerAct {
	a := &answerAct{Against: sharesIn(b.of)}
	items := b.of.View.Fold.Artifact()
	i := slices.IndexFunc(c.Targets, func(id string) bool {
		it := items.Item(artifact.ItemID(id))
		return it != nil && it.Active()
	})
	if i < 0 {
		return a
	}
	it := items.Item(artifact.ItemID(c.Targets[i]))
	a.Target, a.Name, a.Href, a.Claim = string(it.ID), short(120, it.Title()), b.reader.places.Item(it.ID), short(400, it.Lead())
	for _, s := range a.Against {
		if s.ID == a.Target {
			a.Percent = s.Percent
		}
	}
	for _, f := range it.Section.Fields() {
		if f.Kind == artifact.KindText && len(f.Values) == 0 && f.Name != artifact.Name {
			a.Fields = append(a.Fields, fieldText{f.Name, strings.ToLower(f.Label), it.Text(f.Name)})
		}
	}
	for k := range b.of.View.Critiques {
		o := &b.of.View.Critiques[k]
		if o.MessageID == c.MessageID || !slices.Contains(o.Targets, a.Target) || len(a.Earlier) == maxEarlier {
			continue
		}
		state := "answered"
		if b.of.View.Open(o) {
			state = "open"
		}
		a.Earlier = append(a.Earlier, earlierAttack{fmt.Sprintf("#%d", o.MessageID), messageURL(b.of.ID(), o.MessageID), state})
	}
	return a
}

// sharesIn are the living explanations of a session with what is believed of each, and none of these.
func sharesIn(of *session.Session) []shareLine {
	return shareLines(of.Account().Glance().Worlds)
}

// takeAct takes changes into the next version.
type takeAct struct {
	Next    int
	Changes string // how many
	Entries []mailEntry
	More    int
	Draft   string
	Persist bool // the version is written to a file as well
}

// maxTaken is how many messages with changes are shown.
const maxTaken = 12

func (b *actBuilder) take() error {
	p := &b.page
	latest := b.of.View.Fold.Latest()
	pending := b.of.View.Fold.Pending()
	t := &takeAct{Next: latest.Number + 1, Draft: threadURL(b.of.ID()) + "/draft", Changes: protocol.Plural(pending.Applied, "change")}
	p.Title = "Take in " + t.Changes
	ctx := b.request.Context()
	found, err := b.of.Timeline(ctx, session.TimelineQuery{After: latest.MessageID, Type: protocol.TypeDelta, Limit: maxTaken})
	if err != nil {
		return err
	}
	s, err := b.web.studied(b.of)
	if err != nil {
		return err
	}
	for _, e := range found.Entries {
		one := b.reader.entry(e)
		b.reader.tell(&one, s, cardMaker{b.of.ID(), b.web.sourceNamed})
		t.Entries = append(t.Entries, one)
	}
	slices.Reverse(t.Entries)
	p.Take = t
	return nil
}

// askAct asks an agent to do a test.
type askAct struct {
	Test, Name string
	Href       string
	Procedure  bodyText
	Agents     []fold.Member
	Words      string
}

func (b *actBuilder) ask() error {
	it, err := b.of.ActiveTest(b.name)
	if err != nil {
		return err
	}
	p := &b.page
	a := &askAct{Test: string(it.ID), Name: short(140, it.Title()), Href: b.reader.places.Item(it.ID),
		Procedure: bodyOf(it.Text(artifact.Procedure), inDrawer, b.reader.links)}
	for _, m := range b.of.View.Members() {
		if !protocol.SameAgent(m.Agent, mail.Operator) {
			a.Agents = append(a.Agents, m)
		}
	}
	a.Words = fmt.Sprintf("Can you run %s, “%s”? Please record what you find with its source, and say whether its control worked.",
		a.Test, a.Name)
	p.Title, p.Ref, p.Ask = "Ask an agent to run", refLink{Name: a.Test, Href: a.Href}, a
	return nil
}
