package mail

import (
	"context"
	"errors"
	"time"

	"brenner/internal/protocol"
)

// turnNote is the kind of the notes that say who does what one alone has to do.
const turnNote NoteKind = "turn"

// TakeTurn tells whether a piece of work that one of several servers does is the holder's now: it was already, or no turn
// is taken. Then it is the holder's for as long as said, and longer if it comes back in time; one that died loses it.
// Two clocks may differ by less than that. It saves work: what must happen once is decided in the transaction that
// writes it.
func (s *Service) TakeTurn(ctx context.Context, now time.Time, work, holder string, lasts time.Duration) (bool, error) {
	note, err := s.Note(ctx, now, turnNote, work)
	switch {
	case protocol.CodeOf(err) == protocol.NotFound:
		note = Note{Kind: turnNote, Key: work}
	case err != nil:
		return false, err
	case string(note.Data) != holder:
		return false, nil
	}
	note.Data, note.Expires = []byte(holder), now.Add(lasts)
	if _, err = s.store.PutNote(ctx, s.project.ID, now, note); errors.Is(err, ErrNoteChanged) {
		return false, nil // another server was faster
	}
	return err == nil, err
}

// EndTurn gives a turn back, so that another server need not wait until it ends by itself.
func (s *Service) EndTurn(ctx context.Context, now time.Time, work, holder string) error {
	note, err := s.Note(ctx, now, turnNote, work)
	if err != nil || string(note.Data) != holder {
		if protocol.CodeOf(err) == protocol.NotFound {
			err = nil
		}
		return err
	}
	note.Expires = now
	if _, err = s.store.PutNote(ctx, s.project.ID, now, note); errors.Is(err, ErrNoteChanged) {
		return nil
	}
	return err
}
