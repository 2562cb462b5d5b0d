package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// Call is a call of a tool that has ended.
type Call struct {
	Tool string
	Took time.Duration
	Code protocol.Code // empty: it worked
}

// Act is a call of an operator that may change something.
type Act struct {
	Tool     string
	Operator string // name of the operator's token
	From     string // the operator's address
	Thread   string // that the call names
	Agent    string // in whose name it speaks
}

// named are the arguments by which calls name a thread, and who speaks.
type named struct {
	Thread string `json:"thread_id"`
	Sender string `json:"sender_name"`
	Agent  string `json:"agent_name"`
	As     string `json:"as"`
}

// observed runs a tool between its beginning and its end as others hear of them.
func (s *Server) observed(ctx context.Context, who caller, t *tool, raw json.RawMessage, run func() error) error {
	began := time.Now()
	ended, err := s.begin(ctx, who, t, raw)
	if err == nil {
		err = run()
	}
	code := protocol.Code("")
	if err != nil {
		code = mail.CodeOf(err)
	}
	if ended != nil {
		ended(code)
	}
	if s.options.Observe != nil {
		s.options.Observe(Call{Tool: t.name, Took: time.Since(began), Code: code})
	}
	return err
}

// begin tells that an operator begins something. The first result may be nil.
func (s *Server) begin(ctx context.Context, who caller, t *tool, raw json.RawMessage) (func(protocol.Code), error) {
	if s.options.Begin == nil || who.operator == "" || t.effect == reads {
		return nil, nil
	}
	var about named
	_ = json.Unmarshal(raw, &about) // what cannot be read names nothing; the tool says so
	return s.options.Begin(ctx, Act{
		Tool: t.name, Operator: who.operator, From: who.from, Thread: about.Thread, Agent: cmp.Or(about.Sender, about.Agent, about.As),
	})
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
