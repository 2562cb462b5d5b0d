package cli

import (
	"context"

	project "brenner/internal/app"
	"brenner/internal/cockpit"
	"brenner/internal/mail"
	"brenner/internal/program"
	"brenner/internal/protocol"
)

// planRun shows the commands of one round, and starts nothing.
func (a *app) planRun(f runFlags) projectFunc {
	return func(ctx context.Context, p *project.App, args []string) (report, error) {
		c, err := a.cockpitOf(p, nil)
		if err != nil {
			return nil, err
		}
		plan, err := c.Plan(ctx, cockpit.Request{ThreadID: args[0], Programs: programChoices(f.programs), Mode: program.Headless})
		if err != nil {
			return newMissingReport(plan, err), err
		}
		r := a.planReport(plan, cockpit.NeverType)
		r.full, r.start = f.full, []string{"brenner", "run", args[0]}
		for _, word := range f.programs {
			r.start = append(r.start, "--program", word)
		}
		return r, nil
	}
}

// registerPrograms notes which program plays whom, as mail register does, so that the run and all later ones find it. What the
// roster says it cannot change.
func registerPrograms(ctx context.Context, p *project.App, thread string, chosen map[string]string) error {
	if len(chosen) == 0 {
		return nil
	}
	s, err := p.Sessions.Session(ctx, thread)
	if err != nil {
		return err
	}
	roster, _ := s.View.Fold.Roster()
	inRoster := map[string]string{}
	for _, e := range roster.Entries {
		inRoster[mail.NameKey(e.AgentName)] = e.Program
	}
	for name, chosenProgram := range chosen {
		if known := inRoster[mail.NameKey(name)]; name != "" && known != "" && known != chosenProgram {
			return protocol.Errorf(protocol.InvalidInput,
				"the roster says that %s is played by %s; open a further round with another roster to change that", name, known)
		}
	}
	for _, m := range s.View.Members() {
		agent, err := p.Mail.Agent(ctx, m.Agent)
		if err != nil {
			return err
		}
		choice, named := chosenFor(chosen, agent.Name)
		if choice == "" || inRoster[mail.NameKey(agent.Name)] != "" || protocol.SameAgent(agent.Name, p.Mail.Operator()) || !named &&
			agent.Program != "" {
			continue
		}
		if _, err := p.Mail.Register(ctx, mail.Registration{Name: agent.Name, Program: choice, Model: agent.Model, Task: agent.Task,
			Operator: true}); err != nil {
			return err
		}
	}
	return nil
}

// chosenFor is the program chosen for an agent, and whether the choice names it.
func chosenFor(chosen map[string]string, agent string) (choice string, named bool) {
	for name, program := range chosen {
		if name != "" && protocol.SameAgent(name, agent) {
			return program, true
		}
	}
	return chosen[""], false
}
