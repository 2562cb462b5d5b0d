package mcpserver

import (
	"context"
	"encoding/json"
	"sync/atomic"
)

// underWay is a call in a session that waits. One that its client cancelled gets no answer.
type underWay struct {
	over atomic.Bool
	stop context.CancelFunc
}

// begin notes a call that waits in a session, until end is called. Its context ends when it is cancelled.
func (s *sessions) begin(ctx context.Context, t ticket, id json.RawMessage) (c context.Context, call *underWay, end func()) {
	ctx, stop := context.WithCancel(ctx)
	call = &underWay{stop: stop}
	key, at := t.key(), idText(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at(key).calls[at] = call
	return ctx, call, func() {
		stop()
		s.mu.Lock()
		defer s.mu.Unlock()
		if here := s.local[key]; here != nil && here.calls[at] == call {
			delete(here.calls, at)
			s.tidy(key)
		}
	}
}

func (u *underWay) cancel() {
	u.over.Store(true)
	u.stop()
}

// cancelledID reads which call a notification cancels; nil: none.
func cancelledID(params json.RawMessage) json.RawMessage {
	var p struct {
		ID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil || !validID(p.ID) || string(p.ID) == "null" {
		return nil
	}
	return p.ID
}

// idText brings an id to one form: strings may be written in several.
func idText(id json.RawMessage) string {
	var text string
	if json.Unmarshal(id, &text) == nil {
		return encodeText(text)
	}
	return string(id)
}
