package mcpserver

import (
	"encoding/json"
	"sync"
	"sync/atomic"
)

// calls are the calls under way in the sessions of HTTP clients. A call that its client cancelled gets no
// answer; the SDK ends it, but would answer. Safe for concurrent use.
type calls struct {
	mu   sync.Mutex
	byID map[callID]*underWay
}

type callID struct{ session, id string }

// underWay is one call. A nil one is never cancelled.
type underWay struct {
	calls     *calls
	at        callID
	cancelled atomic.Bool
}

func (c *calls) begin(session string, id json.RawMessage) *underWay {
	u := &underWay{calls: c, at: callID{session, idText(id)}}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byID[u.at] = u
	return u
}

func (u *underWay) end() {
	u.calls.mu.Lock()
	defer u.calls.mu.Unlock()
	if u.calls.byID[u.at] == u {
		delete(u.calls.byID, u.at)
	}
}

// cancel notes what a notification cancels. One of a call that is not under way means nothing.
func (c *calls) cancel(session string, params json.RawMessage) {
	id := cancelledID(params)
	c.mu.Lock()
	defer c.mu.Unlock()
	if u := c.byID[callID{session, idText(id)}]; id != nil && u != nil {
		u.cancelled.Store(true)
	}
}

func (u *underWay) over() bool { return u != nil && u.cancelled.Load() }

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
