package mcpserver

import (
	"context"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// directoryTools know the server, projects and agents.
func directoryTools() []*tool {
	const agentKeys = "id:integer name:string program:string model:string task_description:string project_id:integer"
	return []*tool{
		{
			name: "health_check", about: "Is the server ready to take mail?", effect: reads, core: true,
			out: "status:string engine:string messages:integer project:object version:string", run: healthCheck,
		},
		{
			name: "ensure_project", about: "Find or make the project of a folder.", effect: idempotent, core: true,
			in:  []field{textField("human_key", "absolute path").must()},
			out: "id:integer slug:string human_key:string created_at:string", run: ensureProject,
		},
		{
			name: "register_agent", about: "Take part under a name, or bring your entry up to date. Without a usable name one is assigned.",
			effect: idempotent, core: true,
			in: []field{
				projectField, programField, modelField, textField("name", "such as BlueLake"),
				textField("task_description", "what you are here for"),
			},
			out: agentKeys, run: registerAgent,
		},
		{
			name: "whois", about: "Look an agent up.", effect: reads, core: true,
			in: []field{projectField, textField("agent_name", "whom to look up").must()}, out: agentKeys, run: whois,
		},
	}
}

type health struct {
	Status   string        `json:"status"`
	Engine   string        `json:"engine"`
	Messages int64         `json:"messages"`
	Unsorted int64         `json:"not_indexed"` // still searched, one by one
	Project  projectObject `json:"project"`     // the home project
	Version  string        `json:"version"`
}

func healthCheck(ctx context.Context, c *call) (any, error) {
	home := c.server.projects.home
	status, err := home.mail.Store().Status(ctx)
	if err != nil {
		return nil, err
	}
	return health{
		Status: "ready", Engine: status.Engine, Messages: status.Messages, Unsorted: status.Lag(),
		Project: home.object(), Version: c.server.options.Version,
	}, nil
}

func ensureProject(ctx context.Context, c *call) (any, error) {
	c.required("human_key", "project_key")
	p, err := c.madeProject(ctx)
	if err != nil {
		return nil, err
	}
	return p.object(), nil
}

func registerAgent(ctx context.Context, c *call) (any, error) {
	r := c.registration("name", "agent_name")
	p, err := c.project(ctx)
	if err != nil {
		return nil, err
	}
	agent, err := p.mail.Register(ctx, r)
	if err != nil {
		return nil, err
	}
	return agent.Object(), nil
}

// registration reads the agent that wants to take part. A caller that proved an identity registers that one.
func (c *call) registration(names ...string) mail.Registration {
	r := mail.Registration{
		Name: c.text(names...), Program: c.text("program"), Model: c.text("model"), Task: c.text("task_description"),
		Operator: protocol.SameAgent(c.caller.agent, mail.Operator),
	}
	if !c.caller.anyone && r.Name == "" {
		r.Name = c.caller.agent
	}
	if !c.caller.anyone {
		c.acting = append(c.acting, r.Name)
	}
	return r
}

func whois(ctx context.Context, c *call) (any, error) {
	name := c.required("agent_name", "name")
	p, err := c.project(ctx)
	if err != nil {
		return nil, err
	}
	agent, err := p.mail.Agent(ctx, name)
	if err != nil {
		return nil, err
	}
	return agent.Object(), nil
}
