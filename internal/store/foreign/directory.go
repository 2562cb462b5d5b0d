package foreign

import (
	"context"
	"encoding/json"
	"slices"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// Agents implements mail.Store.
func (s *Store) Agents(ctx context.Context, project mail.ProjectID, wanted ...string) ([]mail.Agent, error) {
	p, err := s.project(project)
	if err != nil {
		return nil, err
	}
	var data json.RawMessage
	err = s.caller.Resource(ctx, "agents", p.Slug, nil, &data)
	if absent(err) {
		return s.whois(ctx, p, wanted) // a server without that resource
	}
	if err != nil {
		return nil, err
	}
	list, err := listOf[agentObject](data, "agents")
	if err != nil {
		return nil, unavailable("the server's list of agents cannot be read: %w", err)
	}
	var found []mail.Agent
	for i := range list {
		if len(wanted) == 0 || slices.ContainsFunc(wanted, func(name string) bool {
			return mail.NameKey(name) == mail.NameKey(string(list[i].Name))
		}) {
			found = append(found, list[i].agent(project))
		}
	}
	return found, nil
}

// whois asks for agents one by one; who cannot be found is left out.
func (s *Store) whois(ctx context.Context, p mail.Project, wanted []string) ([]mail.Agent, error) {
	if len(wanted) == 0 {
		return nil, notAllowed("a list of its agents")
	}
	var found []mail.Agent
	seen := map[string]bool{}
	for _, name := range wanted {
		if name == "" || seen[mail.NameKey(name)] {
			continue
		}
		seen[mail.NameKey(name)] = true
		var o agentObject
		err := s.caller.Tool(ctx, "whois", arguments{"project_key": p.HumanKey, "agent_name": name}, &o)
		if err == nil {
			found = append(found, o.agent(p.ID))
		} else if !absent(err) {
			return nil, err
		}
	}
	return found, nil
}

// PutAgent implements mail.Store, as far as register_agent does: no agent can be retired or given
// a token.
func (s *Store) PutAgent(ctx context.Context, a mail.Agent) (mail.Agent, error) {
	p, err := s.project(a.Project)
	if err != nil {
		return mail.Agent{}, err
	}
	if a.Retired() {
		return mail.Agent{}, notAllowed("retiring agents")
	}
	if a.TokenHash != (canon.Hash{}) {
		return mail.Agent{}, notAllowed("tokens")
	}
	if a.ID == 0 {
		have, err := s.Agents(ctx, a.Project, a.Name)
		if err != nil {
			return mail.Agent{}, err
		}
		if len(have) > 0 {
			return mail.Agent{}, mail.NameTaken(a.Name)
		}
	}
	args := arguments{"project_key": p.HumanKey, "name": a.Name}
	for name, value := range map[string]string{"program": a.Program, "model": a.Model, "task_description": a.Task} {
		if value != "" { // nothing is invented for what is not known
			args[name] = value
		}
	}
	var o agentObject
	if err := s.caller.Tool(ctx, "register_agent", args, &o); err != nil {
		return mail.Agent{}, err
	}
	if mail.NameKey(string(o.Name)) != mail.NameKey(a.Name) {
		return mail.Agent{}, protocol.Errorf(protocol.NotAllowed, "the server does not take the name %q and gave the agent another: %q",
			a.Name, o.Name)
	}
	return o.agent(a.Project), nil
}
