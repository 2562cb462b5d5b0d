package session

import (
	"context"

	"brenner/internal/artifact"
	"brenner/internal/artifact/lint"
	"brenner/internal/artifact/merge"
	"brenner/internal/fold"
	"brenner/internal/genealogy"
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
func (s *Session) Artifact(ctx context.Context, version int) (Artifact, error) {
	a, err := s.version(ctx, version)
	if err != nil {
		return Artifact{}, err
	}
	if a.content == nil {
		return s.of.judged(ctx, s.ID(), a)
	}
	graph := s.graph
	if graph == nil && a.Document.Artifact.Refers() { // an older version did
		if graph, err = s.of.graphWith(ctx, s.View); err != nil {
			return Artifact{}, err
		}
	}
	return s.linted(a, graph)
}

// linted adds what lint says.
func (s *Session) linted(a Artifact, graph *genealogy.Graph) (Artifact, error) {
	judged, err := s.judge(a.content.View, a.Document, graph)
	if err != nil {
		return Artifact{}, err
	}
	a.Lint = *judged.report()
	return a, nil
}

// Document is Artifact for a reader of the document alone.
func (s *Session) Document(ctx context.Context, version int) (artifact.Document, error) {
	a, err := s.version(ctx, version)
	return a.Document, err
}

// version finds a version and does not lint it. The latest one of a completed session is closed.
func (s *Session) version(ctx context.Context, version int) (Artifact, error) {
	now := s.View
	a := Artifact{Version: version, Versions: now.Versions(), Latest: now.Latest(), Pending: now.Fold.Pending().Applied}
	if version == 0 {
		a.Version = a.Latest
	}
	if a.Version == 0 {
		return s.of.filed(s.ID(), a)
	}
	var err error
	if a.content, err = s.Content(ctx, a.Version); err != nil {
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

// Proposed returns what the next version would be if it were published now. An error says why the library of evidence cannot be
// read, which lint asks.
func (s *Session) Proposed() (Artifact, error) {
	now, content := s.View, s.Draft()
	w := now.Fold.Window()
	return s.linted(Artifact{
		Document: content.Document, Versions: now.Versions(), Latest: now.Latest(), Changes: w.Changes, Pending: w.Deltas.Applied,
		Conflicts: now.ShownConflicts(0), content: content,
	}, s.graph)
}

// filed is the persisted file of a thread without versions, or without messages. NOT_FOUND: there is none.
func (s *Sessions) filed(threadID string, a Artifact) (Artifact, error) {
	doc, ok := s.file(threadID)
	if !ok {
		return Artifact{}, noArtifact(threadID)
	}
	a.Document = doc
	return a, nil
}

// Filed returns the persisted artifact of a thread that the log does not have. NOT_FOUND: there is none.
func (s *Sessions) Filed(ctx context.Context, threadID string) (Artifact, error) {
	a, err := s.filed(threadID, Artifact{Versions: []fold.Version{}})
	if err != nil {
		return a, err
	}
	return s.judged(ctx, threadID, a)
}

// judged lints an artifact in a file.
func (s *Sessions) judged(ctx context.Context, threadID string, a Artifact) (Artifact, error) {
	peers, err := s.peers(ctx, threadID, s.threads.At)
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

// Document returns a published version of a thread, the latest if version is 0; without any, or where the log does not have the thread, the
// persisted file (PROTOCOL 10, latest artifact). NOT_FOUND: there is none.
func (s *Sessions) Document(ctx context.Context, threadID string, version int) (artifact.Document, error) {
	of, err := s.Session(ctx, threadID)
	if err == nil {
		return of.Document(ctx, version)
	}
	if version == 0 && protocol.CodeOf(err) == protocol.NotFound {
		a, err := s.filed(threadID, Artifact{})
		return a.Document, err
	}
	return artifact.Document{}, err
}
