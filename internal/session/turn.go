package session

import (
	"context"
	"slices"

	"brenner/internal/artifact/markdown"
	"brenner/internal/mail"
	"brenner/internal/prompt"
	"brenner/internal/protocol"
)

// Turn gathers what an agent is asked to do now. NOT_FOUND: nobody asked it for anything, by a KICKOFF of this session.
func (s *Session) Turn(ctx context.Context, agent string) (prompt.Turn, error) {
	messages, kickoff, err := s.sinceTurn(ctx, agent)
	if err != nil {
		return prompt.Turn{}, err
	}
	t := prompt.Turn{Agent: agent, ThreadID: s.ID(), Round: s.View.Round, KickoffID: kickoff.ID, Kickoff: kickoff.Body}
	for _, m := range newsOf(messages) {
		t.News = append(t.News, prompt.News{ID: m.ID, From: m.From, Subject: m.Subject, Body: m.Body})
	}
	switch doc, err := s.Document(ctx, 0); {
	case err == nil:
		t.Artifact = markdown.Render(doc)
	case protocol.CodeOf(err) != protocol.NotFound:
		return t, err
	}
	return t, nil
}

// turnPage is how many messages are read at once, from the latest back.
const turnPage = 64

// sinceTurn reads the messages of the thread since an agent's last word, oldest first, and its latest KICKOFF.
func (s *Session) sinceTurn(ctx context.Context, agent string) (since []mail.Message, kickoff mail.Message, err error) {
	spoke := false
	for before := int64(0); !spoke || kickoff.ID == 0; {
		page, err := s.of.store().Messages(ctx, mail.MessageQuery{Project: s.of.project(), Thread: s.ID(), Before: before,
			Order: mail.NewestFirst, Limit: turnPage})
		if err != nil {
			return nil, kickoff, err
		}
		for i := range page {
			m := &page[i]
			if kickoff.ID == 0 && m.Type == protocol.TypeKickoff && slices.ContainsFunc(m.To, is(agent)) {
				kickoff = *m
			}
			if spoke = spoke || protocol.SameAgent(m.From, agent); !spoke {
				since = append(since, *m)
			}
		}
		if len(page) < turnPage {
			break
		}
		before = page[len(page)-1].ID
	}
	slices.Reverse(since)
	if kickoff.ID == 0 {
		err = protocol.Errorf(protocol.NotFound, "%s has no KICKOFF of %s: nobody asked it for anything", agent, s.ID())
	}
	return since, kickoff, err
}

// is tells whether a name is that of an agent.
func is(agent string) func(name string) bool {
	return func(name string) bool { return protocol.SameAgent(name, agent) }
}

// newsOf are the messages that a turn tells of: without kickoffs, versions and acknowledgements, and what the latest version holds.
func newsOf(messages []mail.Message) []mail.Message {
	var news []mail.Message
	for _, m := range messages {
		switch m.Type {
		case protocol.TypeCompiled:
			news = slices.DeleteFunc(news, func(m mail.Message) bool { return m.Type == protocol.TypeDelta })
		case protocol.TypeKickoff, protocol.TypeAck:
		default:
			news = append(news, m)
		}
	}
	return news
}
