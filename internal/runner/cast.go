package runner

import (
	"context"

	"brenner/internal/protocol"
	"brenner/internal/session"
)

// Player is an agent that a run of a session would play now.
type Player struct {
	Agent   string
	Role    protocol.Role
	Program string // empty: it is not played by the run
	Model   string
}

// Cast lists whom a run of a thread would play, in the order of the roster. NOT_FOUND: the thread does not exist,
// or no agent was asked for anything.
func Cast(ctx context.Context, s *session.Sessions, thread string) ([]Player, error) {
	if _, err := s.Mail().Thread(ctx, thread); err != nil {
		return nil, err
	}
	r := &run{o: Options{Sessions: s, ThreadID: thread}, mail: s.Mail(), history: newHistory(), news: make(chan struct{})}
	if err := r.history.catchUp(ctx, s, thread); err != nil {
		return nil, err
	}
	if r.history.current() == nil {
		return nil, noKickoff(thread)
	}
	participants, err := r.participants(ctx, r.history.current().number)
	list := make([]Player, len(participants))
	for i, p := range participants {
		list[i] = Player{p.name, p.role, p.program, p.model}
	}
	return list, err
}

func noKickoff(thread string) error {
	return protocol.Errorf(protocol.NotFound, "%s has no KICKOFF: nobody was asked for anything: start the session first", thread).
		Doing(protocol.Operation("session.start"))
}
