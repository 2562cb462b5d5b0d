package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"brenner/internal/mail"
)

// isArchived tells whether the thread of a message is archived. Such messages stay in their place, hidden.
func (s *Store) isArchived(m *mail.Message) bool {
	_, ok := s.archived[threadKey{m.Project, m.ThreadID}]
	return ok
}

// ArchiveThread implements mail.ThreadArchiver.
func (s *Store) ArchiveThread(ctx context.Context, project mail.ProjectID, thread string,
	seal func(thread mail.Thread, messages []mail.Message) (mail.ArchivedThread, error),
) (mail.ArchivedThread, error) {
	unlock, err := s.enter(ctx, project)
	if err != nil {
		return mail.ArchivedThread{}, err
	}
	defer unlock()
	key := threadKey{project, thread}
	summary := s.threads[key]
	if summary == nil {
		return mail.ArchivedThread{}, mail.NoThread(thread)
	}
	messages, err := reader{s}.Messages(ctx, mail.MessageQuery{Project: project, Thread: thread})
	if err != nil {
		return mail.ArchivedThread{}, err
	}
	archived, err := seal(*summary, messages)
	if err != nil {
		return mail.ArchivedThread{}, err
	}
	for _, m := range messages {
		if m.ID <= archived.Through {
			s.messages[m.ID-1].Body = ""
		}
	}
	s.archived[key], summary.Crate = archived, archived.Crate
	s.dropKept(project, mail.KeptKeys(thread, messages))
	s.emit(archived.Event(mail.EventArchived, &messages[len(messages)-1], archived.At))
	return archived, nil
}

// dropKept drops kept data.
func (s *Store) dropKept(project mail.ProjectID, keys []string) {
	for at := range s.projections {
		if at.project == project && slices.Contains(keys, at.key) {
			delete(s.projections, at)
		}
	}
}

// RestoreThread implements mail.ThreadArchiver.
func (s *Store) RestoreThread(ctx context.Context, project mail.ProjectID, thread string, at time.Time,
	refill func(archived mail.ArchivedThread, messages []mail.Message) error,
) error {
	unlock, err := s.enter(ctx, project)
	if err != nil {
		return err
	}
	defer unlock()
	key := threadKey{project, thread}
	archived, ok := s.archived[key]
	if !ok {
		return mail.NotArchived(thread)
	}
	messages, err := reader{s}.Messages(ctx, mail.MessageQuery{Project: project, Thread: thread, Archived: true})
	if err == nil {
		err = refill(archived, messages)
	}
	if err != nil {
		return err
	}
	for _, m := range messages {
		s.messages[m.ID-1] = clone(&m)
	}
	delete(s.archived, key)
	s.threads[key].Crate = ""
	s.emit(archived.Event(mail.EventRestored, &messages[len(messages)-1], at))
	return nil
}

// ArchivedThreads implements mail.ThreadArchiver.
func (s *Store) ArchivedThreads(ctx context.Context, project mail.ProjectID, ids ...string) ([]mail.ArchivedThread, error) {
	unlock, err := s.enter(ctx, project)
	if err != nil {
		return nil, err
	}
	defer unlock()
	var found []mail.ArchivedThread
	for _, a := range s.allArchived() {
		if a.Project == project && (len(ids) == 0 || slices.Contains(ids, a.ID)) {
			found = append(found, a)
		}
	}
	return found, nil
}

func (s *Store) allArchived() []mail.ArchivedThread {
	var list []mail.ArchivedThread
	for _, a := range s.archived {
		list = append(list, a)
	}
	slices.SortFunc(list, func(a, b mail.ArchivedThread) int {
		return cmp.Or(cmp.Compare(a.Project, b.Project), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// archivedRecords is the part of a dump that holds archived threads.
func (s *Store) archivedRecords() []mail.Record {
	var list []mail.Record
	for _, a := range s.allArchived() {
		list = append(list, mail.Record{Archived: &a})
	}
	for i := range s.messages {
		m := clone(&s.messages[i])
		if !s.isArchived(&m) {
			continue
		}
		list = append(list, mail.Record{ArchivedMessage: &m})
		for _, d := range s.deliveries[m.ID] {
			list = append(list, mail.Record{ArchivedDelivery: &d})
		}
	}
	return list
}
