package foreign

import (
	"context"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// Notes implements mail.Notes: there are none. The server has no place for them.
func (s *Store) Notes(_ context.Context, q mail.NoteQuery) ([]mail.Note, error) {
	_, err := s.project(q.Project)
	return nil, err
}

// PutNote implements mail.Notes: NOT_ALLOWED.
func (s *Store) PutNote(context.Context, mail.ProjectID, time.Time, mail.Note) (mail.Note, error) {
	return mail.Note{}, protocol.Errorf(protocol.NotAllowed, "another server's store keeps no notes of ours")
}
