package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/protocol"
	"brenner/internal/science"
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

// seat is one --to with the --role, --program and --model behind it.
type seat struct {
	agents         []string
	role           *protocol.Role
	program, model *string
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
	flags.Var((*programValue)(f), "program", "`PROGRAM` that runs the --to before it: claude-code, codex-cli, gemini-cli, …")
	flags.Var((*modelValue)(f), "model", "`MODEL` that the --to before it uses")
	completeFlag(cmd, "to", a.completeAgents)
	completeFlag(cmd, "program", a.completePrograms)
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

// described are the --to agents of which a program or a model is said.
func (f *rosterFlags) described() []science.Agent {
	var list []science.Agent
	for _, s := range f.seats {
		if s.program == nil && s.model == nil {
			continue
		}
		for _, name := range s.agents {
			list = append(list, science.Agent{Name: name, Program: given(s.program), Model: given(s.model)})
		}
	}
	return list
}

func given(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// The flags below share one list, because a --role, --program or --model belongs to the --to before it (PROTOCOL 12)
// and a flag set does not keep the order of its flags.
type (
	toValue        rosterFlags
	roleValue      rosterFlags
	programValue   rosterFlags
	modelValue     rosterFlags
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
	role := protocol.Role(text)
	return say((*rosterFlags)(v), "role", func(s *seat) **protocol.Role { return &s.role }, role)
}

// Set implements pflag.Value.
func (v *programValue) Set(text string) error {
	return say((*rosterFlags)(v), "program", func(s *seat) **string { return &s.program }, text)
}

// Set implements pflag.Value.
func (v *modelValue) Set(text string) error {
	return say((*rosterFlags)(v), "model", func(s *seat) **string { return &s.model }, text)
}

// say gives the --to before it a value that it does not have yet.
func say[T any](f *rosterFlags, what string, of func(*seat) **T, v T) error {
	if len(f.seats) == 0 {
		return fmt.Errorf("a %s belongs to the --to before it, and there is none", what)
	}
	place := of(&f.seats[len(f.seats)-1])
	if *place != nil {
		return fmt.Errorf("the --to before it has a %s already", what)
	}
	*place = &v
	return nil
}

// Set implements pflag.Value.
func (v *agentRoleValue) Set(text string) error {
	name, role, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return errors.New("write AGENT=ROLE")
	}
	v.changes = append(v.changes, session.RoleChange{Kind: session.FromFlags, Agent: name, Role: protocol.Role(role),
		Origin: "--agent-role"})
	return nil
}

// String and Type implement pflag.Value: there is no default to show.

func (v *toValue) String() string        { return "" }
func (v *roleValue) String() string      { return "" }
func (v *programValue) String() string   { return "" }
func (v *modelValue) String() string     { return "" }
func (v *agentRoleValue) String() string { return "" }
func (v *toValue) Type() string          { return "agent" }
func (v *roleValue) Type() string        { return "role" }
func (v *programValue) Type() string     { return "program" }
func (v *modelValue) Type() string       { return "model" }
func (v *agentRoleValue) Type() string   { return "agent=role" }
