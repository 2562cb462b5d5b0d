package mail

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"brenner/internal/canon"
	"brenner/internal/protocol"
)

// ArchivedThread is what a store knows of a thread whose messages left the log. Their texts up to Through are in the
// crate alone; everything else of them stays beside the log, so that ids, keys, answers and chain still count.
type ArchivedThread struct {
	Project   ProjectID
	ID        string
	HeadID    int64      // of its last message
	ChainHash canon.Hash // of its last message
	Title     string     // for lists
	Crate     string     // name of the crate's file, without its folder
	SHA256    canon.Hash // of that file
	Through   int64      // the last message whose text is in the crate
	By        string     // who archived it
	At        time.Time
}

// ThreadArchiver is a store that can archive threads. Foreign servers are not.
//
// The summary of an archived thread stays, with the name of its crate. Messages of its own fail with
// THREAD_ARCHIVED, as does appending to it; its messages are in no inbox and no search, and its events stay.
type ThreadArchiver interface {
	// ArchiveThread takes the messages of a thread, their deliveries, index entries and kept data out of the log, in one
	// transaction and with an event. seal gets the thread as it is in this transaction and says what stays of it; its
	// error is returned as it is, and nothing is changed. seal must not call the store and may run more than once.
	// NOT_FOUND: no such thread; THREAD_ARCHIVED: it is archived already.
	ArchiveThread(ctx context.Context, project ProjectID, thread string,
		seal func(thread Thread, messages []Message) (ArchivedThread, error)) (ArchivedThread, error)

	// RestoreThread puts an archived thread back as it was, in one transaction and with an event at the given time. refill
	// gives the messages their texts back and proves them; the rest as for seal. NOT_FOUND: no such thread is archived.
	RestoreThread(ctx context.Context, project ProjectID, thread string, at time.Time,
		refill func(archived ArchivedThread, messages []Message) error) error

	// ArchivedThreads returns the archived threads of a project by id: the named ones (others are left out), or
	// all of them if none is named.
	ArchivedThreads(ctx context.Context, project ProjectID, ids ...string) ([]ArchivedThread, error)
}

// Archived tells whether the messages of the thread left the log.
func (t *Thread) Archived() bool { return t.Crate != "" }

// CheckPresent fails with THREAD_ARCHIVED for a thread whose messages left the log.
func (t *Thread) CheckPresent() error {
	if !t.Archived() {
		return nil
	}
	return protocol.Errorf(protocol.ThreadArchived, "%s is archived: its messages are in %s, from where they can be brought back", t.ID,
		t.Crate).
		Doing(protocol.Action{Do: "session.unarchive", With: protocol.Arguments{Thread: t.ID, Crate: t.Crate}})
}

// Event is what happened to the thread, told of its last message.
func (a *ArchivedThread) Event(kind EventKind, last *Message, at time.Time) Event {
	return Event{Project: a.Project, Kind: kind, Message: a.HeadID, Thread: a.ID, Agent: last.From, At: Truncate(at)}
}

// KeptKeys are the keys under which data is kept that was derived from a thread: its id, or that of a message.
func KeptKeys(thread string, messages []Message) []string {
	keys := []string{thread}
	for i := range messages {
		keys = append(keys, strconv.FormatInt(messages[i].ID, 10))
	}
	return keys
}

// NotArchived says that no such thread is archived.
func NotArchived(id string) error {
	return protocol.Errorf(protocol.NotFound, "there is no archived thread %s", id)
}

// ArchivedThread returns what is kept of an archived thread. NOT_FOUND: no such thread is archived.
func (s *Service) ArchivedThread(ctx context.Context, id string) (ArchivedThread, error) {
	archiver, err := s.ThreadArchiver()
	if err != nil {
		return ArchivedThread{}, err
	}
	found, err := archiver.ArchivedThreads(ctx, s.project.ID, id)
	if err == nil && len(found) == 0 {
		err = NotArchived(id)
	}
	if err != nil {
		return ArchivedThread{}, err
	}
	return found[0], nil
}

// orArchived tells an agent for which a message is not there that it is archived, if the agent sent or received it.
func (s *Service) orArchived(ctx context.Context, agent string, id int64, err error) error {
	if protocol.CodeOf(err) != protocol.NotFound {
		return err
	}
	if m, archived := s.Message(ctx, id); protocol.CodeOf(archived) == protocol.ThreadArchived && m.Concerns(agent) {
		return archived
	}
	return err
}

// ThreadArchiver returns the store as one that archives threads. NOT_ALLOWED: it is another program's.
func (s *Service) ThreadArchiver() (ThreadArchiver, error) {
	if archiver, ok := s.store.(ThreadArchiver); ok {
		return archiver, nil
	}
	return nil, protocol.Errorf(protocol.NotAllowed, "this store belongs to another program: its threads cannot be archived")
}

// verifyArchived compares what is kept of an archived thread with the record of its archiving. The chain itself is
// proved by the crate.
func (s *Service) verifyArchived(ctx context.Context, summary Thread) (Verification, error) {
	archived, err := s.ArchivedThread(ctx, summary.ID)
	if err != nil {
		return Verification{}, err
	}
	v := &Verifier{thread: Thread{Project: summary.Project, ID: summary.ID, Crate: summary.Crate}}
	q := MessageQuery{Project: s.project.ID, Thread: summary.ID, Archived: true, Limit: PageSize}
	for {
		page, err := s.store.Messages(ctx, q)
		if err != nil {
			return Verification{}, err
		}
		for i := range page {
			v.archived(&page[i], archived.Through)
		}
		if len(page) < PageSize {
			break
		}
		q.After = page[len(page)-1].ID
	}
	if v.FirstBad == nil && (archived.HeadID != v.thread.HeadID || archived.ChainHash != v.thread.ChainHash) {
		v.Bad(archived.HeadID, fmt.Sprintf("%s was archived at message %d with chain hash %s; what is kept ends at message %d with %s",
			summary.ID, archived.HeadID, archived.ChainHash, v.thread.HeadID, v.thread.ChainHash))
	}
	if summary.Lost(v.thread) {
		v.Differs(summary.HeadID, lost(summary, v.thread))
	} else if v.FirstBad == nil {
		v.Differs(summary.HeadID, v.summary(summary)...)
	}
	v.Findings = append(v.Findings, protocol.NewFinding(protocol.ThreadArchived, "archived, head %s: the texts are in %s (SHA-256 %s)",
		archived.ChainHash, archived.Crate, archived.SHA256).As(protocol.SeverityInfo).WithFix("Prove them by verifying the crate.").
		Doing(protocol.Action{Do: "verify", With: protocol.Arguments{File: archived.Crate}}))
	return v.Verification, nil
}

// archived counts a message of an archived thread. Those that kept their text are proved.
func (v *Verifier) archived(m *Message, through int64) {
	previous := v.thread.ChainHash
	v.thread.Extend(m)
	v.Messages++
	if m.Type == protocol.TypeCompiled {
		v.Versions++
	}
	if m.ID > through && ChainNext(previous, m) != m.ChainHash {
		v.Bad(m.ID, "it does not match its chain hash")
	}
}
