package session

import "brenner/internal/science"

// Beliefs is what the agents of a thread believe, and how it came to that (SCIENCE 4).
func (s *Session) Beliefs() science.BeliefReport {
	report := s.Account().Report()
	report.Findings = append(report.Findings, staleResults(s.library, s.Results())...)
	return report
}

// Account is what the agents believe, worked out once for all who hold the session.
func (s *Session) Account() *science.Account {
	return s.believed.get(func() *science.Account { return s.View.Science.Account(s.People()) })
}

// Ranking ranks the tests that could be done now by bits per effort (SCIENCE 5).
func (s *Session) Ranking() science.Ranking {
	return s.ranked.get(func() science.Ranking { return s.Account().Next(science.ByBitsPerEffort) })
}

// Reasons say why belief is what it is, and what the answer hangs on (SCIENCE 6).
func (s *Session) Reasons() science.Reasons { return s.reasoned.get(s.Account().Reasons) }

// WhatIf is what the agents would believe, had outcomes been recorded.
type WhatIf struct {
	Prior      map[string]float64 `json:"prior"`
	Posterior  map[string]float64 `json:"posterior"`
	BitsGained float64            `json:"bits_gained"`
	Tests      []science.Advice   `json:"tests"` // that would come next
}

// WhatIf supposes outcomes of tests; nothing is stored. NOT_FOUND: there is no such test;
// CONFLICT: a test is killed or has a result; UNKNOWN_OUTCOME: an outcome is no label.
func (s *Session) WhatIf(outcomes []science.Supposition) (WhatIf, error) {
	out, err := s.Account().Suppose(outcomes)
	if err != nil {
		return WhatIf{}, err
	}
	return WhatIf{out.Prior, out.Posterior, out.BitsGained, out.Next.Tests}, nil
}
