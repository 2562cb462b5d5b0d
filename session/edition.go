package session

import (
	"context"

	"brenner/artifact"
	"brenner/artifact/lint"
	"brenner/artifact/merge"
	"brenner/protocol"
)

// Edition is an artifact as a reader meets it: a published version, or the draft of the next one,
// with what lint says of it and where it stands among the versions.
type Edition struct {
	Document artifact.Document
	Version  int           // 0: the draft, or a persisted file of a thread without versions
	Versions []Version     // of the thread, oldest first
	Changes  merge.Changes // since the version before
	Pending  int           // deltas that were applied since the latest version
	Latest   int           // the thread's latest version, 0 before the first
	Lint     lint.Report

	Conflicts []Conflict // what agents set differently for this version, and what is in dispute still
}

// Edition returns a published version, the latest if version is 0; without any, the persisted file
// (PROTOCOL 10, latest artifact). NOT_FOUND: there is none.
func (s *Sessions) Edition(ctx context.Context, threadID string, version int) (Edition, error) {
	now, err := s.View(ctx, threadID)
	switch {
	case err == nil:
	case version == 0 && protocol.CodeOf(err) == protocol.NotFound:
		now = NewView(threadID) // a file may be all there is
	default:
		return Edition{}, err
	}
	e := Edition{Version: version, Versions: now.Versions(), Latest: now.latest(), Pending: now.Fold.Pending().Applied}
	if version == 0 {
		e.Version = e.Latest
	}
	if e.Version == 0 {
		if e.Document, err = s.Show(ctx, threadID, 0); err != nil {
			return Edition{}, err
		}
		return s.judged(ctx, threadID, e)
	}
	issue, err := s.Issue(ctx, now, e.Version)
	if err != nil {
		return Edition{}, err
	}
	e.Document, e.Conflicts = issue.Document, issue.View.shownConflicts(e.Version)
	if now.Complete() && e.Version == e.Latest {
		e.Document.Metadata.Status = artifact.StatusClosed
	}
	for _, v := range e.Versions {
		if v.Version == e.Version {
			e.Changes = v.Changes
		}
	}
	report, err := s.lint(ctx, issue.View, e.Document)
	if err != nil {
		return Edition{}, err
	}
	e.Lint = *report
	return e, nil
}

// DraftEdition returns what the next version would be if it were published now.
func (s *Sessions) DraftEdition(ctx context.Context, threadID string) (Edition, error) {
	now, err := s.View(ctx, threadID)
	if err != nil {
		return Edition{}, err
	}
	w, issue := now.Fold.Window(), s.DraftIssue(now)
	e := Edition{Document: issue.Document, Versions: now.Versions(), Latest: now.latest(), Changes: w.Changes, Pending: w.Deltas.Applied}
	e.Conflicts = now.shownConflicts(0)
	report, err := s.lint(ctx, now, e.Document)
	if err != nil {
		return Edition{}, err
	}
	e.Lint = *report
	return e, nil
}

func (s *Sessions) judged(ctx context.Context, threadID string, e Edition) (Edition, error) {
	peers, err := s.peers(ctx, threadID)
	if err != nil {
		return Edition{}, err
	}
	project, err := s.lintProject(peers)
	if err != nil {
		return Edition{}, err
	}
	e.Lint = lint.Check(lint.Input{Document: e.Document, Project: project})
	return e, nil
}
