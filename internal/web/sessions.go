package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"brenner/internal/figure"
	"brenner/internal/fold"
	"brenner/internal/liveness"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// sessionsPerPage is how many sessions the list shows at a time.
const sessionsPerPage = 25

// sessionsPage is the list of all sessions.
type sessionsPage struct {
	Rows     []sessionRow
	Phases   []phaseTab
	Text     string
	Phase    fold.Phase
	Total    int
	Matching int
	Pager    pager
	Lab      bool
}

// phaseTab selects the sessions in one phase.
type phaseTab struct {
	Name    string
	Count   int
	URL     string
	Current bool
}

// sessionRow is one session of the list.
type sessionRow struct {
	session.Summary
	Overdue int
	Errors  int // findings since the latest version that reject something
	Crew    []member
	Missing int // agents that are dead or silent
}

// member is an agent of a session.
type member struct {
	By     figure.Agent
	Name   string
	Role   string
	State  liveness.State // empty: not known
	Reason string
}

var phases = []fold.Phase{fold.PhaseKickoff, fold.PhaseCollecting, fold.PhaseCompiled, fold.PhaseCritique, fold.PhaseComplete, fold.PhaseArchived}

// sessions shows the sessions of the project, most recently active first.
func (w *Web) sessions(r *http.Request) (view, error) {
	query := r.URL.Query()
	q := session.OverviewQuery{Text: query.Get("q"), Phase: fold.Phase(query.Get("phase"))}
	if q.Phase != "" && !slices.Contains(phases, q.Phase) {
		return view{}, protocol.Errorf(protocol.Usage, "there is no phase %q", q.Phase)
	}
	at, err := pageOf(query)
	if err != nil {
		return view{}, err
	}
	q.Offset, q.Limit = (at-1)*sessionsPerPage, sessionsPerPage
	if q.Threads, err = w.deps.Access(r.Context()).ThreadSet(r.Context()); err != nil {
		return view{}, err
	}
	overview, err := w.deps.Sessions.Overview(r.Context(), q)
	if err != nil {
		return view{}, err
	}
	p := sessionsPage{
		Text: q.Text, Phase: q.Phase, Total: overview.Total, Matching: overview.Matching, Lab: w.options.Lab,
		Phases: phaseTabs(q, overview.Phases), Pager: newPager(r.URL, at, sessionsPerPage, overview.Matching),
	}
	for _, st := range overview.Sessions {
		p.Rows = append(p.Rows, rowOf(st))
	}
	return view{Template: "sessions", Title: "Sessions", Nav: "sessions", Data: p}, nil
}

func phaseTabs(q session.OverviewQuery, counts map[fold.Phase]int) []phaseTab {
	all := 0
	tabs := []phaseTab{{Name: "all", Current: q.Phase == ""}}
	for _, phase := range phases {
		all += counts[phase]
		tabs = append(tabs, phaseTab{Name: string(phase), Count: counts[phase], Current: q.Phase == phase})
	}
	tabs[0].Count = all
	for i := range tabs {
		values := url.Values{}
		if q.Text != "" {
			values.Set("q", q.Text)
		}
		if i > 0 {
			values.Set("phase", tabs[i].Name)
		}
		tabs[i].URL = "/"
		if len(values) > 0 {
			tabs[i].URL += "?" + values.Encode()
		}
	}
	return tabs
}

func rowOf(st session.Summary) sessionRow {
	row := sessionRow{Summary: st, Crew: crewOf(st)}
	for _, p := range st.Acks.Pending {
		if p.Overdue {
			row.Overdue++
		}
	}
	for _, f := range st.Findings {
		if f.Severity == protocol.SeverityError {
			row.Errors++
		}
	}
	if st.Phase.Over() { // no agent is waited for any more
		for i := range row.Crew {
			row.Crew[i].State = ""
		}
	}
	for _, m := range row.Crew {
		if m.State == liveness.Dead || m.State == liveness.Silent {
			row.Missing++
		}
	}
	// What was counted is not shown.
	row.Members = nil
	row.Findings, row.Roles, row.Liveness, row.Acks.Pending = nil, nil, nil, nil
	return row
}

// Trouble tells whether a person should look after the session.
func (r sessionRow) Trouble() bool {
	return r.Overdue+r.Errors+r.Missing > 0 && !r.Phase.Over()
}

// crewOf lists who takes part: those that a verdict is given about, then those that only the roster or
// the artifact names.
func crewOf(st session.Summary) []member {
	var crew []member
	known := func(name string) bool {
		return slices.ContainsFunc(crew, func(m member) bool { return protocol.SameAgent(m.Name, name) })
	}
	for _, a := range st.Liveness {
		m := member{Name: a.Name, State: a.State, Reason: a.Reason}
		if a.Role != nil {
			m.Role = roleWords(*a.Role)
		}
		crew = append(crew, m)
	}
	roles := make([]string, 0, len(st.Roles))
	for role := range st.Roles {
		roles = append(roles, role)
	}
	slices.Sort(roles)
	for _, role := range roles {
		for _, name := range st.Roles[role].Agents {
			if !known(name) {
				crew = append(crew, member{Name: name, Role: roleWords(role)})
			}
		}
	}
	cast := castOf(st.Members)
	for i := range crew {
		crew[i].By = cast.Of(crew[i].Name)
	}
	return crew
}

// roleWords is a role as a person says it.
func roleWords(role string) string {
	if role == "unassigned" {
		return ""
	}
	return strings.ReplaceAll(role, "_", " ")
}

// pageOf reads the number of a page.
func pageOf(query url.Values) (int, error) {
	text := query.Get("page")
	if text == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 1_000_000 {
		return 0, protocol.Errorf(protocol.Usage, "%q is no number of a page", text)
	}
	return n, nil
}
