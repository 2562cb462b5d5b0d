package session

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// Beliefs is what the agents of a thread believe, and how it came to that (SCIENCE 4).
func (s *Sessions) Beliefs(ctx context.Context, threadID string) (science.BeliefReport, error) {
	v, err := s.View(ctx, threadID)
	if err != nil {
		return science.BeliefReport{}, err
	}
	return v.Science.Beliefs.Report(&v.Science.Results), nil
}

// CheckOutcome says whether an outcome is one of a test's labels: UNKNOWN_OUTCOME with the labels as
// its fix if it is not.
func (s *Sessions) CheckOutcome(ctx context.Context, threadID string, test artifact.ItemID, outcome string) ([]protocol.Finding, error) {
	v, err := s.View(ctx, threadID)
	if err != nil {
		return nil, err
	}
	if f, ok := v.Science.Beliefs.CheckOutcome(test, outcome); !ok {
		return []protocol.Finding{f}, nil
	}
	return nil, nil
}

// WhatIf is what the agents would believe, had outcomes been recorded.
type WhatIf struct {
	Prior      map[string]float64 `json:"prior"`
	Posterior  map[string]float64 `json:"posterior"`
	BitsGained float64            `json:"bits_gained"`
	Tests      []science.Advice   `json:"tests"` // that would come next
	Findings   []protocol.Finding `json:"findings"`
}

// WhatIf supposes outcomes of tests; nothing is stored. NOT_FOUND: there is no such thread or test;
// CONFLICT: a test is killed or has a result; UNKNOWN_OUTCOME: an outcome is no label.
func (s *Sessions) WhatIf(ctx context.Context, threadID string, outcomes []science.Supposition) (WhatIf, error) {
	v, err := s.View(ctx, threadID)
	if err != nil {
		return WhatIf{}, err
	}
	out, err := v.Science.Beliefs.Suppose(outcomes)
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

// Calibration scores forecasts of one thread, or of all threads if threadID is empty.
func (s *Sessions) Calibration(ctx context.Context, threadID string, by CalibrationBy) ([]CalibrationRow, error) {
	threads, err := s.calibrated(ctx, threadID)
	if err != nil {
		return nil, err
	}
	rows := map[string]*CalibrationRow{}
	for _, id := range threads {
		v, err := s.View(ctx, id)
		if err != nil {
			return nil, err
		}
		people, err := s.people(ctx, v)
		if err != nil {
			return nil, err
		}
		for _, score := range v.Science.Beliefs.Scores(&v.Science.Results) {
			name := people.label(score.Agent, by)
			key := strings.ToLower(name)
			if rows[key] == nil {
				rows[key] = &CalibrationRow{By: name}
			}
			rows[key].add(score)
		}
	}
	list := []CalibrationRow{}
	for _, r := range rows {
		r.average()
		list = append(list, *r)
	}
	slices.SortFunc(list, func(a, b CalibrationRow) int { return cmp.Compare(a.By, b.By) })
	return list, nil
}

// calibrated are the threads whose forecasts are scored.
func (s *Sessions) calibrated(ctx context.Context, threadID string) ([]string, error) {
	if threadID != "" {
		return []string{threadID}, nil
	}
	threads, err := s.store().Threads(ctx, mail.ThreadQuery{Project: s.project()})
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, t := range threads {
		if t.Enforced() && !t.Archived() {
			ids = append(ids, t.ID)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// people are the agents of a thread, as its rosters and the registry know them.
type people struct {
	rostered   []science.Agent
	registered []mail.Agent
	families   map[string]string // more words, from the project file
}

func (s *Sessions) people(ctx context.Context, v *fold.View) (people, error) {
	agents, err := s.mail.Agents(ctx)
	return people{v.Science.Rostered, agents, s.settings.Families}, err
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
			return science.Agent{Name: name, Program: a.Program, Model: a.Model}
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
