package mcpserver

import (
	"time"

	"brenner/mail"
	"brenner/protocol"
)

// Call is a call of a tool that has ended.
type Call struct {
	Tool     string
	Writes   bool // the tool may change something
	Took     time.Duration
	Code     protocol.Code // empty: it worked
	Operator string        // name of the operator's token that was shown; empty: none was
	From     string        // the address of such an operator
}

// observe tells how a call ended.
func (s *Server) observe(who caller, t *tool, began time.Time, err error) {
	if s.options.Observe == nil {
		return
	}
	c := Call{Tool: t.name, Writes: t.effect != reads, Took: time.Since(began), Operator: who.operator, From: who.from}
	if err != nil {
		c.Code = mail.CodeOf(err)
	}
	s.options.Observe(c)
}

// Waiters is how many calls wait for mail now.
func (s *Server) Waiters() int {
	s.followers.mu.Lock()
	defer s.followers.mu.Unlock()
	n := 0
	for _, f := range s.followers.byID {
		n += f.waiters()
	}
	return n
}

func (f *follower) waiters() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, chs := range f.waiting {
		n += len(chs)
	}
	return n
}
