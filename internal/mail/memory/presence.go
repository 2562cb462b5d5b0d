package memory

import (
	"cmp"
	"context"
	"slices"

	"brenner/internal/mail"
)

// PutPresences implements mail.Attendance.
func (s *Store) PutPresences(ctx context.Context, project mail.ProjectID, list ...mail.Presence) error {
	unlock, err := s.enter(ctx, project)
	if err != nil {
		return err
	}
	defer unlock()
	for _, p := range list {
		if agent := s.agent(project, p.Agent); agent != nil {
			p.Project, p.Agent = project, agent.Name
			s.presences = mail.KeepPresence(s.presences, p)
		}
	}
	return nil
}

// Presences implements mail.Attendance.
func (s *Store) Presences(ctx context.Context, project mail.ProjectID, agents ...string) ([]mail.Presence, error) {
	unlock, err := s.enter(ctx, project)
	if err != nil {
		return nil, err
	}
	defer unlock()
	list := mail.ChoosePresences(s.presences, project, agents...)
	slices.SortStableFunc(list, func(a, b mail.Presence) int {
		return cmp.Compare(s.agent(project, a.Agent).ID, s.agent(project, b.Agent).ID)
	})
	return list, nil
}
