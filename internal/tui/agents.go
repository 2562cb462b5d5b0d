package tui

import (
	"context"
	"time"

	"brenner/internal/commandline"
	"brenner/internal/liveness"
	"brenner/internal/termtext"
)

// agentsScreen says of each agent of a session whether it works, waits or is gone.
type agentsScreen struct{ id string }

func (s agentsScreen) title() string      { return s.id }
func (s agentsScreen) tab() string        { return "Agents" }
func (s agentsScreen) siblings() []tabbed { return tabs(s.id) }
func (agentsScreen) header() row          { return activityHeader }
func (agentsScreen) hints() string        { return agentHints }
func (agentsScreen) pace() time.Duration  { return 2 * time.Second }

func (s agentsScreen) load(ctx context.Context, d data) ([]row, error) {
	of, err := d.Session(ctx, s.id)
	if err != nil {
		return nil, err
	}
	found, err := of.Activity(ctx)
	if err != nil {
		return nil, err
	}
	waits, err := of.ToDos(ctx)
	if err != nil {
		return nil, err
	}
	rows := make([]row, 0, len(found.Agents))
	for i := range found.Agents {
		rows = append(rows, activityRow(&found.Agents[i], waits, d.Mail().Now()))
	}
	return rows, nil
}

func stateInk(s liveness.State) ink {
	switch s {
	case liveness.Working:
		return good
	case liveness.Waiting, liveness.Idle, liveness.Resting:
		return calm
	case liveness.Dead, liveness.Silent, liveness.SignedOut:
		return bad
	case liveness.Asks, liveness.Failing:
		return warn
	default:
		return dim
	}
}

// whyScreen shows the facts behind a verdict.
type whyScreen struct{ agent string }

func (s whyScreen) title() string { return "Why: " + s.agent }
func (whyScreen) header() row     { return row{} }

func (s whyScreen) load(ctx context.Context, d data) ([]row, error) {
	v, err := d.Why(ctx, s.agent)
	if err != nil {
		return nil, err
	}
	rows := append(paragraphs(stateInk(v.State), 1, v.State.Words()+": "+v.Reason, d.width-1), row{})
	for _, e := range v.Evidence {
		r := say(plain, e.Value)
		r.cells = append([]cell{{width: 1}, {text: termtext.Visible(e.Fact), ink: dim, width: 20}}, r.cells...)
		rows = append(rows, r)
	}
	if v.NextStep != "" {
		rows = append(append(rows, row{}), paragraphs(calm, 1, commandline.Fix(v.NextStep, v.Action), d.width-1)...)
	}
	return rows, nil
}
