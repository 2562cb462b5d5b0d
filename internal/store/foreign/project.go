package foreign

import (
	"context"
	"errors"
	"time"

	"brenner/internal/mail"
	"brenner/internal/mcpclient"
)

// projectObject is a project as the wire contract has it.
type projectObject struct {
	ID        number  `json:"id"`
	Slug      word    `json:"slug"`
	HumanKey  word    `json:"human_key"`
	CreatedAt instant `json:"created_at"`
}

// Projects implements mail.Store: those that were asked for here. The server lists none.
func (s *Store) Projects(context.Context) ([]mail.Project, error) {
	if err := s.open(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []mail.Project
	for _, p := range s.projects {
		list = append(list, p)
	}
	return list, nil
}

// FindProject implements mail.Finder. A server that refuses without a code of ours may have the project all the same:
// it is then asked to make it, so that mail that is there is never taken for none.
func (s *Store) FindProject(ctx context.Context, humanKey string) (mail.Project, bool, error) {
	if err := s.open(); err != nil {
		return mail.Project{}, false, err
	}
	var found projectObject
	err := s.caller.Resource(ctx, "project", mail.Slug(humanKey), nil, &found)
	switch {
	case err == nil && string(found.HumanKey) == humanKey:
		return s.know(&found, humanKey), true, nil
	case err == nil || errors.Is(err, mcpclient.ErrUncoded): // also one of another path: both may have one slug
		p, err := s.EnsureProject(ctx, humanKey, time.Time{})
		return p, err == nil, err
	case absent(err):
		return mail.Project{}, false, nil
	}
	return mail.Project{}, false, err
}

// EnsureProject implements mail.Store.
func (s *Store) EnsureProject(ctx context.Context, humanKey string, _ time.Time) (mail.Project, error) {
	if err := s.open(); err != nil {
		return mail.Project{}, err
	}
	var made projectObject
	if err := s.caller.Tool(ctx, "ensure_project", arguments{"human_key": humanKey}, &made); err != nil {
		return mail.Project{}, err
	}
	return s.know(&made, humanKey), nil
}

// know keeps what the server says of the project of a path.
func (s *Store) know(o *projectObject, humanKey string) mail.Project {
	p := mail.Project{
		ID: mail.ProjectID(o.ID), Slug: or(string(o.Slug), mail.Slug(humanKey)), HumanKey: or(string(o.HumanKey), humanKey),
		CreatedAt: o.CreatedAt.time(),
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.ID == 0 { // the server does not number its projects
		p.ID = s.numbered(p.HumanKey)
	}
	s.projects[p.ID] = p
	return p
}

// numbered gives a project a number of its own, the same each time.
func (s *Store) numbered(humanKey string) mail.ProjectID {
	for id, have := range s.projects {
		if have.HumanKey == humanKey {
			return id
		}
	}
	id := mail.ProjectID(1)
	for s.projects[id].HumanKey != "" {
		id++
	}
	return id
}
