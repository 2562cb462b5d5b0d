package memory

import (
	"bytes"
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// Projection implements mail.Projections.
func (s *Store) Projection(ctx context.Context, project mail.ProjectID, kind mail.ProjectionKind, key string) (mail.Projection, error) {
	unlock, err := s.enter(ctx, project)
	if err != nil {
		return mail.Projection{}, err
	}
	defer unlock()
	p, ok := s.projections[projectionKey{project, kind, key}]
	if !ok {
		return mail.Projection{}, protocol.Errorf(protocol.NotFound, "there is no %s of %s", kind, key)
	}
	p.Data = bytes.Clone(p.Data)
	return p, nil
}

// PutProjection implements mail.Projections.
func (s *Store) PutProjection(ctx context.Context, project mail.ProjectID, p mail.Projection) error {
	unlock, err := s.enter(ctx, project)
	if err != nil {
		return err
	}
	defer unlock()
	key := projectionKey{project, p.Kind, p.Key}
	if have, ok := s.projections[key]; ok && have.Through > p.Through {
		return nil
	}
	p.Data = bytes.Clone(p.Data)
	s.projections[key] = p
	return nil
}

// Rebuild implements mail.Projections.
func (s *Store) Rebuild(ctx context.Context) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	s.rebuild()
	return nil
}

// rebuild keeps what knows of messages that are gone.
func (s *Store) rebuild() {
	there := map[int64]bool{}
	for i := range s.messages {
		there[s.messages[i].ID] = true
	}
	maps.DeleteFunc(s.projections, func(_ projectionKey, p mail.Projection) bool { return p.Through == 0 || there[p.Through] })
	before := maps.Clone(s.threads)
	clear(s.threads)
	for i := range s.messages {
		m := &s.messages[i]
		if m.ThreadID == "" {
			continue
		}
		key := threadKey{m.Project, m.ThreadID}
		if s.threads[key] == nil {
			s.threads[key] = &mail.Thread{Project: m.Project, ID: m.ThreadID}
		}
		s.threads[key].Extend(m)
	}
	for key, a := range s.archived {
		s.threads[key].Crate = a.Crate
	}
	for key, kept := range before {
		given := s.threads[key]
		if given == nil {
			given = &mail.Thread{}
		}
		if kept.Lost(*given) {
			s.threads[key] = kept
		}
	}
}

// Dump implements mail.Archiver.
func (s *Store) Dump(ctx context.Context, emit func(mail.Record) error) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	for r := range s.records() {
		if err := emit(r); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) records() iter.Seq[mail.Record] {
	var list []mail.Record
	for _, p := range s.projects {
		list = append(list, mail.Record{Project: &p})
	}
	for _, a := range s.agents {
		list = append(list, mail.Record{Agent: &a})
	}
	for i := range s.messages {
		if m := clone(&s.messages[i]); !s.isArchived(&m) {
			list = append(list, mail.Record{Message: &m})
			for _, d := range s.deliveries[m.ID] {
				list = append(list, mail.Record{Delivery: &d})
			}
		}
	}
	list = append(list, s.archivedRecords()...)
	for _, l := range s.leaves {
		list = append(list, mail.Record{Leaf: &l})
	}
	for _, e := range s.events {
		list = append(list, mail.Record{Event: &e})
	}
	for _, r := range s.reservations {
		list = append(list, mail.Record{Reservation: &r})
	}
	list = append(list, s.archivedNotes()...)
	return slices.Values(list)
}

// Load implements mail.Archiver.
func (s *Store) Load(ctx context.Context, records iter.Seq2[mail.Record, error]) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if len(s.projects) > 0 {
		return mail.NotEmpty()
	}
	return s.take(records)
}

// Replace implements mail.Archiver.
func (s *Store) Replace(ctx context.Context, records iter.Seq2[mail.Record, error]) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return s.take(records)
}

// take puts records in the place of everything that is there.
func (s *Store) take(records iter.Seq2[mail.Record, error]) error {
	loaded := New()
	for r, err := range records {
		if err != nil {
			return err
		}
		loaded.load(r)
	}
	slices.SortFunc(loaded.messages, func(a, b mail.Message) int { return cmp.Compare(a.ID, b.ID) }) // the archived ones came last
	if len(loaded.leaves) == 0 {
		loaded.backfill()
	}
	loaded.rebuild()
	s.projects, s.agents, s.messages, s.deliveries = loaded.projects, loaded.agents, loaded.messages, loaded.deliveries
	s.events, s.reservations, s.threads, s.lastTime = loaded.events, loaded.reservations, loaded.threads, loaded.lastTime
	s.presences, s.notes, s.archived = nil, loaded.notes, loaded.archived
	s.leaves = loaded.leaves
	return nil
}

func (s *Store) load(r mail.Record) {
	switch {
	case r.Project != nil:
		s.projects = append(s.projects, *r.Project)
	case r.Agent != nil:
		s.agents = append(s.agents, *r.Agent)
	case r.Message != nil:
		s.loadMessage(r.Message)
	case r.Delivery != nil:
		s.deliveries[r.Delivery.Message] = append(s.deliveries[r.Delivery.Message], *r.Delivery)
	case r.Archived != nil:
		s.archived[threadKey{r.Archived.Project, r.Archived.ID}] = *r.Archived
	case r.ArchivedMessage != nil:
		s.loadMessage(r.ArchivedMessage)
	case r.ArchivedDelivery != nil:
		s.deliveries[r.ArchivedDelivery.Message] = append(s.deliveries[r.ArchivedDelivery.Message], *r.ArchivedDelivery)
	case r.Leaf != nil:
		s.leaves = append(s.leaves, *r.Leaf)
	case r.Event != nil:
		s.events = append(s.events, *r.Event)
	case r.Reservation != nil:
		s.reservations = append(s.reservations, *r.Reservation)
	case r.Note != nil:
		s.notes[noteKey{r.Note.Project, r.Note.Kind, r.Note.Key}] = r.Note.Note
	}
}

func (s *Store) loadMessage(m *mail.Message) {
	s.messages = append(s.messages, clone(m))
	if !m.Imported && m.CreatedAt.After(s.lastTime) {
		s.lastTime = m.CreatedAt
	}
}
