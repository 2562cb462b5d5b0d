package session

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// Beliefs is what the agents of a thread believe, and how it came to that (SCIENCE 4).
func (s *Session) Beliefs() science.BeliefReport {
	return s.View.Science.BeliefReport()
}

// WhatIf is what the agents would believe, had outcomes been recorded.
type WhatIf struct {
	Prior      map[string]float64 `json:"prior"`
	Posterior  map[string]float64 `json:"posterior"`
	BitsGained float64            `json:"bits_gained"`
	Tests      []science.Advice   `json:"tests"` // that would come next
	Findings   []protocol.Finding `json:"findings"`
}

// WhatIf supposes outcomes of tests; nothing is stored. NOT_FOUND: there is no such test;
// CONFLICT: a test is killed or has a result; UNKNOWN_OUTCOME: an outcome is no label.
func (s *Session) WhatIf(outcomes []science.Supposition) (WhatIf, error) {
	out, err := s.View.Science.Beliefs.Suppose(outcomes)
	if err != nil {
		return WhatIf{}, err
	}
	return WhatIf{out.Prior, out.Posterior, out.BitsGained, out.Next.Tests, out.Findings}, nil
}

// CalibrationBy says whose scores are taken together.
type CalibrationBy string

// The three ways.
const (
	ByAgent  CalibrationBy = "agent"
	ByModel  CalibrationBy = "model"
	ByFamily CalibrationBy = "family"
)

// CalibrationRow is how well an agent or family foresaw outcomes on average, beside a forecaster that finds
// all labels equally likely (SCIENCE 6). Less is better.
type CalibrationRow struct {
	By              string  `json:"by"`
	N               int     `json:"n"`
	Brier           float64 `json:"brier"`
	LogBits         float64 `json:"log_bits"`
	BaselineBrier   float64 `json:"baseline_brier"`
	BaselineLogBits float64 `json:"baseline_log_bits"`
}

func (r *CalibrationRow) add(score science.Score) {
	r.N++
	r.Brier += score.Brier
	r.LogBits += score.LogBits
	r.BaselineBrier += score.BaselineBrier
	r.BaselineLogBits += score.BaselineLogBits
}

func (r *CalibrationRow) average() {
	n := float64(r.N)
	r.Brier, r.LogBits, r.BaselineBrier, r.BaselineLogBits = r.Brier/n, r.LogBits/n, r.BaselineBrier/n, r.BaselineLogBits/n
}

// Calibration scores the forecasts of the session.
func (s *Session) Calibration(by CalibrationBy) []CalibrationRow {
	rows := calibration{}
	rows.add(s, by)
	return rows.list()
}

// Calibration scores the forecasts of all sessions of the project, or of some.
func (s *Sessions) Calibration(ctx context.Context, by CalibrationBy, only mail.ThreadSet) ([]CalibrationRow, error) {
	threads, err := s.store().Threads(ctx, mail.ThreadQuery{Project: s.project()})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(threads, func(a, b mail.Thread) int { return strings.Compare(a.ID, b.ID) })
	rows := calibration{}
	for _, t := range threads {
		if !t.Enforced() || t.Archived() || !only.Has(t.ID) {
			continue
		}
		one, err := s.forecasts(ctx, t)
		if err != nil {
			return nil, err
		}
		rows.add(one, by)
	}
	return rows.list(), nil
}

// forecasts takes of a session what its scores need: neither the library nor the sessions that it refers to.
func (s *Sessions) forecasts(ctx context.Context, thread mail.Thread) (*Session, error) {
	v, err := s.threads.Read(ctx, thread)
	if err != nil {
		return nil, err
	}
	agents, err := s.registered(ctx, v.Participants)
	return &Session{revision: &revision{View: v, Thread: thread, of: s, agents: agents}}, err
}

// calibration gathers scores under the name that they are taken together by, ignoring case.
type calibration map[string]*CalibrationRow

func (c calibration) add(s *Session, by CalibrationBy) {
	people := s.people()
	for _, score := range s.View.Science.Beliefs.Scores(&s.View.Science.Results) {
		name := people.label(score.Agent, by)
		key := strings.ToLower(name)
		if c[key] == nil {
			c[key] = &CalibrationRow{By: name}
		}
		c[key].add(score)
	}
}

func (c calibration) list() []CalibrationRow {
	list := []CalibrationRow{}
	for _, r := range c {
		r.average()
		list = append(list, *r)
	}
	slices.SortFunc(list, func(a, b CalibrationRow) int { return cmp.Compare(a.By, b.By) })
	return list
}

// people are the agents of a thread, as its rosters and the registry know them.
type people struct {
	rostered   []science.Agent
	registered []science.Agent
	families   map[string]string // more words, from the project file
}

func (s *Session) people() people {
	return people{s.View.Science.Rostered, s.agents, s.of.settings.Families}
}

// agent describes an agent by the rosters of the thread's KICKOFFs, else by the registry.
func (p people) agent(name string) science.Agent {
	for _, a := range p.rostered {
		if protocol.SameAgent(a.Name, name) {
			return a
		}
	}
	for _, a := range p.registered {
		if protocol.SameAgent(a.Name, name) {
			a.Name = name
			return a
		}
	}
	return science.Agent{Name: name}
}

func (p people) family(name string) string { return p.agent(name).Family(p.families) }

func (p people) label(name string, by CalibrationBy) string {
	switch by {
	case ByModel:
		return cmp.Or(p.agent(name).Model, science.UnknownFamily)
	case ByFamily:
		return p.family(name)
	}
	return name
}
