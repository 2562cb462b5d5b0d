package cli

import (
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

func newMailRegister(a *app) *cobra.Command {
	var r mail.Registration
	cmd := &cobra.Command{
		Use:     "register NAME",
		Short:   "Register an agent, or bring one up to date",
		Long:    "Register an agent. A well-formed name is taken as it is; of another the safe characters are kept.",
		Example: "  brenner mail register BlueLake --program codex-cli --model gpt-5.2",
		Args:    exactly("NAME"),
	}
	flags := cmd.Flags()
	flags.StringVar(&r.Program, "program", "", "`PROGRAM` that runs the agent: claude-code, codex-cli, gemini-cli, …")
	completeFlag(cmd, "program", a.completePrograms)
	flags.StringVar(&r.Model, "model", "", "`MODEL` it uses")
	flags.StringVar(&r.Task, "task", "", "what it works on")
	return a.command(cmd, a.inNewProject(a.acting(func(ctx context.Context, p *project.App, args []string) (report, error) {
		r.Name, r.Operator = args[0], true // a person with access to the store is the operator
		agent, err := p.Mail.Register(ctx, r)
		if err != nil {
			return nil, err
		}
		findings := append(mail.NameFindings(args[0], agent), p.Sessions.UnknownFamilies(agent)...)
		return registeredReport{agentReport{agent.Object()}, findings}, nil
	})))
}

// registeredReport also says what became of the name that was asked for.
type registeredReport struct {
	agentReport
	Findings []protocol.Finding `json:"findings"`
}

func (r registeredReport) show(p *printer) {
	p.findings(r.Findings, newSource(""))
	r.agentReport.show(p)
}

func newMailRetire(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "retire NAME",
		Short:   "End an agent's part: nothing can be sent to it or as it",
		Example: "  brenner mail retire BlueLake",
		Args:    exactly("NAME"),

		ValidArgsFunction: a.completeAgents,
	}, a.inProject(a.acting(func(ctx context.Context, p *project.App, args []string) (report, error) {
		agent, err := p.Mail.Retire(ctx, args[0])
		if err != nil {
			return nil, err
		}
		return agentReport{agent.Object()}, nil
	})))
}

type agentReport struct {
	Agent mail.AgentObject `json:"agent"`
}

func (r agentReport) show(p *printer) {
	state := "registered"
	if r.Agent.RetiredAt != nil {
		state = "retired"
	}
	p.print("%s %s\n", visible(r.Agent.Name), state)
	if r.Agent.RetiredAt != nil {
		p.next("brenner", "mail", "agents")
		return
	}
	p.next("brenner", "mail", "inbox", r.Agent.Name)
}

func newMailAgents(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "agents",
		Short:   "List the agents of the project",
		Example: "  brenner mail agents",
		Args:    exactly(),
	}, a.inProject(func(ctx context.Context, p *project.App, _ []string) (report, error) {
		agents, err := p.Mail.Agents(ctx)
		if err != nil {
			return nil, err
		}
		r := agentsReport{Agents: make([]mail.AgentObject, len(agents))}
		for i := range agents {
			r.Agents[i] = agents[i].Object()
		}
		return r, nil
	}))
}

type agentsReport struct {
	Agents []mail.AgentObject `json:"agents"`
}

func (r agentsReport) show(p *printer) {
	if len(r.Agents) == 0 {
		p.note("no agents")
		p.next("brenner", "mail", "register", "NAME")
		return
	}
	var rows [][]string
	for _, agent := range r.Agents {
		state := ""
		if agent.RetiredAt != nil {
			state = "retired"
		}
		rows = append(rows, []string{agent.Name, agent.Program, agent.Model, p.age(agent.LastActiveAt), state})
	}
	p.table(columns("Name", "Program", "Model?", "Active", ""), rows)
	p.next("brenner", "mail", "inbox", r.Agents[0].Name)
}
