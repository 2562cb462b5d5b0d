package session

import (
	"context"
	"slices"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// People are the agents of the session, with their families: of its messages, the registry and the project file (SCIENCE 8).
func (s *Session) People() science.People {
	return s.View.Science.People(s.agents, s.of.familyOf)
}

// familyOf is the family of an agent, with what the project file says.
func (s *Sessions) familyOf(agent science.Agent) string { return agent.Family(s.settings.Families) }

// UnknownFamilies says whose model family cannot be told: FAMILY_UNKNOWN (SCIENCE 8).
func (s *Sessions) UnknownFamilies(agents ...mail.Agent) []protocol.Finding {
	var list []protocol.Finding
	for _, a := range agents {
		if s.familyOf(science.Agent{Name: a.Name, Program: a.Program, Model: a.Model}) == science.UnknownFamily {
			list = append(list, protocol.NewFinding(protocol.FamilyUnknown, "The model family of %s is not known.", a.Name))
		}
	}
	return list
}

// describe completes a roster with what the registry knows of programs and models (SCIENCE 9), and returns the recipients
// as they are described then.
func (s *Sessions) describe(ctx context.Context, choice *RosterChoice, given []science.Agent) ([]mail.Agent, error) {
	names := slices.Clone(choice.Recipients)
	for _, e := range choice.Roster.Entries {
		names = append(names, e.AgentName)
	}
	if len(names) == 0 {
		return nil, nil
	}
	known, err := s.store().Agents(ctx, s.project(), names...)
	if err != nil {
		return nil, err
	}
	registered := func(name string) mail.Agent {
		if i := slices.IndexFunc(known, func(a mail.Agent) bool { return protocol.SameAgent(a.Name, name) }); i >= 0 {
			return known[i]
		}
		return mail.Agent{}
	}
	for i := range choice.Roster.Entries {
		if e := &choice.Roster.Entries[i]; e.Program+e.Model == "" {
			a := registered(e.AgentName)
			e.Program, e.Model = a.Program, a.Model
		}
	}
	var recipients []mail.Agent
	for _, name := range choice.Recipients {
		a := mail.Agent{Name: name, Program: registered(name).Program, Model: registered(name).Model}
		for _, g := range given {
			if protocol.SameAgent(g.Name, name) {
				a.Program, a.Model = g.Program, g.Model
			}
		}
		if e, ok := choice.Roster.Entry(name); ok {
			a.Program, a.Model = e.Program, e.Model
		}
		recipients = append(recipients, a)
	}
	return recipients, nil
}
