package session

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"brenner/internal/mail"
	"brenner/internal/science"
)

// CalibrationBy says whose forecasts are taken together.
type CalibrationBy string

// The three ways.
const (
	ByAgent  CalibrationBy = "agent"
	ByModel  CalibrationBy = "model"
	ByFamily CalibrationBy = "family"
)

// label names the forecasts that those of an agent are taken together with.
func (by CalibrationBy) label(people science.People, name string) string {
	switch by {
	case ByModel:
		return cmp.Or(people.Agent(name).Model, science.UnknownFamily)
	case ByFamily:
		return people.Family(name)
	}
	return name
}

// Calibration scores the forecasts of the session (SCIENCE 7).
func (s *Session) Calibration(by CalibrationBy) []science.CalibrationRow {
	return science.Calibrate(s.scored(by))
}

// Calibration scores the forecasts of all sessions of the project, or of some.
func (s *Sessions) Calibration(ctx context.Context, by CalibrationBy, only mail.ThreadSet) ([]science.CalibrationRow, error) {
	threads, err := s.store().Threads(ctx, mail.ThreadQuery{Project: s.project()})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(threads, func(a, b mail.Thread) int { return strings.Compare(a.ID, b.ID) })
	var scores []science.Scored
	for _, t := range threads {
		if !t.Enforced() || t.Archived() || !only.Has(t.ID) {
			continue
		}
		one, err := s.forecasts(ctx, t)
		if err != nil {
			return nil, err
		}
		scores = append(scores, one.scored(by)...)
	}
	return science.Calibrate(scores), nil
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

// scored lists the scores of the session under the names that they are taken together by.
func (s *Session) scored(by CalibrationBy) []science.Scored {
	people := s.People()
	var list []science.Scored
	for _, score := range s.Account().Scores() {
		list = append(list, science.Scored{By: by.label(people, score.Agent), Thread: s.ID(), Score: score})
	}
	return list
}
