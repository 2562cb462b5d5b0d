package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"brenner/internal/commandline"
	"brenner/internal/figure"
	"brenner/internal/fold"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/session"
)

// nowPerPage is how many questions the page shows with their agents at a time, and maxWaitCards how much of what waits it shows first.
const (
	nowPerPage   = 10
	maxWaitCards = 6
)

// nowPage is what everyone does, question by question, and what waits for the operator.
type nowPage struct {
	At        string // day and time
	Open      int
	Working   int // agents, of the questions of this page
	Look      int // agents that need a look
	Spent     string
	Cards     []waitCard
	MoreWaits int
	Questions []nowQuestion
	Pager     pager
	Drawer    *drawer
}

// waitCard is something that waits, with the one button for it.
type waitCard struct {
	Mark, Tone   string
	Title, About string
	Do           string // the word on its button
	Href         string
	Current      bool // its drawer is open
	key          string
}

// nowQuestion is a question with its agents.
type nowQuestion struct {
	ThreadID, Question string
	Stands             string // where belief stands, in a line
	Agents             []nowAgent
}

// nowAgent is an agent at work.
type nowAgent struct {
	By                 figure.Agent
	Maker              string // model and program
	Mark, Tone         string
	Word               session.DoingWord
	Says               string
	Money, Tokens      string
	Do, Href           string // what one may do about it
	Primary, Attention bool
}

func (w *Web) now(r *http.Request) (view, error) {
	at, err := pageOf(r.URL.Query())
	if err != nil {
		return view{}, err
	}
	readable, err := w.deps.Access(r.Context()).ThreadSet(r.Context())
	if err != nil {
		return view{}, err
	}
	found, err := w.deps.Sessions.Now(r.Context(), session.NowQuery{Threads: readable, Offset: (at - 1) * nowPerPage, Limit: nowPerPage})
	if err != nil {
		return view{}, err
	}
	b := nowBuilder{found: &found, now: w.options.Now(), page: at, open: r.URL.Query().Get("do")}
	b.pageURL = func(do string) string { return nowURL(at, do) }
	p := b.build()
	p.Pager = newPager(&url.URL{Path: "/now"}, at, nowPerPage, found.Open)
	if p.Drawer, err = w.drawer(r, &b); err != nil {
		return view{}, err
	}
	return view{Template: "now", Title: "Now", Nav: "now", Data: p}, nil
}

// nowURL is the address of a page of Now with a drawer open.
func nowURL(page int, do string) string {
	q := url.Values{}
	if page > 1 {
		q.Set("page", strconv.Itoa(page))
	}
	if do != "" {
		q.Set("do", do)
	}
	if len(q) == 0 {
		return "/now"
	}
	return "/now?" + q.Encode()
}

// nowBuilder makes the page of what was found.
type nowBuilder struct {
	found   *session.Now
	now     time.Time
	page    int
	open    string // the key of what is to be done in the drawer
	pageURL func(do string) string
}

func (b *nowBuilder) build() *nowPage {
	p := &nowPage{At: b.now.UTC().Format("Mon 2 Jan, 15:04") + " UTC", Open: b.found.Open}
	for i := range b.found.Waits {
		if len(p.Cards) == maxWaitCards {
			p.MoreWaits = b.found.Waiting - i
			break
		}
		p.Cards = append(p.Cards, b.card(&b.found.Waits[i]))
	}
	spent := 0.0
	for i := range b.found.Questions {
		q := b.question(&b.found.Questions[i])
		for j := range q.Agents {
			if q.Agents[j].Word == session.IsWorking {
				p.Working++
			}
			if q.Agents[j].Attention {
				p.Look++
			}
		}
		for _, a := range b.found.Questions[i].Agents {
			if a.Usage != nil && a.Usage.CostUSD != nil {
				spent += *a.Usage.CostUSD
			}
		}
		p.Questions = append(p.Questions, q)
	}
	if spent > 0 {
		p.Spent = fmt.Sprintf("$%.2f", spent)
	}
	return p
}

