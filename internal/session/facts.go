package session

import "time"

// Asked is when the agents were first called; for a thread without a call, when its first message came.
func (s *Session) Asked() time.Time {
	if calls := s.View.Called(); len(calls) > 0 {
		return calls[0].At
	}
	return s.Thread.CreatedAt
}

// Families counts the model families of the roster, without those that nobody knows.
func (s *Session) Families() int { return families(s.People(), s.View.Members()) }
