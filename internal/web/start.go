package web

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/transcript"
)

// startPage is the form that begins a session, or a further round of one.
type startPage struct {
	Lab      bool
	Thread   string // of a further round; empty: a new session
	After    string // the session that a new one goes on from; empty: none
	Round    int
	Question string // of the session that goes on
	Presets  []presetOption
	Roles    []roleOption
	Modes    []modeOption
	Programs []string
	Override []string // variables of the server that count more than the form
	Agents   []string // who is registered
	Sections []sectionOption
	Chosen   string // sections to quote
	Excerpt  string
	Findings []protocol.Finding // about the sections
}

type presetOption struct {
	ID, Name, About string
	Entries         string // as JSON, for the roster editor
}

type roleOption struct{ Value, Name string }

type modeOption struct{ Value, Name, About string }

type sectionOption struct {
	Number int
	Title  string
	Chosen bool
}

var modes = []modeOption{
	{string(protocol.ModeRoleSeparated), "a prompt for each role", "each agent gets the prompt of its role"},
	{string(protocol.ModeUnified), "one prompt for all", "all agents get the same prompt"},
	{string(protocol.ModeHeuristic), "roles guessed from names", "deprecated"},
}

// programs are those that the cockpit and the runner know; any other name will do as well.
var programs = []string{"claude-code", "codex-cli", "gemini-cli"}

// start shows the form. Quoting sections is a GET, so that it works without JavaScript.
func (w *Web) start(r *http.Request) (view, error) {
	query := r.URL.Query()
	p := startPage{Lab: w.options.Lab, Presets: presetOptions(w.deps.Presets), Modes: modes, Programs: programs,
		Override: w.deps.Environment, Chosen: query.Get("sections")}
	for _, role := range protocol.Roles() {
		p.Roles = append(p.Roles, roleOption{string(role), roleWords(string(role))})
	}
	v := view{Template: "start", Title: "Ask a question", Nav: "sessions", Still: true, Data: &p}
	agents, err := w.deps.Sessions.Mail().Agents(r.Context())
	if err != nil {
		return view{}, err
	}
	for _, a := range agents {
		if !a.Retired() && !protocol.SameAgent(a.Name, mail.Operator) {
			p.Agents = append(p.Agents, a.Name)
		}
	}
	if p.Thread, p.After = query.Get("thread"), query.Get("after"); p.Thread != "" || p.After != "" {
		if err := w.goesOn(r, &p); err != nil {
			return view{}, err
		}
	}
	switch {
	case p.Thread != "":
		v.Title = "Open a further round"
	case p.After != "":
		v.Title = "Go on in a new session"
	}
	w.quote(&p)
	return v, nil
}

// goesOn looks up the session that the form goes on from. A further round is of that session, whatever else is asked.
func (w *Web) goesOn(r *http.Request, p *startPage) error {
	if p.Thread != "" {
		p.After = ""
	}
	id := cmp.Or(p.Thread, p.After)
	if err := w.deps.Access(r.Context()).CheckThread(r.Context(), id); err != nil {
		return err
	}
	of, err := w.deps.Sessions.Session(r.Context(), id)
	if err != nil {
		return err
	}
	p.Round, p.Question = of.View.Round+1, of.View.Question
	return nil
}

// quote offers the sections of the transcript and quotes those that were chosen.
func (w *Web) quote(p *startPage) {
	t := w.deps.Transcript
	if t == nil {
		return
	}
	var chosen []int
	if p.Chosen != "" {
		numbers, err := transcript.ParseSelection(p.Chosen)
		if err != nil {
			p.Findings = []protocol.Finding{protocol.NewFinding(protocol.CodeOf(err), "%s", err.Error()).As(protocol.SeverityError)}
		}
		chosen = numbers
	}
	if len(chosen) > 0 {
		p.Excerpt, p.Findings = t.Excerpt(chosen)
	}
	numbers := make([]int, 0, t.Len())
	for n := range t.Numbers() {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		s, _ := t.Section(n)
		p.Sections = append(p.Sections, sectionOption{n, short(90, s.Title), slices.Contains(chosen, n)})
	}
}

// presetOptions lists the presets that a project can use.
func presetOptions(own []protocol.Preset) []presetOption {
	var list []presetOption
	for _, p := range protocol.Presets(own) {
		entries := slices.Clone(p.Entries)
		for i := range entries {
			if i < len(p.PlaceholderNames) {
				entries[i].AgentName = p.PlaceholderNames[i]
			}
		}
		data, err := json.Marshal(entries)
		if err != nil {
			panic(err) // plain data always encodes
		}
		list = append(list, presetOption{p.ID, p.Name, p.Description, string(data)})
	}
	return list
}