// waitWords says what waits without a word of the protocol, and what its button says.
func waitWords(t *session.ToDo) (mark, tone, title, about, do string) {
	agent := short(40, t.Agent)
	switch t.Kind {
	case session.ToDoGate:
		return "q", "late", fmt.Sprintf("Round %d may begin", t.Round), "the run asks whether to go on", "Decide"
	case session.ToDoAsk:
		return "key", "late", agent + " asks for consent", "its program waits for an answer", "Answer"
	case session.ToDoSignIn:
		return "key", "no", agent + " is signed out", "its service does not know it", "Sign in"
	case session.ToDoConnect:
		return "key", "late", agent + " asks for consent", "its program waits in its window", "Look"
	case session.ToDoAnswer:
		return "dia", "no", "Critical attack", "nobody has answered it", "Answer"
	case session.ToDoReply:
		return "q", "late", agent + " asks you", "and waits for an answer", "Answer"
	case session.ToDoRestart:
		return "no", "no", agent + " has ended", "before its part was done", "Start again"
	case session.ToDoNudge:
		return "bang", "late", agent + " is silent", "it owes an answer", "Remind"
	case session.ToDoRun:
		return "clk", "late", "The run has stopped", "it goes on when it is told to", "Go on"
	case session.ToDoRepair:
		return "bang", "late", "A change could not be read", "from " + agent, "Repair"
	case session.ToDoMend:
		return "pen", "", "The draft has gaps", "a version needs them closed", "See them"
	case session.ToDoCompile:
		return "merge", "", "Changes to take in", "into the next version", "Take in"
	}
	return "ring", "", string(t.Kind), "", "Look"
}

func (b *nowBuilder) card(t *session.ToDo) waitCard {
	c := waitCard{key: t.Key()}
	c.Mark, c.Tone, c.Title, c.About, c.Do = waitWords(t)
	about := []string{c.About}
	if name := b.nameOf(t.ThreadID); name != "" {
		about = []string{name}
	}
	if !t.Since.IsZero() {
		about = append(about, ago(t.Since.Time, b.now))
	}
	c.About, c.Href, c.Current = strings.Join(about, " · "), b.pageURL(c.key), c.key == b.open
	return c
}

// nameOf is a question in few words, if it is on this page.
func (b *nowBuilder) nameOf(thread string) string {
	for i := range b.found.Questions {
		if q := &b.found.Questions[i]; q.ThreadID == thread {
			return short(48, firstNonBlank(q.Text, q.ThreadID))
		}
	}
	return short(48, thread)
}

func (b *nowBuilder) question(q *session.AtWork) nowQuestion {
	v := verdictOf(&q.Belief)
	stands := []string{"nobody has said"}
	switch {
	case v.Word != "":
		stands = []string{strings.ToLower(v.Word), v.Lead}
	case len(q.Belief.Worlds) < 2:
		stands = []string{"no explanation yet"}
	}
	if q.Belief.Verdict == science.Unsaid && q.Pending > 0 {
		stands = append(stands, protocol.Plural(q.Pending, "change")+" to take in")
	}
	if q.Round > 0 {
		stands = append(stands, fmt.Sprintf("round %d", q.Round))
	}
	question := short(220, firstNonBlank(q.Text, q.ThreadID))
	out := nowQuestion{ThreadID: q.ThreadID, Question: question, Stands: strings.Join(stands, " · ")}
	cast := castOf(q.Members)
	for i := range q.Agents {
		out.Agents = append(out.Agents, b.agent(q, &q.Agents[i], cast.Of(q.Agents[i].Agent)))
	}
	return out
}

// doingMarks are the icon and the tone of what agents do.
var doingMarks = map[session.DoingWord][2]string{
	session.AsksConsent: {"key", "late"}, session.AsksQuestion: {"q", "late"}, session.HasEnded: {"no", "no"},
	session.IsSilent: {"bang", "late"}, session.IsSignedOut: {"key", "no"}, session.IsFailing: {"bang", "late"},
	session.IsPaused: {"clk", ""}, session.IsResting: {"clk", ""}, session.IsWorking: {"dot", "ok"}, session.IsIdle: {"ring", ""},
	session.NotJoined: {"clk", "late"}, session.NotSeen: {"ring", "dim"},
}

