package cockpit

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"brenner/internal/mail"
	"brenner/internal/program"
	"brenner/internal/prompt"
	"brenner/internal/protocol"
)

// Request says what is to be started.
type Request struct {
	ThreadID string
	Programs map[string]string // by agent, "" for all others; over what the roster says
	Mode     program.Mode      // Headless only to look at commands
}

// Plan is what would be started.
type Plan struct {
	ThreadID string
	Session  string // name in tmux, if it is free
	Panes    []PanePlan
	Missing  []program.Missing // nothing can be started before they are there
}

// PanePlan is one agent's part of it.
type PanePlan struct {
	Agent   string
	Role    protocol.Role
	Program string
	Model   string // as the roster has it; Command.Model is what is passed on
	Command program.Command
	Typed   string // what has to be typed because the program is not handed its prompt; empty: nothing
}

// Plan works out the commands and touches nothing. NOT_FOUND: no such thread, or no agent in it was
// kicked off. PROGRAM_MISSING: nothing says which program an agent is, or how that is started.
func (c *Cockpit) Plan(ctx context.Context, req Request) (Plan, error) {
	p := Plan{ThreadID: req.ThreadID, Session: protocol.TmuxName(req.ThreadID)}
	crew, err := c.crew(ctx, req)
	if err != nil {
		return p, err
	}
	var programs []string
	for _, m := range crew {
		programs = append(programs, m.Program)
	}
	p.Missing = c.Catalog.Missing(req.Mode, programs...)
	if unknown := slices.DeleteFunc(slices.Clone(p.Missing), func(m program.Missing) bool { return m.Executable != "" }); len(unknown) > 0 {
		return p, program.Refusal(p.Missing)
	}
	for _, m := range crew {
		pane, err := c.pane(req, m)
		if err != nil {
			return p, err
		}
		p.Panes = append(p.Panes, pane)
	}
	return p, nil
}

// Unprompted lists the agents whose programs get no prompt.
func (p Plan) Unprompted(typing Typing) []protocol.Finding {
	findings := []protocol.Finding{}
	for _, pane := range p.Panes {
		if pane.Typed != "" && typing == NeverType {
			findings = append(findings, protocol.NewFinding(protocol.NoPrompt,
				"%s is not told anything: the command of %s hands on no prompt", pane.Agent, pane.Program))
		}
	}
	return findings
}

// member is an agent of the roster with its kickoff.
type member struct {
	protocol.RosterEntry
	kickoff *mail.Message
}

// crew finds who takes part: the roster's entries, or without any those who were kicked off.
func (c *Cockpit) crew(ctx context.Context, req Request) ([]member, error) {
	of, err := c.Sessions.Session(ctx, req.ThreadID)
	if err != nil {
		return nil, err
	}
	messages, err := c.mail().ThreadMessages(ctx, req.ThreadID)
	if err != nil {
		return nil, err
	}
	kickoffs := map[string]*mail.Message{} // the latest to each
	var order []string
	for i, m := range messages {
		for _, to := range m.To {
			if m.Type == protocol.TypeKickoff && !protocol.SameAgent(to, mail.Operator) {
				kickoffs[mail.NameKey(to)] = &messages[i]
				order = append(order, to)
			}
		}
	}
	roster, _ := of.View.Fold.Roster()
	entries := slices.Clone(roster.Entries)
	if len(entries) == 0 {
		slices.Reverse(order)
		for _, name := range order {
			if _, listed := (protocol.Roster{Entries: entries}).Entry(name); !listed {
				entries = append([]protocol.RosterEntry{{AgentName: name}}, entries...)
			}
		}
	}
	var crew []member
	for _, e := range entries {
		m := member{e, kickoffs[mail.NameKey(e.AgentName)]}
		if m.kickoff == nil {
			continue // it is in the roster, but was not asked
		}
		if roster.Mode == protocol.ModeUnified || m.Role == "" {
			m.Role = prompt.RoleUnified
		}
		crew = append(crew, m)
	}
	if len(crew) == 0 {
		return nil, protocol.Errorf(protocol.NotFound, "no agent on %s has a kickoff: start the session first", req.ThreadID).
			Doing(protocol.Operation("session.start"))
	}
	return crew, c.assign(ctx, req, crew)
}

// assign finds each agent's program: what was asked for, else the roster, else what the agent
// registered with.
func (c *Cockpit) assign(ctx context.Context, req Request, crew []member) error {
	for name := range req.Programs {
		if name != "" && !slices.ContainsFunc(crew, func(m member) bool { return protocol.SameAgent(m.AgentName, name) }) {
			return protocol.Errorf(protocol.UnknownAgent, "%s takes no part in %s", name, req.ThreadID)
		}
	}
	var findings []protocol.Finding
	for i := range crew {
		m := &crew[i]
		registered, err := c.mail().Agent(ctx, m.AgentName)
		if err != nil {
			return err
		}
		m.AgentName = registered.Name
		m.Program = cmp.Or(lookUp(req.Programs, m.AgentName), m.Program, registered.Program, req.Programs[""])
		m.Model = cmp.Or(m.Model, registered.Model)
		if m.Program == "" || m.Program == "-" {
			findings = append(findings, protocol.NewFinding(protocol.ProgramMissing, "nothing says which program %s is", m.AgentName).
				WithFix("give the roster entry a program, or name one such as %s=claude-code", m.AgentName).
				Doing(protocol.Given("program")))
		}
	}
	if len(findings) == 0 {
		return nil
	}
	return protocol.Errorf(protocol.ProgramMissing, "nothing was started; %s", findings[0].Message).WithFindings(findings)
}

func lookUp(programs map[string]string, agent string) string {
	for name, p := range programs {
		if name != "" && protocol.SameAgent(name, agent) {
			return p
		}
	}
	return ""
}

func (c *Cockpit) pane(req Request, m member) (PanePlan, error) {
	rolePrompt, _ := prompt.For(m.Role, c.Prompts[m.Role])
	text := prompt.Assignment{
		Agent: m.AgentName, Role: m.Role, ThreadID: req.ThreadID, Project: c.Project,
		Woken: c.Catalog.Wakes(m.Program), KickoffID: m.kickoff.ID, KickoffBy: m.kickoff.From, Kickoff: m.kickoff.Body,
		RolePrompt: rolePrompt,
	}.Text()
	spec := program.Spec{
		Agent: m.AgentName, Program: m.Program, Model: m.Model, Role: m.Role, ThreadID: req.ThreadID, Project: c.Project, Store: c.Store,
		Prompt: text, Brenner: c.Brenner, Dir: filepath.Join(c.folder(req.ThreadID), m.AgentName),
	}
	cmd, err := c.Catalog.Command(spec, req.Mode)
	if err != nil {
		return PanePlan{}, err
	}
	cmd.Env = append(cmd.Env, c.Mark(req.ThreadID)+strings.ToLower(m.AgentName))
	p := PanePlan{Agent: m.AgentName, Role: m.Role, Program: m.Program, Model: m.Model, Command: cmd}
	if !c.Catalog.TakesPrompt(m.Program, req.Mode) {
		p.Typed = spec.Pointer()
	}
	return p, nil
}
