package session

import (
	"context"
	"encoding/json"
	"fmt"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/prompt"
)

// sealOf hashes what an operator asks for.
func sealOf(req StartRequest) canon.Hash {
	req.Key, req.seal = "", canon.Hash{}
	text, err := json.Marshal(req)
	if err != nil {
		panic(err) // plain data always encodes
	}
	return canon.SumTexts("start", string(text))
}

// kickoffKey is the key of one KICKOFF of a start.
func kickoffKey(key string, i int) string { return fmt.Sprintf("%s:kickoff:%d", key, i) }

// startedBefore finds what was sent under the key of a start, as when the answer to it was lost. Nothing is written.
func (s *Sessions) startedBefore(ctx context.Context, req StartRequest, st *Started) (bool, error) {
	if req.Key == "" {
		return false, nil
	}
	sent, err := s.sentUnder(ctx, req.Key)
	for i := range sent {
		m := &sent[i]
		if m.Payload != req.seal {
			return false, mail.KeyUsed(m)
		}
		k := Kickoff{ID: &m.ID, To: m.To[0], Subject: m.Subject, Body: m.Body}
		if role := roleIn(st.Roster, k.To); role != prompt.RoleUnified {
			k.Role = &role
		}
		st.ThreadID, st.Messages = m.ThreadID, append(st.Messages, k)
	}
	return len(sent) > 0, err
}

// sentUnder returns the KICKOFFs of a key.
func (s *Sessions) sentUnder(ctx context.Context, key string) ([]mail.Message, error) {
	const page = 64
	var sent []mail.Message
	for {
		keys := make([]string, page)
		for i := range keys {
			keys[i] = kickoffKey(key, len(sent)+i)
		}
		found, err := s.mail.SentUnder(ctx, keys...)
		sent = append(sent, found...)
		if err != nil || len(found) < page {
			return sent, err
		}
	}
}
