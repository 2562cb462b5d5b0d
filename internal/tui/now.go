package tui

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"time"

	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/termtext"
)

// nowScreen is the first screen: what agents do, those that need help first.
type nowScreen struct{}

func (nowScreen) title() string       { return "Now" }
func (nowScreen) tab() string         { return "Now" }
func (nowScreen) siblings() []tabbed  { return home() }
func (nowScreen) pace() time.Duration { return 2 * time.Second }
func (nowScreen) header() row         { return activityHeader }
func (nowScreen) hints() string       { return agentHints }

const agentHints = "o output  n nudge  R restart  p pause  Tab next  ? help  q quit"

var activityHeader = row{cells: []cell{
	{text: " state", width: 17}, {text: "agent", width: 13}, {text: "rd", width: 3}, {text: "left", width: 5}, {text: "quiet", width: 6},
	{text: "cpu", width: 5},
	{text: "cost", width: 6}, {text: "last line"},
}}

func (nowScreen) load(ctx context.Context, d data) ([]row, error) {
	todos, err := d.ToDos(ctx, nil)
	if err != nil {
		return nil, err
	}
	found, err := d.Activity(ctx, nil)
	if err != nil {
		return nil, err
	}
	var rows []row
	if n := len(todos); n > 0 {
		waits := say(bad, fmt.Sprintf(" %s for you: %s", waiting(n), todos[0].What))
		waits.key, waits.open = "todo", todoScreen{}
		rows = append(rows, waits)
	}
	thread := ""
	for i := range found.Agents {
		a := &found.Agents[i]
		if a.ThreadID != thread {
			thread = a.ThreadID
			name := say(strong, " "+thread)
			name.key, name.open, name.of = thread, tabs(thread)[0], target{thread: thread}
			rows = append(rows, name)
		}
		rows = append(rows, activityRow(a, todos, d.Mail().Now()))
	}
	if len(found.Agents) == 0 {
		rows = append(rows, paragraphs(plain, 1, "Nobody is at work. Tab shows what waits for you, then the sessions.", d.width-1)...)
	}
	if found.Quiet > 0 {
		rows = append(rows, say(dim, fmt.Sprintf(" and %s without a sign for a day", protocol.Plural(found.Quiet, "session"))))
	}
	return rows, nil
}

func waiting(n int) string {
	if n == 1 {
		return "1 thing waits"
	}
	return strconv.Itoa(n) + " things wait"
}

// doingInk is the ink of what agents do; what it does not list is calm.
var doingInk = map[session.DoingWord]ink{
	session.AsksConsent: warn, session.AsksQuestion: warn, session.IsFailing: warn, session.IsPaused: warn, session.NotJoined: warn,
	session.IsSignedOut: bad, session.HasEnded: bad, session.IsSilent: bad, session.IsWorking: good, session.NotSeen: dim,
}

// activityRow is an agent in one line, in the words of the page Now. waits is what waits for a person.
func activityRow(a *session.Activity, waits []session.ToDo, now time.Time) row {
	word, says := a.Doing(waits, now)
	look, known := doingInk[word]
	if !known {
		look = calm
	}
	text := a.LastLine
	if text == "" || word != session.IsWorking {
		text = says
	}
	return row{
		key: a.ThreadID + "/" + a.Agent, open: whyScreen{a.Agent}, of: target{a.ThreadID, a.Agent, a.Paused},
		cells: []cell{
			{text: " " + string(word), ink: look, width: 17}, {text: termtext.Visible(a.Agent), ink: strong, width: 13},
			{text: strconv.Itoa(a.Round), ink: dim, width: 3},
			{text: a.LeftText(), width: 5}, {text: a.OutputAgeText(), ink: dim, width: 6}, {text: a.CPUText(), width: 5},
			{text: cmp.Or(a.CostText(), a.TokensText()), ink: dim, width: 6},
			{text: termtext.Visible(text)},
		},
	}
}

// logScreen shows what the program of an agent printed, the end of it.
type logScreen struct{ thread, agent string }

func (s logScreen) title() string     { return s.agent + " printed" }
func (logScreen) header() row         { return row{} }
func (logScreen) pace() time.Duration { return time.Second }

// maxLogRows is how much of it is shown; brenner logs shows all.
const maxLogRows = 1000

func (s logScreen) load(ctx context.Context, d data) ([]row, error) {
	text, err := d.hands.Log(ctx, s.thread, s.agent)
	if err != nil {
		return nil, err
	}
	rows := paragraphs(plain, 1, text, d.width-1)
	rows = rows[max(0, len(rows)-maxLogRows):]
	for i := range rows { // lines may repeat: each is a row of its own
		rows[i].key, rows[i].of = strconv.Itoa(i), target{thread: s.thread, agent: s.agent}
	}
	if text == "" {
		rows = []row{say(dim, " It has printed nothing yet.")}
	}
	return rows, nil
}
