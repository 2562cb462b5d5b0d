package session

import (
	"context"

	"brenner/internal/mail"
)

// Messages reads messages of the session by id, in one question to the store. Those of other threads are left out.
func (s *Session) Messages(ctx context.Context, ids []int64) (map[int64]*mail.Message, error) {
	byID := make(map[int64]*mail.Message, len(ids))
	if len(ids) == 0 {
		return byID, nil
	}
	found, err := s.of.store().Messages(ctx, mail.MessageQuery{Project: s.of.project(), Thread: s.ID(), IDs: ids})
	for i := range found {
		byID[found[i].ID] = &found[i]
	}
	return byID, err
}
