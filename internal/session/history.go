package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/diff"
	"brenner/internal/artifact/markdown"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// History lists the versions, oldest first, with the hashes that their messages carry.
func (s *Session) History(ctx context.Context) ([]fold.Version, error) {
	messages, err := s.of.compiledMessages(ctx, s.ID())
	if err != nil {
		return nil, err
	}
	hashes := make(map[int64]string, len(messages))
	for _, m := range messages {
		if m.ArtifactHash != ([32]byte{}) {
			hashes[m.ID] = m.ArtifactHash.String()
		}
	}
	list := s.View.Versions()
	for i := range list {
		if hash, ok := hashes[list[i].MessageID]; ok {
			list[i].ArtifactHash = &hash
		}
	}
	return list, nil
}

// At returns the view as it was when a version was published. 0 is the empty artifact. NOT_FOUND: there is no such version.
func (s *Session) At(ctx context.Context, version int) (*fold.View, error) {
	return s.of.at(ctx, s.View, version)
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
	q.Project, q.Limit = s.project(), mail.FirstPage
	for {
		messages, err := s.store().Messages(ctx, q)
		if err != nil {
			return err
		}
		for _, m := range messages {
			visit(m)
			q.After = m.ID
		}
		if len(messages) < q.Limit {
			return nil
		}
		q.Limit = mail.NextPage(messages)
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

// DiffRequest names two versions; nil means the default: the latest version
// against the one before it.
type DiffRequest struct {
	From, To *int
}

// Diff tells what changed between two versions.
func (s *Session) Diff(ctx context.Context, req DiffRequest) (diff.Diff, diff.Label, diff.Label, error) {
	from, to, err := s.sides(req)
	if err != nil {
		return diff.Diff{}, diff.Label{}, diff.Label{}, err
	}
	a, err := s.At(ctx, from)
	if err != nil {
		return diff.Diff{}, diff.Label{}, diff.Label{}, err
	}
	b, err := s.At(ctx, to)
	if err != nil {
		return diff.Diff{}, diff.Label{}, diff.Label{}, err
	}
	return diff.Between(a.Fold.Artifact(), b.Fold.Artifact()), diff.Label{Version: from}, diff.Label{Version: to}, nil
}

// sides completes the versions of a request.
func (s *Session) sides(req DiffRequest) (from, to int, err error) {
	to = s.View.Latest()
	if req.To != nil {
		to = *req.To
	} else if to == 0 {
		return 0, 0, noArtifact(s.ID())
	}
	from = s.View.Fold.Before(to)
	if req.From != nil {
		from = *req.From
	}
	return from, to, nil
}

// Blame says who wrote the fields of a published version, the latest if version is 0; address is an item, an item
// and a field, or empty for everything.
func (s *Session) Blame(ctx context.Context, version int, address string) ([]diff.Line, error) {
	if version == 0 {
		version = s.View.Latest()
	}
	if version == 0 {
		return nil, noArtifact(s.ID())
	}
	v, err := s.At(ctx, version)
	if err != nil {
		return nil, err
	}
	item, field := diff.ParseAddress(address)
	if item != "" && v.Fold.Artifact().Item(item) == nil {
		return nil, noItem(fmt.Sprintf("v%d of %s", version, s.ID()), v.Fold.Artifact(), item)
	}
	lines := diff.Blame(v.Fold.Artifact(), item, field)
	if field != "" && len(lines) == 0 {
		return nil, noField(diff.Blame(v.Fold.Artifact(), item, ""), item, field)
	}
	return lines, nil
}

func formatTime(t time.Time) string { return artifact.FormatTime(t) }

// noItem says which items of its kind there are.
func noItem(whole string, a *artifact.Artifact, id artifact.ItemID) error {
	var others []string
	if _, section, _, ok := artifact.ParseItemID(string(id)); ok {
		for _, it := range a.Items(section) {
			others = append(others, string(it.ID))
		}
	}
	if len(others) == 0 {
		return protocol.Errorf(protocol.NotFound, "%s has no item %s", whole, protocol.Brief(string(id)))
	}
	return protocol.Errorf(protocol.NotFound, "%s has no item %s, only %s", whole, protocol.Brief(string(id)), enumerated(others))
}

// noField says which fields an item has.
func noField(lines []diff.Line, item artifact.ItemID, field string) error {
	var fields []string
	for _, l := range lines {
		fields = append(fields, l.Field)
	}
	there := enumerated(slices.Compact(fields))
	return protocol.Errorf(protocol.NotFound, "%s has no field %s, only %s", item, protocol.Brief(field), there)
}

// maxNamed is how many names a message lists.
const maxNamed = 12

func enumerated(names []string) string {
	if more := len(names) - maxNamed; more > 0 {
		names = append(slices.Clone(names[:maxNamed]), fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}
