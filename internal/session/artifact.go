package session

import (
	"context"

	"brenner/internal/artifact"
	"brenner/internal/artifact/lint"
	"brenner/internal/artifact/merge"
	"brenner/internal/fold"
	"brenner/internal/protocol"
)

// Artifact is a published version of a session, or the draft of the next one, as a reader meets it: with what lint
// says of it and its place among the versions.
type Artifact struct {
	Document artifact.Document
	Version  int            // 0: the draft, or a persisted file of a thread without versions
	Versions []fold.Version // of the thread, oldest first
	Changes  merge.Changes  // since the version before
	Pending  int            // deltas that were applied since the latest version
	Latest   int            // the thread's latest version, 0 before the first
	Lint     lint.Report

	Conflicts []fold.Conflict // what agents set differently for this version, and what is in dispute still

	content *Content // nil: it was read from a file
}

// Artifact returns a published version, the latest if version is 0; without any, the persisted file
// (PROTOCOL 10, latest artifact). NOT_FOUND: there is none.
func (s *Sessions) Artifact(ctx context.Context, threadID string, version int) (Artifact, error) {
	a, err := s.version(ctx, threadID, version)
	if err != nil {
		return Artifact{}, err
	}
	if a.content == nil {
		return s.judged(ctx, threadID, a)
	}
	return s.linted(ctx, a)
}

// linted adds what lint says.
func (s *Sessions) linted(ctx context.Context, a Artifact) (Artifact, error) {
	judged, err := s.lint(ctx, a.content.View, a.Document)
	if err != nil {
		return Artifact{}, err
	}
	a.Lint = *judged.report()
	return a, nil
}

// Document is Artifact for a reader of the document alone.
func (s *Sessions) Document(ctx context.Context, threadID string, version int) (artifact.Document, error) {
	a, err := s.version(ctx, threadID, version)
	return a.Document, err
}

// version finds a version and does not lint it. The latest one of a completed session is closed.
func (s *Sessions) version(ctx context.Context, threadID string, version int) (Artifact, error) {
	now, err := s.View(ctx, threadID)
	switch {
	case err == nil:
	case version == 0 && protocol.CodeOf(err) == protocol.NotFound:
		now = fold.NewView(threadID) // a file may be all there is
	default:
		return Artifact{}, err
	}
	a := Artifact{Version: version, Versions: now.Versions(), Latest: now.Latest(), Pending: now.Fold.Pending().Applied}
	if version == 0 {
		a.Version = a.Latest
	}
	if a.Version == 0 {
		doc, ok := s.file(threadID)
		if !ok {
			return Artifact{}, noArtifact(threadID)
		}
		a.Document = doc
		return a, nil
	}
	if a.content, err = s.Content(ctx, now, a.Version); err != nil {
		return Artifact{}, err
	}
	a.Document, a.Conflicts = a.content.Document, a.content.View.ShownConflicts(a.Version)
	if now.Complete() && a.Version == a.Latest {
		a.Document.Metadata.Status = artifact.StatusClosed
	}
	for _, v := range a.Versions {
		if v.Version == a.Version {
			a.Changes = v.Changes
		}
	}
	return a, nil
}

// Draft returns what the next version would be if it were published now.
func (s *Sessions) Draft(ctx context.Context, threadID string) (Artifact, error) {
	now, err := s.View(ctx, threadID)
	if err != nil {
		return Artifact{}, err
	}
	w, content := now.Fold.Window(), s.DraftContent(now)
	a := Artifact{
		Document: content.Document, Versions: now.Versions(), Latest: now.Latest(), Changes: w.Changes, Pending: w.Deltas.Applied, Conflicts: now.ShownConflicts(0), content: content,
	}
	return s.linted(ctx, a)
}

func (s *Sessions) judged(ctx context.Context, threadID string, a Artifact) (Artifact, error) {
	peers, err := s.peers(ctx, threadID)
	if err != nil {
		return Artifact{}, err
	}
	project, err := s.lintProject(peers)
	if err != nil {
		return Artifact{}, err
	}
	a.Lint = lint.Check(lint.Input{Document: a.Document, Project: project})
	return a, nil
}
