package tui

import (
	"context"

	"brenner/internal/termtext"
	"brenner/liveness"
)

// agentsScreen says of each agent of a session whether it works, waits or is gone.
type agentsScreen struct{ id string }

func (s agentsScreen) title() string  { return s.id }
func (s agentsScreen) tab() string    { return "Agents" }
func (s agentsScreen) thread() string { return s.id }
func (agentsScreen) header() row      { return row{} }

func (s agentsScreen) load(ctx context.Context, d desk) ([]row, error) {
	verdicts, err := d.Liveness(ctx, s.id)
	if err != nil {
		return nil, err
	}
	rows := make([]row, 0, len(verdicts))
	for _, v := range verdicts {
		rows = append(rows, row{
			key: v.Agent, open: whyScreen{v.Agent},
			cells: []cell{
				{width: 1}, {text: string(v.State), ink: stateInk(v.State), width: 9}, {text: termtext.Visible(v.Agent), ink: strong, width: 18},
				{text: termtext.Visible(v.Reason)},
			},
		})
	}
	return rows, nil
}

func stateInk(s liveness.State) ink {
	switch s {
	case liveness.Working:
		return good
	case liveness.Waiting, liveness.Idle:
		return calm
	case liveness.Dead, liveness.Silent:
		return bad
	default:
		return dim
	}
}

// lostRows are the agents of whom nothing more may come.
func lostRows(verdicts []liveness.Verdict) []row {
	var rows []row
	for _, v := range verdicts {
		if v.State == liveness.Dead || v.State == liveness.Silent {
			rows = append(rows, problem(bad, string(v.State), v.Agent+": "+v.Reason, whyScreen{v.Agent}))
		}
	}
	return rows
}

// whyScreen shows the facts behind a verdict.
type whyScreen struct{ agent string }

func (s whyScreen) title() string { return "Why: " + s.agent }
func (whyScreen) header() row     { return row{} }

func (s whyScreen) load(ctx context.Context, d desk) ([]row, error) {
	v, err := d.Why(ctx, s.agent)
	if err != nil {
		return nil, err
	}
	rows := append(paragraphs(stateInk(v.State), 1, string(v.State)+": "+v.Reason, d.width-1), row{})
	for _, e := range v.Evidence {
		r := say(plain, e.Value)
		r.cells = append([]cell{{width: 1}, {text: termtext.Visible(e.Fact), ink: dim, width: 20}}, r.cells...)
		rows = append(rows, r)
	}
	if v.NextStep != "" {
		rows = append(append(rows, row{}), paragraphs(calm, 1, v.NextStep, d.width-1)...)
	}
	return rows, nil
}
