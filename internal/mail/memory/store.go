// Package memory is a mail store in memory: the model that the engines are measured against,
// and what tests use that need a store but no file. Nothing outlives it.
package memory

import (
	"context"
	"slices"
	"sync"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// Store implements mail.Store and mail.Archiver.
type Store struct {
	mu           sync.Mutex
	closed       bool
	projects     []mail.Project
	agents       []mail.Agent
	messages     []mail.Message // message n is at n-1, archived or not
	deliveries   map[int64][]mail.DeliveryRow
	threads      map[threadKey]*mail.Thread
	events       []mail.Event // event n is at n-1
	reservations []mail.Reservation
	presences    []mail.Presence
	notes        map[noteKey]mail.Note
	projections  map[projectionKey]mail.Projection
	archived     map[threadKey]mail.ArchivedThread
	leaves       []mail.LeafRow
	lastTime     time.Time     // of the last message accepted here
	changed      chan struct{} // closed and made anew when there are events
}

type threadKey struct {
	project mail.ProjectID
	id      string
}

type projectionKey struct {
	project mail.ProjectID
	kind    mail.ProjectionKind
	key     string
}

type noteKey struct {
	project mail.ProjectID
	kind    mail.NoteKind
	key     string
}

var (
	_ mail.Store    = (*Store)(nil)
	_ mail.Archiver = (*Store)(nil)

	_ mail.ThreadArchiver = (*Store)(nil)
	_ mail.Journalist     = (*Store)(nil)
)

// New makes an empty store.
func New() *Store {
	return &Store{
		deliveries:  map[int64][]mail.DeliveryRow{},
		threads:     map[threadKey]*mail.Thread{},
		projections: map[projectionKey]mail.Projection{},
		notes:       map[noteKey]mail.Note{},
		archived:    map[threadKey]mail.ArchivedThread{},
		changed:     make(chan struct{}),
	}
}

// lock enters the store unless it is closed or the context has ended.
func (s *Store) lock(ctx context.Context) (unlock func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil, mail.Closed()
	}
	return s.mu.Unlock, nil
}

// enter is lock for calls about one project.
func (s *Store) enter(ctx context.Context, project mail.ProjectID) (unlock func(), err error) {
	unlock, err = s.lock(ctx)
	if err == nil && (project < 1 || int(project) > len(s.projects)) {
		unlock()
		return nil, mail.NoProject(project)
	}
	return unlock, err
}

// Close implements mail.Store.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.closed = true
		close(s.changed)
	}
	return nil
}

// Status implements mail.Store.
func (s *Store) Status(ctx context.Context) (mail.Status, error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return mail.Status{}, err
	}
	defer unlock()
	last := int64(len(s.messages))
	return mail.Status{
		Engine: "memory", Location: "memory", Schema: 1, Messages: last, Indexed: last,
		Cursor: mail.Cursor(len(s.events)), Atomic: true,
	}, nil
}

// EnsureProject implements mail.Directory.
func (s *Store) EnsureProject(ctx context.Context, humanKey string, at time.Time) (mail.Project, error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return mail.Project{}, err
	}
	defer unlock()
	p := mail.Project{
		ID: mail.ProjectID(len(s.projects) + 1), Slug: mail.Slug(humanKey), HumanKey: humanKey, CreatedAt: mail.Truncate(at),
	}
	for _, have := range s.projects {
		if have.HumanKey == humanKey {
			return have, nil
		}
		if have.Slug == p.Slug {
			return mail.Project{}, mail.SlugTaken(humanKey, have)
		}
	}
	s.projects = append(s.projects, p)
	return p, nil
}

// Projects implements mail.Directory.
func (s *Store) Projects(ctx context.Context) ([]mail.Project, error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	return slices.Clone(s.projects), nil
}

// PutAgent implements mail.Directory.
func (s *Store) PutAgent(ctx context.Context, a mail.Agent) (mail.Agent, error) {
	unlock, err := s.enter(ctx, a.Project)
	if err != nil {
		return mail.Agent{}, err
	}
	defer unlock()
	a.InceptionAt, a.LastActiveAt, a.RetiredAt = mail.Truncate(a.InceptionAt), mail.Truncate(a.LastActiveAt), mail.Truncate(a.RetiredAt)
	if a.ID == 0 {
		if have := s.agent(a.Project, a.Name); have != nil {
			return mail.Agent{}, mail.NameTaken(a.Name)
		}
		a.ID = mail.AgentID(len(s.agents) + 1)
		s.agents = append(s.agents, a)
		return a, nil
	}
	if int(a.ID) > len(s.agents) || s.agents[a.ID-1].Project != a.Project {
		return mail.Agent{}, protocol.Errorf(protocol.NotFound, "there is no agent %d", a.ID)
	}
	have := &s.agents[a.ID-1]
	a.Name, a.InceptionAt = have.Name, have.InceptionAt
	*have = a
	return a, nil
}

// agent finds an agent ignoring case; nil if there is none.
func (s *Store) agent(project mail.ProjectID, name string) *mail.Agent {
	key := mail.NameKey(name)
	for i := range s.agents {
		if a := &s.agents[i]; a.Project == project && mail.NameKey(a.Name) == key {
			return a
		}
	}
	return nil
}
