package mail

import (
	"context"
	"iter"
)

// Archiver is a store that can be copied whole: backup, restore and migration between engines
// go through it. Foreign servers are not.
type Archiver interface {
	// Dump hands out everything that is not derived, as of one moment while the store stays
	// in use: projects, agents, messages by id each followed by its deliveries, archived threads and their messages
	// likewise, leaves of the journal, events, leases, notes that are to outlive the store.
	Dump(ctx context.Context, emit func(Record) error) error

	// Load writes records as they are, ids included, into a store that has no project yet
	// (else CONFLICT): all of them or, after an error of the sequence or its own, none.
	// Summaries and indexes are made from them, and the journal if no leaf comes with them.
	Load(ctx context.Context, records iter.Seq2[Record, error]) error

	// Replace is Load into a store that may hold something: that is dropped in the same
	// transaction, so that after an error it is all there still. Cursors of events that were
	// handed out before may point anywhere.
	Replace(ctx context.Context, records iter.Seq2[Record, error]) error
}

// Record is one row of an archive: exactly one of its fields is set.
type Record struct {
	Project     *Project
	Agent       *Agent
	Message     *Message
	Delivery    *DeliveryRow
	Event       *Event
	Reservation *Reservation
	Note        *NoteRow
	Leaf        *LeafRow

	Archived         *ArchivedThread
	ArchivedMessage  *Message
	ArchivedDelivery *DeliveryRow
}

// NoteRow is a note with its project.
type NoteRow struct {
	Project ProjectID
	Note
}
