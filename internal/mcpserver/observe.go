package mcpserver

import (
	"time"

	"brenner/mail"
	"brenner/protocol"
)

// observe tells how a call ended.
func (s *Server) observe(tool string, began time.Time, err error) {
	if s.options.Observe == nil {
		return
	}
	var code protocol.Code
	if err != nil {
		code = mail.CodeOf(err)
	}
	s.options.Observe(tool, time.Since(began), code)
}

// Waiters is how many calls wait for mail now.
func (s *Server) Waiters() int {
	s.feeds.mu.Lock()
	defer s.feeds.mu.Unlock()
	n := 0
	for _, f := range s.feeds.byID {
		n += f.waiters()
	}
	return n
}

func (f *feed) waiters() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, chs := range f.waiting {
		n += len(chs)
	}
	return n
}