func (b *nowBuilder) agent(q *session.AtWork, a *session.Activity, by figure.Agent) nowAgent {
	n := nowAgent{By: by, Money: a.CostText(), Tokens: a.TokensText()}
	n.Word, n.Says = a.Doing(b.found.Waits, b.now)
	n.Says = short(160, n.Says)
	n.Mark, n.Tone = doingMarks[n.Word][0], doingMarks[n.Word][1]
	if i := slices.IndexFunc(q.Members, func(m fold.Member) bool { return protocol.SameAgent(m.Agent, a.Agent) }); i >= 0 {
		n.Maker = short(60, strings.Trim(q.Members[i].Model+", "+q.Members[i].Program, ", "))
	}
	if n.Tokens != "" {
		n.Tokens += " tokens"
	}
	for i := range b.found.Waits {
		if t := &b.found.Waits[i]; t.Of(a.ThreadID, a.Agent) && t.Kind != session.ToDoRepair {
			_, _, _, _, n.Do = waitWords(t)
			n.Href, n.Attention = b.pageURL(t.Key()), true
			n.Primary = t.Key() == b.open
			return n
		}
	}
	switch {
	case a.Where != nil && *a.Where == session.InRun && a.Round > 0:
		n.Do, n.Href = "Watch", turnURL(a.ThreadID, a.Round, a.Agent)
	case n.Word == session.IsIdle:
		n.Do, n.Href = "Give work", "/compose?"+url.Values{"to": {a.Agent}, "thread": {a.ThreadID}}.Encode()
	default:
		n.Do, n.Href = "Look in", agentURL(a.Agent)
	}
	return n
}

// changing turns a page function into a handler of a page that is made for each look: what programs do makes no
// event.
func (w *Web) changing(look maker) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		news, err := w.deps.Sessions.Revision(r.Context(), "")
		if err != nil {
			w.failIf(rw, r, err)
			return
		}
		v, err := look(r)
		if err != nil {
			w.failIf(rw, r, err)
			return
		}
		w.show(rw, r, v, news.Cursor)
	}
}

// drawer is where one acts on what waits: what it is about, and the field for it.
type drawer struct {
	Kind     session.ToDoKind
	Title    string
	Thread   string
	Question string
	By       *figure.Agent // who wrote it; nil: nobody did
	Subject  string
	Body     *bodyText // what it is about; nil: no message
	Message  int64
	Agent    string
	Round    int
	Command  string // what does it in a terminal
	Asks     string // what a program says of its need: hostile text
	Actor    string
	Place    int // among what waits, from 1
	Of       int
	Close    string
	Next     string // the address of the next one; empty: there is none
	NextName string
	After    string // where to go when it is done
}

// maxAsks bounds what is shown of what a program says.
const maxAsks = 400

// drawer opens what the address asks for; nil: nothing, or it is done already.
func (w *Web) drawer(r *http.Request, b *nowBuilder) (*drawer, error) {
	waits := b.found.Waits
	i := slices.IndexFunc(waits, func(t session.ToDo) bool { return t.Key() == b.open })
	if b.open == "" || i < 0 {
		return nil, nil //nolint:nilnil // there is none
	}
	t := &waits[i]
	_, _, title, _, _ := waitWords(t)
	d := &drawer{
		Kind: t.Kind, Title: title, Thread: t.ThreadID, Question: b.nameOf(t.ThreadID), Message: t.MessageID,
		Agent: t.Agent, Round: t.Round,
		Command: commandline.Of(t.Command), Asks: short(maxAsks, t.What),
		Actor: w.deps.Viewer(r.Context()).actor(), Place: i + 1, Of: b.found.Waiting,
		Close: b.pageURL(""), After: b.pageURL(""),
	}
	if len(waits) > 1 {
		next := &waits[(i+1)%len(waits)]
		_, _, d.NextName, _, _ = waitWords(next)
		d.Next = b.pageURL(next.Key())
		d.After = d.Next
	}
	if t.MessageID == 0 {
		return d, nil
	}
	m, err := w.deps.Access(r.Context()).Message(r.Context(), t.MessageID)
	if err != nil {
		return nil, err
	}
	rd := w.readerOf(w.deps.Sessions.Views(r.Context(), []string{t.ThreadID})[t.ThreadID], inDrawer)
	body := bodyOf(proseOf(m.Body), inDrawer, rd.links)
	by := rd.cast.Of(m.From)
	d.Subject, d.Body, d.By = short(maxHeadline, titleOf(m.Subject)), &body, &by
	return d, nil
}

// inDrawer shows one message beside the field for its answer.
var inDrawer = setting{12 << 10, 2, 20}

// titleOf is a subject without the word that says what kind of message it is.
func titleOf(subject string) string {
	if s, _ := protocol.ParseSubject(subject, protocol.Lenient); s.Description != "" {
		return s.Description
	}
	return subject
}
