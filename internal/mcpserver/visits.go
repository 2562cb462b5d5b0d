package mcpserver

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// visits are the sessions of HTTP clients: whose each is, and when it was last used. They are counted
// here rather than by the SDK, which bounds neither their number nor sees calls that do not need
// it.
type visits struct {
	server *Server
	mu     sync.Mutex
	byID   map[string]*visit
	swept  bool // somebody looks for idle ones
}

// visit is one session. Its times are those of the wall: a message's clock may stand still.
type visit struct {
	session *mcp.ServerSession
	who     caller
	used    time.Time
	busy    int // requests under way, an open stream being one
}

// note enters a session that was opened, and ends the one that was idle the longest if there are
// too many.
func (v *visits) note(session *mcp.ServerSession, who caller) {
	if session.ID() == "" { // stdio, or the sessionless protocol
		return
	}
	v.mu.Lock()
	var over *visit
	if len(v.byID) >= v.server.options.MaxSessions {
		over = v.idlest()
	}
	v.byID[session.ID()] = &visit{session: session, who: who, used: time.Now()}
	if !v.swept {
		v.swept = v.server.background(v.sweep)
	}
	v.mu.Unlock()
	if over != nil {
		over.end()
	}
}

// idlest takes out the visit that was not used for the longest time, one under way only if all are.
func (v *visits) idlest() *visit {
	var found *visit
	for _, each := range v.byID {
		if found == nil || each.idler(found) {
			found = each
		}
	}
	delete(v.byID, found.session.ID())
	return found
}

func (v *visit) idler(than *visit) bool {
	if (v.busy == 0) != (than.busy == 0) {
		return v.busy == 0
	}
	return v.used.Before(than.used)
}

// end tells the SDK that a session is over; its client is told so with its next request, and opens
// another.
func (v *visit) end() { _ = v.session.Close() } // the other end is gone or about to be

// enter notes a request in a session. own is false if there is no such session, or somebody else
// opened it: whether that one may use it the SDK knows. leave must be called.
func (v *visits) enter(id string, who caller) (leave func(), own bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	found := v.byID[id]
	if found == nil {
		return func() {}, false
	}
	found.busy++
	found.used = time.Now()
	return func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		found.busy--
		found.used = time.Now()
	}, found.who == who
}

// forget takes out a session that ended.
func (v *visits) forget(id string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.byID, id)
}

// sweep ends sessions that were idle for too long.
func (v *visits) sweep(ctx context.Context) {
	patience := v.server.options.SessionTimeout
	tick := time.NewTicker(max(patience/8, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			for _, idle := range v.overdue(now.Add(-patience)) {
				idle.end()
			}
		}
	}
}

// overdue takes out what is not under way and was last used before a time.
func (v *visits) overdue(before time.Time) []*visit {
	v.mu.Lock()
	defer v.mu.Unlock()
	var list []*visit
	for id, each := range v.byID {
		if each.busy == 0 && each.used.Before(before) {
			list = append(list, each)
			delete(v.byID, id)
		}
	}
	return list
}
