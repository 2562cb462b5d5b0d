package foreign

import (
	"context"

	"brenner/internal/mail"
)

// PutPresences implements mail.Attendance: kept as long as the process lasts. The server has no
// place for it, so that other processes do not see it.
func (s *Store) PutPresences(_ context.Context, project mail.ProjectID, list ...mail.Presence) error {
	if _, err := s.project(project); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range list {
		p.Project = project
		s.present = mail.KeepPresence(s.present, p)
	}
	return nil
}

// Presences implements mail.Attendance: what this process noted itself.
func (s *Store) Presences(_ context.Context, project mail.ProjectID, agents ...string) ([]mail.Presence, error) {
	if _, err := s.project(project); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return mail.ChoosePresences(s.present, project, agents...), nil
}
