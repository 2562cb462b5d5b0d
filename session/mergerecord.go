package session

import (
	"context"
	"encoding/json"

	"brenner/artifact/delta"
	"brenner/artifact/merge"
	"brenner/mail"
	"brenner/protocol"
)

// closedWindow keeps what the merge said about the messages that a COMPILED message closed; its key
// is that message's id. The open window is part of the view.
const closedWindow mail.ProjectionKind = "session.window.1"

// mergeRecord is what folding a message came to, as far as a reader asks for it later.
type mergeRecord struct {
	MessageID int64              `json:"message_id"`
	Receipt   *delta.Receipt     `json:"receipt"`
	Notes     []protocol.Finding `json:"notes"`
}

func recordsOf(reports []*merge.MessageReport) []mergeRecord {
	list := []mergeRecord{}
	for _, r := range reports {
		list = append(list, mergeRecord{r.MessageID, r.Receipt, r.Notes})
	}
	return list
}

// mergeRecords finds what the merge said about messages of a thread: in the open window, or in the
// window that the first COMPILED message after them closed.
func (s *Sessions) mergeRecords(ctx context.Context, v *View, list []Entry) (map[int64]mergeRecord, error) {
	records := map[int64]mergeRecord{}
	if v == nil {
		return records, nil
	}
	for _, r := range recordsOf(v.Fold.Window().Messages) {
		records[r.MessageID] = r
	}
	seen := map[int64]bool{}
	for i := range list {
		compiled := closing(v.Fold.Versions(), list[i].ID)
		if list[i].Type != protocol.TypeDelta || compiled == 0 || seen[compiled] {
			continue
		}
		seen[compiled] = true
		window, err := s.window(ctx, v.Fold.ThreadID(), compiled)
		if err != nil {
			return nil, err
		}
		for _, r := range window {
			records[r.MessageID] = r
		}
	}
	return records, nil
}

// closing is the first COMPILED message after a message; 0: there is none yet.
func closing(versions []merge.Version, id int64) int64 {
	for _, version := range versions {
		if version.MessageID > id {
			return version.MessageID
		}
	}
	return 0
}

// window returns what was kept when a COMPILED message closed a window. Where nothing was, for
// mail that another program compiled or that was imported, the thread is folded once and every
// window of it kept.
func (s *Sessions) window(ctx context.Context, threadID string, compiled int64) ([]mergeRecord, error) {
	if p, err := s.store().Projection(ctx, s.project(), closedWindow, formatID(compiled)); err == nil {
		var list []mergeRecord
		if json.Unmarshal(p.Data, &list) == nil {
			return list, nil
		}
	}
	var found []mergeRecord
	v := NewView(threadID)
	err := s.each(ctx, mail.MessageQuery{Thread: threadID}, func(m mail.Message) {
		if m.Type == protocol.TypeCompiled {
			list := s.keepWindow(ctx, v, m.ID)
			if m.ID == compiled {
				found = list
			}
		}
		v.Add(m)
	})
	return found, err
}

// keepWindow saves the open window of a view under the COMPILED message that is about to close it.
// It only saves work, so that failing to is no failure.
func (s *Sessions) keepWindow(ctx context.Context, v *View, compiled int64) []mergeRecord {
	list := recordsOf(v.Fold.Window().Messages)
	if data, err := json.Marshal(list); err == nil {
		_ = s.store().PutProjection(ctx, s.project(), mail.Projection{
			Kind: closedWindow, Key: formatID(compiled), Through: compiled, Data: data,
		})
	}
	return list
}
