package session

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"brenner/internal/artifact/merge"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// closedWindow keeps what the merge said about the messages that a COMPILED message closed; its key
// is that message's id. The open window is part of the view.
const closedWindow mail.ProjectionKind = "session.window.3"

// mergeRecords finds what the merge said about messages of a thread: in the open window, or in the
// window that the first COMPILED message after them closed.
func (s *Sessions) mergeRecords(ctx context.Context, v *fold.View, list []Entry) (map[int64]fold.Record, error) {
	records := map[int64]fold.Record{}
	if v == nil {
		return records, nil
	}
	open := v.Fold.Reports()
	for i := range list {
		at, found := slices.BinarySearchFunc(open, list[i].ID, func(r *merge.MessageReport, id int64) int { return cmp.Compare(r.MessageID, id) })
		if found {
			records[list[i].ID] = v.Record(open[at])
			continue
		}
		compiled, closed := closing(v.Fold.Versions(), list[i].ID)
		if list[i].Type != protocol.TypeDelta || !closed {
			continue
		}
		window, err := s.window(ctx, v.Fold.ThreadID(), compiled)
		if err != nil {
			return nil, err
		}
		if r, ok := window[list[i].ID]; ok {
			records[list[i].ID] = r
		}
	}
	return records, nil
}

// windowRecords is a closed window by message. It never changes.
type windowRecords map[int64]fold.Record

// mostWindows is how many closed windows are remembered; a page of a thread needs one or two
// (BenchmarkSessionPage).
const mostWindows = 16

// window returns what the merge said about the messages that a COMPILED message closed.
func (s *Sessions) window(ctx context.Context, threadID string, compiled merge.Version) (windowRecords, error) {
	return s.windows.Of(publicationOf(compiled), func() (windowRecords, error) {
		list, err := s.closedWindow(ctx, threadID, compiled.MessageID)
		records := make(windowRecords, len(list))
		for _, r := range list {
			records[r.MessageID] = r
		}
		return records, err
	})
}

// closedWindow returns what was kept when a window was closed. Where nothing was, for mail that
// another program compiled or that was imported, the thread is folded once and every window of it
// kept.
func (s *Sessions) closedWindow(ctx context.Context, threadID string, compiled int64) ([]fold.Record, error) {
	if p, err := s.mail.Kept(ctx, closedWindow, formatID(compiled)); err == nil {
		var list []fold.Record
		if json.Unmarshal(p.Data, &list) == nil {
			return list, nil
		}
	}
	var found []fold.Record
	v := fold.NewView(threadID)
	err := s.each(ctx, mail.MessageQuery{Thread: threadID}, func(m mail.Message) {
		if m.Type == protocol.TypeCompiled {
			list := s.keepWindow(ctx, v, m.ID)
			if m.ID == compiled {
				found = list
			}
		}
		Fold(v, m)
	})
	return found, err
}

// keepWindow saves the open window of a view under the COMPILED message that is about to close it.
// It only saves work, so that failing to is no failure.
func (s *Sessions) keepWindow(ctx context.Context, v *fold.View, compiled int64) []fold.Record {
	list := v.Records()
	if data, err := json.Marshal(list); err == nil {
		_ = s.mail.Keep(ctx, mail.Projection{
			Kind: closedWindow, Key: formatID(compiled), Through: compiled, Data: data,
		})
	}
	return list
}

// closing is the first COMPILED message after a message; false: there is none yet.
func closing(versions []merge.Version, id int64) (merge.Version, bool) {
	for _, version := range versions {
		if version.MessageID > id {
			return version, true
		}
	}
	return merge.Version{}, false
}
