package session

import (
	"context"

	"brenner/internal/artifact/delta"
	"brenner/internal/mail"
)

// Merged returns what the merge made of messages of the thread: their receipts by message. Messages without
// delta blocks have none. A receipt of a large window may have lost its blocks; its counts are whole.
func (s *Session) Merged(ctx context.Context, messages []mail.Message) (map[int64]*delta.Receipt, error) {
	list := make([]Entry, len(messages))
	for i := range messages {
		list[i].Message = messages[i]
	}
	records, err := s.of.mergeRecords(ctx, s.View, list)
	if err != nil {
		return nil, err
	}
	receipts := map[int64]*delta.Receipt{}
	for i := range messages {
		if r := records[messages[i].ID].Receipt; r != nil {
			receipts[messages[i].ID] = r
		}
	}
	return receipts, nil
}
