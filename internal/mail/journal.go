package mail

import (
	"context"
	"strings"

	"brenner/internal/journal"
	"brenner/internal/protocol"
)

// LeafRow is a leaf of the project's journal as a store holds it.
type LeafRow struct {
	Project ProjectID
	Message int64 // its id here
	journal.Leaf
}

// Journalist is a store that keeps a journal (SCIENCE 11). Foreign servers are not.
type Journalist interface {
	// Leaves returns leaves of a project in their order, from number n on; limit 0: all.
	Leaves(ctx context.Context, project ProjectID, n int64, limit int) ([]LeafRow, error)
}

// CheckpointNotes are the checkpoints that were kept, by origin and size. They outlive the store.
const CheckpointNotes NoteKind = "checkpoint"

// CarriedNotes are the parts of other projects' journals that crates brought along, by thread and origin.
const CarriedNotes NoteKind = "carried"

// Carried returns what crates brought along of other projects' journals about a thread, by origin.
func (s *Service) Carried(ctx context.Context, thread string) (list []Note, err error) {
	prefix := thread + "/"
	for after := prefix; ; {
		page, err := s.store.Notes(ctx, NoteQuery{Project: s.project.ID, Kind: CarriedNotes, After: after, Limit: carriedPage})
		for _, note := range page {
			if !strings.HasPrefix(note.Key, prefix) {
				return list, nil
			}
			list = append(list, note)
		}
		if err != nil || len(page) < carriedPage {
			return list, err
		}
		after = page[len(page)-1].Key
	}
}

// carriedPage is how many parts are read at a time; they may be large.
const carriedPage = 8

// CheckpointNotes returns the checkpoints that were kept, by origin and size.
func (s *Service) CheckpointNotes(ctx context.Context) ([]Note, error) {
	return s.store.Notes(ctx, NoteQuery{Project: s.project.ID, Kind: CheckpointNotes})
}

// Letter is the message as the journal reads it.
func (m *Message) Letter() journal.Letter {
	return journal.Letter{
		Message: &m.Message, Type: m.Type, Version: m.Version, Chain: m.ChainHash.String(), Time: FormatTime(m.CreatedAt),
	}
}

// KeepsJournal tells whether the store keeps a journal.
func (s *Service) KeepsJournal() bool {
	_, ok := s.store.(Journalist)
	return ok
}

// journalist is the store as one that keeps a journal. STORE_UNAVAILABLE: it is another program's.
func (s *Service) journalist() (Journalist, error) {
	if j, ok := s.store.(Journalist); ok {
		return j, nil
	}
	return nil, protocol.Errorf(protocol.StoreUnavailable, "this store belongs to another program: it keeps no journal")
}

// leafPage is how many leaves are read at a time.
const leafPage = 5000

// Leaves hands out the leaves of the project in order. STORE_UNAVAILABLE: the store keeps none.
func (s *Service) Leaves(ctx context.Context, each func(*LeafRow)) error {
	j, err := s.journalist()
	if err != nil {
		return err
	}
	for next := int64(0); ; {
		page, err := j.Leaves(ctx, s.project.ID, next, leafPage)
		if err != nil {
			return err
		}
		for i := range page {
			each(&page[i])
		}
		if len(page) < leafPage {
			return nil
		}
		next = page[len(page)-1].N + 1
	}
}

// Backfill gives the messages of stores from before their leaves: all of them are imported, for nobody saw them arrive.
type Backfill struct {
	recorders map[ProjectID]*journal.Recorder
}

// Next is the leaf of the next message by id, archived ones included. One that lost its text and may have been a DELTA with a
// result or a prediction gets none.
func (b *Backfill) Next(m *Message) (LeafRow, bool) {
	if b.recorders == nil {
		b.recorders = map[ProjectID]*journal.Recorder{}
	}
	r := b.recorders[m.Project]
	if r == nil {
		r = &journal.Recorder{}
		b.recorders[m.Project] = r
	}
	leaf, ok := r.Next(m.Letter(), journal.Candidate(&m.Message, m.Type, nil))
	leaf.Imported = true
	return LeafRow{m.Project, m.ID, leaf}, ok
}
