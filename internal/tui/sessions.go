package tui

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"brenner/internal/commandline"
	"brenner/internal/fold"
	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/termtext"
)

// sessionsScreen lists the sessions of the project, those with problems first.
type sessionsScreen struct{}

func (sessionsScreen) title() string      { return "Sessions" }
func (sessionsScreen) tab() string        { return "Sessions" }
func (sessionsScreen) siblings() []tabbed { return home() }

func (sessionsScreen) header() row {
	return row{cells: []cell{
		{text: "   phase", width: 14}, {text: "round", width: 6}, {text: "ver", width: 5}, {text: "new", width: 5},
		{text: "crit", width: 5}, {text: "late", width: 5}, {text: "question"},
	}}
}

func (sessionsScreen) load(ctx context.Context, d data) ([]row, error) {
	list, err := d.List(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, func(a, b session.Summary) int { return cmp.Compare(trouble(b), trouble(a)) })
	rows := make([]row, 0, len(list))
	for i := range list {
		rows = append(rows, sessionRow(&list[i]))
	}
	if len(rows) == 0 {
		rows = paragraphs(plain, 2, "There is no session yet. In another terminal: "+
			commandline.Of(protocol.Operation("session.start").Giving("question")), d.width-2)
	}
	return rows, nil
}

func sessionRow(st *session.Summary) row {
	mark, look := "  ", plain
	if trouble(*st) > 0 {
		mark, look = "! ", bad
	}
	question := st.Question
	if question == "" {
		question = st.ThreadID
	}
	late := overdue(st)
	return row{
		key: st.ThreadID, open: tabs(st.ThreadID)[0],
		cells: []cell{
			{text: " " + mark, ink: look, width: 3}, {text: string(st.Phase), ink: phaseInk(st.Phase), width: 11},
			{text: strconv.Itoa(st.Round), width: 6}, {text: versionText(st.LatestVersion), width: 5},
			{text: number(st.PendingDeltas), ink: calm, width: 5}, {text: number(len(st.OpenCritiques)), ink: warn, width: 5},
			{text: number(late), ink: bad, width: 5}, {text: termtext.Visible(question)},
		},
	}
}

// trouble is how much of a session needs a person.
func trouble(st session.Summary) int {
	if st.Phase.Over() {
		return 0
	}
	n := overdue(&st)
	for _, f := range st.Findings {
		if f.Severity == protocol.SeverityError {
			n++
		}
	}
	for _, c := range st.OpenCritiques {
		if c.Critical() {
			n++
		}
	}
	return n
}

func overdue(st *session.Summary) int {
	n := 0
	for _, p := range st.Acks.Pending {
		if p.Overdue {
			n++
		}
	}
	return n
}

func phaseInk(p fold.Phase) ink {
	switch p {
	case fold.PhaseCritique:
		return warn
	case fold.PhaseCollecting, fold.PhaseKickoff:
		return calm
	default:
		return good
	}
}

func versionText(n int) string {
	if n == 0 {
		return "–"
	}
	return "v" + strconv.Itoa(n)
}

// number is empty for nothing, so that what is there stands out.
func number(n int) string {
	if n == 0 {
		return "·"
	}
	return strconv.Itoa(n)
}
