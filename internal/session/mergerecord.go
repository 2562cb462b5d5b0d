package session

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"brenner/internal/artifact/delta"
	"brenner/internal/artifact/merge"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// closedWindow keeps what the merge said about the messages that a COMPILED message closed; its key
// is that message's id. The open window is part of the view.
const closedWindow mail.ProjectionKind = "session.window.3"

// mergeRecord is what folding a message came to, as far as a reader asks for it later.
type mergeRecord struct {
	MessageID int64              `json:"message_id"`
	Receipt   *delta.Receipt     `json:"receipt"`
	Notes     []protocol.Finding `json:"notes"`
	Changes   []Change           `json:"changes"`
	Text      []protocol.Finding `json:"text"`   // about the text of a DELTA
	Judged    bool               `json:"judged"` // Text and Receipt are complete: the text need not be read again
}

// records are what folding the messages of the open window came to.
func (v *View) records() []mergeRecord {
	list := []mergeRecord{}
	for _, r := range v.Fold.Reports() {
		list = append(list, v.record(r))
	}
	return list
}

// record is what folding one message of the open window came to.
func (v *View) record(r *merge.MessageReport) mergeRecord {
	record := mergeRecord{MessageID: r.MessageID, Receipt: r.Receipt, Notes: r.Notes}
	i, found := slices.BinarySearchFunc(v.Changes, r.MessageID, func(c messageChanges, id int64) int { return cmp.Compare(c.MessageID, id) })
	if found {
		c := &v.Changes[i]
		record.Changes, record.Text = c.Changes, c.Findings
		record.Judged = !c.Unlisted && r.MoreNotes == 0 && r.Receipt != nil && len(r.Receipt.Blocks) == r.Receipt.Found && r.Receipt.MoreFindings == 0
	}
	return record
}

// mergeRecords finds what the merge said about messages of a thread: in the open window, or in the
// window that the first COMPILED message after them closed.
func (s *Sessions) mergeRecords(ctx context.Context, v *View, list []Entry) (map[int64]mergeRecord, error) {
	records := map[int64]mergeRecord{}
	if v == nil {
		return records, nil
	}
	open := v.Fold.Reports()
	for i := range list {
		at, found := slices.BinarySearchFunc(open, list[i].ID, func(r *merge.MessageReport, id int64) int { return cmp.Compare(r.MessageID, id) })
		if found {
			records[list[i].ID] = v.record(open[at])
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
type windowRecords map[int64]mergeRecord

// mostWindows is how many closed windows are remembered; a page of a thread needs one or two
// (BenchmarkSessionPage).
const mostWindows = 16

// closing is the first COMPILED message after a message; false: there is none yet.
func closing(versions []merge.Version, id int64) (merge.Version, bool) {
	for _, version := range versions {
		if version.MessageID > id {
			return version, true
		}
	}
	return merge.Version{}, false
}

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
func (s *Sessions) closedWindow(ctx context.Context, threadID string, compiled int64) ([]mergeRecord, error) {
	if p, err := s.mail.Kept(ctx, closedWindow, formatID(compiled)); err == nil {
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
	list := v.records()
	if data, err := json.Marshal(list); err == nil {
		_ = s.mail.Keep(ctx, mail.Projection{
			Kind: closedWindow, Key: formatID(compiled), Through: compiled, Data: data,
		})
	}
	return list
}
