package session

import (
	"context"

	"brenner/internal/fold"
)

// mergeRecords finds what folding messages of a thread came to: recently, or in the window that they are in.
func (s *Sessions) mergeRecords(ctx context.Context, v *fold.View, list []Entry) (map[int64]fold.Record, error) {
	records := map[int64]fold.Record{}
	if v == nil {
		return records, nil
	}
	for i := range list {
		id := list[i].ID
		record, found := v.Record(id)
		if w, closed := v.WindowOf(id); closed {
			window, err := s.window(ctx, v.Fold.ThreadID(), w)
			if err != nil {
				return nil, err
			}
			record, found = fold.FindRecord(window, id)
		}
		if found {
			records[id] = record
		}
	}
	return records, nil
}

// maxWindows is how many windows are remembered; a page of a thread needs one or two, and more where messages
// are large (BenchmarkSessionPage).
const maxWindows = 16

// window returns the records of a window.
func (s *Sessions) window(ctx context.Context, threadID string, w fold.Window) ([]fold.Record, error) {
	return s.windows.Of(w.Sum, func() ([]fold.Record, error) {
		if w.Data != nil {
			return w.Records(w.Data)
		}
		if p, err := s.mail.Kept(ctx, threadViews.Window, formatID(w.Last)); err == nil {
			if records, err := w.Records(p.Data); err == nil {
				return records, nil
			}
		}
		return s.foldWindow(ctx, threadID, w)
	})
}

// foldWindow folds a thread up to a window that is no longer kept, and keeps the windows up to it again. That only saves work, so
// that failing to is no failure.
func (s *Sessions) foldWindow(ctx context.Context, threadID string, w fold.Window) ([]fold.Record, error) {
	v, err := s.replay(ctx, threadID, w.Last)
	if err != nil {
		return nil, err
	}
	for _, other := range v.Fresh() {
		_ = s.threads.KeepWindow(ctx, other)
	}
	found, _ := v.WindowOf(w.Last)
	return w.Records(found.Data)
}
