package foreign

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"brenner/internal/mail"
	"brenner/internal/mcpclient"
	"brenner/internal/protocol"
)

// Options are the settings of a store.
type Options struct {
	Getenv func(string) string // nil: no variables
	Client *http.Client        // nil: one of its own
}

// Store is the mail of one foreign server. Safe for concurrent use.
type Store struct {
	caller   *mcpclient.Client
	endpoint string
	owned    *http.Transport // nil if the client was given
	closed   atomic.Bool

	mu       sync.Mutex
	projects map[mail.ProjectID]mail.Project
	kept     map[projectionKey]mail.Projection
	present  []mail.Presence
}

type projectionKey struct {
	project mail.ProjectID
	kind    mail.ProjectionKind
	key     string
}

var (
	_ mail.Store      = (*Store)(nil)
	_ mail.Finder     = (*Store)(nil)
	_ mail.Complainer = (*Store)(nil)
)

// Open makes the store of a DSN, mcp+http://host:port/path/, and sees whether the server answers.
// USAGE: the DSN cannot be read. STORE_UNAVAILABLE: there is no answer.
func Open(ctx context.Context, dsn string, o Options) (*Store, error) {
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	at, err := placeOf(dsn, o.Getenv)
	if err != nil {
		return nil, err
	}
	s := &Store{projects: map[mail.ProjectID]mail.Project{}, kept: map[projectionKey]mail.Projection{}}
	if o.Client == nil {
		s.owned = &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 8, IdleConnTimeout: time.Minute}
		o.Client = &http.Client{Transport: s.owned}
	}
	s.endpoint = at.endpoint
	s.caller = mcpclient.HTTP(mcpclient.HTTPOptions{Endpoint: at.endpoint, Token: at.token, TokenHint: tokenVariable, Client: o.Client})
	if _, err := s.Status(ctx); err != nil {
		_ = s.Close() // the first error says what is wrong
		return nil, err
	}
	return s, nil
}

// Close implements mail.Store.
func (s *Store) Close() error {
	s.closed.Store(true)
	if s.owned != nil {
		s.owned.CloseIdleConnections()
	}
	return nil
}

// Status implements mail.Store. A foreign server cannot be made to prove a write without leaving
// something behind: that it says it is ready has to do.
func (s *Store) Status(ctx context.Context) (mail.Status, error) {
	if err := s.open(); err != nil {
		return mail.Status{}, err
	}
	var health json.RawMessage // what else it says of itself is its own affair
	if err := s.caller.Tool(ctx, "health_check", arguments{}, &health); err != nil {
		return mail.Status{}, err
	}
	return mail.Status{Engine: "foreign", Location: s.endpoint, Shared: true}, nil
}

func (s *Store) open() error {
	if s.closed.Load() {
		return mail.Closed()
	}
	return nil
}

// project is what the server's tools call a project.
func (s *Store) project(id mail.ProjectID) (mail.Project, error) {
	if err := s.open(); err != nil {
		return mail.Project{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.projects[id]
	if !ok {
		return p, mail.NoProject(id)
	}
	return p, nil
}

// Projection implements mail.Store: kept as long as the process lasts.
func (s *Store) Projection(_ context.Context, project mail.ProjectID, kind mail.ProjectionKind, key string) (mail.Projection, error) {
	if err := s.open(); err != nil {
		return mail.Projection{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.kept[projectionKey{project, kind, key}]
	if !ok {
		return p, protocol.Errorf(protocol.NotFound, "no %s of %s is kept", kind, key)
	}
	p.Data = append([]byte{}, p.Data...)
	return p, nil
}

// PutProjection implements mail.Store.
func (s *Store) PutProjection(_ context.Context, project mail.ProjectID, p mail.Projection) error {
	if err := s.open(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	at := projectionKey{project, p.Kind, p.Key}
	if have, ok := s.kept[at]; !ok || have.Through <= p.Through {
		p.Data = append([]byte{}, p.Data...)
		s.kept[at] = p
	}
	return nil
}

// Rebuild implements mail.Store: what is derived on the server is the server's own affair.
func (s *Store) Rebuild(context.Context) error {
	if err := s.open(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.kept)
	return nil
}

// Events implements mail.Store: the tools of a foreign server tell of none.
func (s *Store) Events(context.Context, mail.EventQuery) ([]mail.Event, error) {
	return nil, notAllowed("live events")
}

// Wait implements mail.Store.
func (s *Store) Wait(context.Context, mail.ProjectID, mail.Cursor) error {
	return notAllowed("waiting for events")
}

// Reservations implements mail.Store: the tools grant leases but list none.
func (s *Store) Reservations(context.Context, mail.ProjectID, time.Time,
	func([]mail.Reservation) ([]mail.Reservation, error)) ([]mail.Reservation, error) {
	return nil, notAllowed("a list of file reservations")
}

// notAllowed says what a foreign server cannot do.
func notAllowed(what string) error {
	return protocol.Errorf(protocol.NotAllowed,
		"a foreign Agent Mail server does not offer %s; use a store of our own (sqlite:, postgres://) for that",
		strings.TrimSpace(what))
}
