package fold

import (
	"slices"

	"brenner/internal/protocol"
)

// Member is an agent that takes part.
type Member struct {
	Agent    string
	Role     protocol.Role // empty: none was given
	Program  string
	Model    string
	Deltas   int // accepted blocks
	Rostered bool
}

// Members lists the roster, then all other senders and recipients.
func (v *View) Members() []Member {
	list := []Member{}
	if roster, ok := v.Fold.Roster(); ok {
		for _, e := range roster.Entries {
			list = append(list, Member{Agent: e.AgentName, Role: e.Role, Program: e.Program, Model: e.Model, Rostered: true})
		}
	}
	find := func(name string) *Member {
		i := slices.IndexFunc(list, func(m Member) bool { return protocol.SameAgent(m.Agent, name) })
		if i < 0 {
			i = len(list)
			list = append(list, Member{Agent: name})
		}
		return &list[i]
	}
	for _, name := range v.Participants {
		find(name)
	}
	for _, c := range v.Fold.Contributors() {
		find(c.Agent).Deltas += c.Deltas
	}
	return list
}

// RoleWork is what the agents of a role have done.
type RoleWork struct {
	Agents []string `json:"agents"`
	Deltas int      `json:"deltas"` // accepted blocks
}

// Roles counts accepted deltas by role; agents outside the roster count as "unassigned".
func (v *View) Roles() map[string]*RoleWork {
	roles := map[string]*RoleWork{}
	work := func(role string) *RoleWork {
		if roles[role] == nil {
			roles[role] = &RoleWork{Agents: []string{}}
		}
		return roles[role]
	}
	if roster, ok := v.Fold.Roster(); ok {
		for _, e := range roster.Entries {
			w := work(roleName(string(e.Role)))
			w.Agents = append(w.Agents, e.AgentName)
		}
	}
	for _, d := range v.Fold.Contributors() {
		w := work(roleName(d.Role))
		w.Deltas += d.Deltas
		if !slices.ContainsFunc(w.Agents, func(a string) bool { return protocol.SameAgent(a, d.Agent) }) {
			w.Agents = append(w.Agents, d.Agent)
		}
	}
	return roles
}

func roleName(role string) string {
	if role == "" {
		return "unassigned"
	}
	return role
}
