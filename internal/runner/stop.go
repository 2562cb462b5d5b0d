package runner

import (
	"context"

	"brenner/mail"
	"brenner/message"
	"brenner/protocol"
	"brenner/session"
)

// stopSubject is how a person ends a run, by `brenner run T --stop` or by mail: a message on the
// thread from somebody who is not one of the agents that the run plays.
const stopSubject = "INFO: Stop the run"

// Stop asks the runner of a thread to end. The message is on the thread before Stop returns.
func Stop(ctx context.Context, s *session.Sessions, thread, as, reason string) (mail.Message, error) {
	v, err := s.View(ctx, thread)
	if err != nil {
		return mail.Message{}, err
	}
	body := "# Stop the run\n\nThe unattended run of this session ends now. What was contributed stays; `brenner run` goes on later.\n"
	if text := message.Contain(reason); text != "" {
		body += "\n## Reason\n\n" + text + "\n"
	}
	to, err := present(ctx, s.Mail(), v.Participants, as)
	if err != nil {
		return mail.Message{}, err
	}
	no := false
	sent, err := s.Mail().Send(ctx, mail.Outgoing{Draft: message.Draft{
		ThreadID: thread, From: as, To: to, Subject: stopSubject, Body: body, AckRequired: &no,
	}})
	return sent.Message, err
}

// present lists who of the participants can get mail, but for the sender; nobody: the sender itself.
func present(ctx context.Context, s *mail.Service, names []string, sender string) ([]string, error) {
	agents, err := s.Store().Agents(ctx, s.Project().ID, names...)
	if err != nil {
		return nil, err
	}
	var to []string
	for i := range agents {
		if !agents[i].Retired() && !protocol.SameAgent(agents[i].Name, sender) {
			to = append(to, agents[i].Name)
		}
	}
	if len(to) == 0 {
		to = []string{sender}
	}
	return to, nil
}
