package mail

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"brenner/internal/message"
	"brenner/internal/protocol"
)

// noKickoff: NO_KICKOFF for work on a research thread that no KICKOFF opened, which is mostly a slip in its
// id (PROTOCOL 2). The fix names the nearest threads that the sender may read.
func (s *Service) noKickoff(ctx context.Context, l *candidate, report *message.Report) ([]protocol.Finding, error) {
	works := report.Type == protocol.TypeDelta || report.Type == protocol.TypeCritique
	if !works || protocol.KindOf(l.draft.ThreadID) != protocol.Research || l.thread.FirstType == protocol.TypeKickoff &&
		l.thread.Messages > 0 {
		return nil, nil
	}
	if l.thread.Messages > 0 {
		opened, err := s.store.Messages(ctx, MessageQuery{
			Project: s.project.ID, Thread: l.draft.ThreadID, Types: []protocol.MessageType{protocol.TypeKickoff}, Limit: 1,
		})
		if err != nil || len(opened) > 0 {
			return nil, err
		}
	}
	f := protocol.NewFinding(protocol.NoKickoff, "%s has no KICKOFF: nobody opened this session.", l.draft.ThreadID).In("thread_id")
	near, err := s.nearThreads(ctx, l.access, l.draft.ThreadID)
	if len(near) > 0 {
		f = f.WithFix("Did you mean %s?", strings.Join(near, " or "))
	}
	return []protocol.Finding{f}, err
}

// How many threads are compared, the latest first, and how many are named.
const (
	comparedThreads = 500
	namedThreads    = 3
)

// nearThreads returns the ids of opened threads that look like one, nearest first.
func (s *Service) nearThreads(ctx context.Context, access Access, id string) ([]string, error) {
	threads, err := s.store.Threads(ctx, ThreadQuery{Project: s.project.ID, Limit: comparedThreads})
	if err != nil {
		return nil, err
	}
	type candidate struct {
		id       string
		distance int
	}
	var near []candidate
	for _, t := range threads {
		if t.FirstType != protocol.TypeKickoff || t.ID == id {
			continue
		}
		if d := protocol.EditDistance(id, t.ID); d <= len(id)/3 {
			near = append(near, candidate{t.ID, d})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var ids []string
	for _, c := range near {
		switch err := access.CheckThread(ctx, c.id); {
		case protocol.CodeOf(err) == protocol.NotFound && err != nil: // not the sender's to know
		case err != nil:
			return nil, err
		default:
			ids = append(ids, c.id)
		}
		if len(ids) == namedThreads {
			break
		}
	}
	return ids, nil
}
