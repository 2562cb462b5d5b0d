package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/protocol"
	"brenner/internal/session"
)

// rosterFlags are the flags that say who takes part, and in which role.
type rosterFlags struct {
	seats   []seat // in the order of the command line
	roster  string
	preset  string
	mode    string
	unified bool
	changes []session.RoleChange // lowest first
}

// seat is one --to with the --role behind it.
type seat struct {
	agents []string
	role   *protocol.Role
}

func (f *rosterFlags) define(a *app, cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var((*toValue)(f), "to", "recipient `AGENT`, repeatable")
	flags.Var((*roleValue)(f), "role", "`ROLE` of the --to before it; once one has a role, all need one")
	flags.Var((*agentRoleValue)(f), "agent-role", "`AGENT=ROLE`: give one agent its role in whatever roster is chosen, repeatable")
	flags.StringVar(&f.roster, "roster", "", "roster as `JSON`, or @FILE")
	flags.StringVar(&f.preset, "preset", "", "preset `ID`; its positions go to the --to agents in order")
	flags.StringVar(&f.mode, "mode", "", "roster `MODE`: role_separated, unified or heuristic")
	flags.BoolVar(&f.unified, "unified", false, "the same prompt for all (--mode unified)")
	completeFlag(cmd, "to", a.completeAgents)
	completeFlag(cmd, "role", fixed(protocol.Roles()))
	completeFlag(cmd, "mode", fixed(protocol.RosterModes()))
	completeFlag(cmd, "preset", a.completePresets)
	cmd.MarkFlagsMutuallyExclusive("mode", "unified")
}

// check finds flags that contradict each other, before anything is read.
func (f *rosterFlags) check(cmd *cobra.Command) error {
	if f.roster == "" && cmd.Flags().Changed("roster") {
		return usageFor(cmd, "--roster is empty; give JSON, or @FILE")
	}
	if f.roster != "" && len(f.entries()) > 0 {
		return usageFor(cmd, "--roster and --role exclude each other; --agent-role AGENT=ROLE changes one entry of a roster")
	}
	return nil
}

// recipients are all --to agents in order, each once.
func (f *rosterFlags) recipients() []string {
	var names []string
	seen := map[string]bool{}
	for _, s := range f.seats {
		for _, name := range s.agents {
			if key := strings.ToLower(name); !seen[key] {
				seen[key] = true
				names = append(names, name)
			}
		}
	}
	return names
}

// entries are the --to agents that have a role.
func (f *rosterFlags) entries() []protocol.RosterEntry {
	var list []protocol.RosterEntry
	for _, s := range f.seats {
		if s.role == nil {
			continue
		}
		for _, name := range s.agents {
			list = append(list, protocol.RosterEntry{AgentName: name, Role: *s.role})
		}
	}
	return list
}

// The flags below share one list, because a --role belongs to the --to before it (PROTOCOL 12)
// and a flag set does not keep the order of its flags.
type (
	toValue        rosterFlags
	roleValue      rosterFlags
	agentRoleValue rosterFlags
)

// Set implements pflag.Value.
func (v *toValue) Set(text string) error {
	var agents []string
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); name == "" {
			return errors.New("an agent's name is empty")
		}
		agents = append(agents, name)
	}
	v.seats = append(v.seats, seat{agents: agents})
	return nil
}

// Set implements pflag.Value.
func (v *roleValue) Set(text string) error {
	if len(v.seats) == 0 {
		return errors.New("a role belongs to the --to before it, and there is none")
	}
	last := &v.seats[len(v.seats)-1]
	if last.role != nil {
		return errors.New("the --to before it has a role already")
	}
	role := protocol.Role(text)
	last.role = &role
	return nil
}

// Set implements pflag.Value.
func (v *agentRoleValue) Set(text string) error {
	name, role, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return errors.New("write AGENT=ROLE")
	}
	v.changes = append(v.changes, session.RoleChange{Kind: session.FromFlags, Agent: name, Role: protocol.Role(role), Origin: "--agent-role"})
	return nil
}

// String and Type implement pflag.Value: there is no default to show.

func (v *toValue) String() string        { return "" }
func (v *roleValue) String() string      { return "" }
func (v *agentRoleValue) String() string { return "" }
func (v *toValue) Type() string          { return "agent" }
func (v *roleValue) Type() string        { return "role" }
func (v *agentRoleValue) Type() string   { return "agent=role" }
