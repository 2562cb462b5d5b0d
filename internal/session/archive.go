package session

import (
	"context"
	"slices"

	"brenner/internal/canon"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/protocol"
)

// ArchiveRequest takes a complete session out of the store. Its crate was verified.
type ArchiveRequest struct {
	ThreadID string
	Lines    []transfer.Line // of the crate
	Crate    string          // name of its file, without the folder
	SHA256   canon.Hash      // of that file
	By       string
}

// Archivable refuses a session that is still at work. WAITING: it is not complete, or deltas came after its latest
// version. A complete session is owed nothing (PROTOCOL 11).
func (s *Session) Archivable() error {
	v, threadID := s.View, s.ID()
	switch {
	case v.Phase() != fold.PhaseComplete:
		return protocol.Errorf(protocol.Waiting, "%s is not complete: complete it first", threadID).
			Doing(protocol.OnThread("session.complete", threadID))
	case v.Fold.Pending().Applied > 0:
		return protocol.Errorf(protocol.Waiting, "%s has %s that no version covers: compile them first",
			threadID, protocol.Plural(v.Fold.Pending().Applied, "delta")).Doing(protocol.OnThread("compile", threadID))
	}
	return nil
}

// Archive takes a complete session out of the log. Before anything is removed the crate is compared with the thread, message by
// message, in the same transaction. CRATE_MISMATCH: it is not the crate of the thread's latest version.
func (s *Sessions) Archive(ctx context.Context, req ArchiveRequest) (mail.ArchivedThread, error) {
	of, err := s.Session(ctx, req.ThreadID)
	if err != nil {
		return mail.ArchivedThread{}, err
	}
	if err := of.Archivable(); err != nil {
		return mail.ArchivedThread{}, err
	}
	v := of.View
	archiver, err := s.mail.ThreadArchiver()
	if err != nil {
		return mail.ArchivedThread{}, err
	}
	archived, err := archiver.ArchiveThread(ctx, s.project(), req.ThreadID,
		func(t mail.Thread, messages []mail.Message) (mail.ArchivedThread, error) {
			if t.HeadID != v.Head || t.ChainHash != v.Chain {
				return mail.ArchivedThread{}, mail.ErrThreadMoved
			}
			return s.seal(req, v.Question, t, messages)
		})
	if err == nil {
		s.threads.Drop(req.ThreadID)
	}
	return archived, err
}

// seal compares the crate with the thread and says what stays of it.
func (s *Sessions) seal(req ArchiveRequest, title string, t mail.Thread, messages []mail.Message) (mail.ArchivedThread, error) {
	through, err := transfer.Covers(messages, req.Lines)
	if err != nil {
		return mail.ArchivedThread{}, err
	}
	if last := messages[len(req.Lines)-1]; last.Version != t.LatestVersion {
		return mail.ArchivedThread{}, protocol.Errorf(protocol.CrateMismatch, "the crate holds v%d, the latest version is v%d",
			last.Version, t.LatestVersion)
	}
	return mail.ArchivedThread{
		Project: t.Project, ID: t.ID, HeadID: t.HeadID, ChainHash: t.ChainHash, Title: title,
		Crate: req.Crate, SHA256: req.SHA256, Through: through, By: req.By, At: s.now(),
	}, nil
}

// Unarchive puts an archived session back, with the texts of its crate. NOT_FOUND: no such session is archived;
// CRATE_MISMATCH: the file is not the one that it was archived with.
func (s *Sessions) Unarchive(ctx context.Context, threadID string, lines []transfer.Line, sum canon.Hash) error {
	archiver, err := s.mail.ThreadArchiver()
	if err != nil {
		return err
	}
	return archiver.RestoreThread(ctx, s.project(), threadID, s.now(), func(archived mail.ArchivedThread, messages []mail.Message) error {
		if sum != archived.SHA256 {
			return protocol.Errorf(protocol.CrateMismatch, "%s was archived as %s with SHA-256 %s; the file has %s", threadID,
				archived.Crate, archived.SHA256, sum)
		}
		return transfer.Refill(archived, messages, lines)
	})
}

// archivedTitles returns the titles of archived sessions, where there are any.
func (s *Sessions) archivedTitles(ctx context.Context, threads []mail.Thread) (map[string]string, error) {
	if !slices.ContainsFunc(threads, func(t mail.Thread) bool { return t.Archived() }) {
		return nil, nil
	}
	archiver, err := s.mail.ThreadArchiver()
	if err != nil {
		return nil, err
	}
	archived, err := archiver.ArchivedThreads(ctx, s.project())
	titles := make(map[string]string, len(archived))
	for _, a := range archived {
		titles[a.ID] = a.Title
	}
	return titles, err
}

// archivedSummary sums up an archived session as far as the store still knows it.
func archivedSummary(t *mail.Thread, title string) *summary {
	m := &summary{updated: t.UpdatedAt, participation: participation{threadID: t.ID, complete: true}, Summary: Summary{
		ThreadID: t.ID, Phase: fold.PhaseArchived, LatestVersion: t.LatestVersion, Question: title, Messages: t.Messages,
		UpdatedAt: formatTime(t.UpdatedAt),
		Roles:     map[string]*fold.RoleWork{}, OpenCritiques: []fold.OpenCritique{}, Findings: []protocol.Finding{},
	}}
	m.haystack = haystack(&m.Summary)
	return m
}
