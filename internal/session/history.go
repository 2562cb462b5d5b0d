package session

import (
	"context"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/diff"
	"brenner/internal/artifact/markdown"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// History lists the versions of a thread, oldest first.
func (s *Sessions) History(ctx context.Context, threadID string) ([]fold.Version, error) {
	v, err := s.View(ctx, threadID)
	if err != nil {
		return nil, err
	}
	messages, err := s.compiledMessages(ctx, threadID)
	if err != nil {
		return nil, err
	}
	hashes := make(map[int64]string, len(messages))
	for _, m := range messages {
		if m.ArtifactHash != ([32]byte{}) {
			hashes[m.ID] = m.ArtifactHash.String()
		}
	}
	list := v.Versions()
	for i := range list {
		if hash, ok := hashes[list[i].MessageID]; ok {
			list[i].ArtifactHash = &hash
		}
	}
	return list, nil
}

// At returns the view as it was when a version was published. 0 is the empty artifact.
// NOT_FOUND: there is no such thread or version.
func (s *Sessions) At(ctx context.Context, threadID string, version int) (*fold.View, error) {
	if version == 0 {
		return fold.NewView(threadID), nil
	}
	now, err := s.View(ctx, threadID)
	if err != nil {
		return nil, err
	}
	return s.at(ctx, now, version)
}

// at is At for a caller that has the thread's view.
func (s *Sessions) at(ctx context.Context, now *fold.View, version int) (*fold.View, error) {
	threadID := now.Fold.ThreadID()
	if version == 0 {
		return fold.NewView(threadID), nil
	}
	target, ok := now.Fold.Version(version)
	if !ok {
		return nil, noVersion(threadID, version)
	}
	if v := now.Published(); v != nil && v.Head == target.MessageID {
		return v, nil
	}
	return s.replay(ctx, threadID, target.MessageID)
}

func noVersion(threadID string, version int) error {
	return protocol.Errorf(protocol.NotFound, "%s has no version %d", threadID, version)
}

// replay folds a thread from its beginning up to a message.
func (s *Sessions) replay(ctx context.Context, threadID string, last int64) (*fold.View, error) {
	v := fold.NewView(threadID)
	err := s.each(ctx, mail.MessageQuery{Thread: threadID, Before: last + 1}, func(m mail.Message) { Fold(v, m) })
	return v, err
}

// each visits messages in their order, a page at a time.
func (s *Sessions) each(ctx context.Context, q mail.MessageQuery, visit func(mail.Message)) error {
	q.Project, q.Limit = s.project(), page
	for {
		messages, err := s.store().Messages(ctx, q)
		if err != nil {
			return err
		}
		for _, m := range messages {
			visit(m)
			q.After = m.ID
		}
		if len(messages) < page {
			return nil
		}
	}
}

// file reads the persisted artifact, if there is one.
func (s *Sessions) file(threadID string) (artifact.Document, bool) {
	if s.tree == nil || protocol.HasErrors(protocol.CheckMailThreadID(threadID)) {
		return artifact.Document{}, false
	}
	data, exists, err := s.tree.Read(message.ArtifactPath(threadID))
	if err != nil || !exists {
		return artifact.Document{}, false
	}
	doc, _, _ := markdown.Parse(string(data))
	return doc, true
}

// DiffRequest names two versions of a thread; nil means the default: the latest version
// against the one before it.
type DiffRequest struct {
	ThreadID string
	From, To *int
}

// Diff tells what changed between two versions.
func (s *Sessions) Diff(ctx context.Context, req DiffRequest) (diff.Diff, diff.Label, diff.Label, error) {
	from, to := req.From, req.To
	if to == nil {
		m, err := s.latestCompiled(ctx, req.ThreadID)
		if err != nil {
			return diff.Diff{}, diff.Label{}, diff.Label{}, err
		}
		to = &m.Version
	}
	if from == nil {
		v, err := s.View(ctx, req.ThreadID)
		if err != nil {
			return diff.Diff{}, diff.Label{}, diff.Label{}, err
		}
		before := v.Fold.Before(*to)
		from = &before
	}
	a, err := s.At(ctx, req.ThreadID, *from)
	if err != nil {
		return diff.Diff{}, diff.Label{}, diff.Label{}, err
	}
	b, err := s.At(ctx, req.ThreadID, *to)
	if err != nil {
		return diff.Diff{}, diff.Label{}, diff.Label{}, err
	}
	return diff.Between(a.Fold.Artifact(), b.Fold.Artifact()), diff.Label{Version: *from}, diff.Label{Version: *to}, nil
}

// Blame says who wrote the fields of the latest published version; address is an item, an item
// and a field, or empty for everything.
func (s *Sessions) Blame(ctx context.Context, threadID, address string) ([]diff.Line, error) {
	m, err := s.latestCompiled(ctx, threadID)
	if err != nil {
		return nil, err
	}
	v, err := s.At(ctx, threadID, m.Version)
	if err != nil {
		return nil, err
	}
	item, field := diff.ParseAddress(address)
	if item != "" && v.Fold.Artifact().Item(item) == nil {
		return nil, protocol.Errorf(protocol.NotFound, "v%d of %s has no item %s", m.Version, threadID, item)
	}
	lines := diff.Blame(v.Fold.Artifact(), item, field)
	if field != "" && len(lines) == 0 {
		return nil, protocol.Errorf(protocol.NotFound, "%s has no field %s", item, field)
	}
	return lines, nil
}

func formatTime(t time.Time) string { return artifact.FormatTime(t) }
