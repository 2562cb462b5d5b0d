package mcpserver

import (
	"context"

	"brenner/internal/mail"
)

// macroTools do in one call what agents do when they begin.
func macroTools() []*tool {
	return []*tool{
		{
			name: "macro_start_session", effect: idempotent, core: true, session: true,
			about: "Begin work: make the project, register, fetch the inbox and lease paths, in one call.",
			in: []field{
				textField("human_key", "the project's folder, absolute path").must(), programField.must(), modelField.must(),
				textField("agent_name", "yours, such as BlueLake; absent: one is given to you"),
				textField("task_description", "what you are here for"),
				numberField("inbox_limit", "at most so many messages").or("10"), namesField("file_reservation_paths", "globs to lease"),
			},
			out: "project:object agent:object inbox:array file_reservations:object notice:string", run: startSession,
		},
		{
			name: "macro_prepare_thread", effect: idempotent, core: true,
			about: "Join a thread: register, read it (bodies with include_bodies) and the inbox, in one call.",
			in: []field{
				projectField, threadField.must(), programField.must(), modelField.must(),
				textField("agent_name", "yours; absent: one is given to you"), numberField("inbox_limit", "at most so many messages").
					or("10"), bodiesField,
			},
			out: "project:object agent:object thread:object inbox:array notice:string", run: prepareThread,
		},
	}
}

type startedSession struct {
	Project projectObject    `json:"project"`
	Agent   mail.AgentObject `json:"agent"`
	Inbox   []mail.Object    `json:"inbox"`
	Leases  leaseAnswer      `json:"file_reservations"`
	Notice  string           `json:"notice"`
}

func startSession(ctx context.Context, c *call) (any, error) {
	r, limit, bodies := c.newcomer(), c.inboxLimit(), c.bodies(withoutBodies)
	paths, ttl := c.names("file_reservation_paths"), c.ttl("file_reservation_ttl_seconds")
	p, err := c.madeProject(ctx)
	if err != nil {
		return nil, err
	}
	agent, inbox, err := p.enter(ctx, r, limit, bodies)
	if err != nil {
		return nil, err
	}
	c.attendAs(p, agent.Name)
	s := startedSession{p.object(), agent, inbox, leaseAnswer{[]leaseObject{}, []leaseConflict{}}, notice}
	if len(paths) > 0 {
		s.Leases, err = p.reserve(ctx, mail.LeaseRequest{
			Agent: agent.Name, Paths: paths, TTL: ttl, Reason: "macro_start_session",
		})
	}
	return s, err
}

type preparedThread struct {
	Project projectObject    `json:"project"`
	Agent   mail.AgentObject `json:"agent"`
	Thread  threadObject     `json:"thread"`
	Inbox   []mail.Object    `json:"inbox"`
	Notice  string           `json:"notice"`
}

func prepareThread(ctx context.Context, c *call) (any, error) {
	id := c.thread()
	r, limit, bodies := c.newcomer(), c.inboxLimit(), c.bodies(withoutBodies)
	p, err := c.threadProject(ctx, id)
	if err != nil {
		return nil, err
	}
	if _, err := p.mail.Thread(ctx, id); err != nil {
		return nil, err // before an agent is registered for a thread that is not there
	}
	agent, inbox, err := p.enter(ctx, r, limit, bodies)
	if err != nil {
		return nil, err
	}
	c.attendAs(p, agent.Name)
	thread, err := p.thread(ctx, id, agent.Name, bodies)
	return preparedThread{p.object(), agent, thread, inbox, notice}, err
}

// newcomer reads who begins; a macro wants to know the program and the model.
func (c *call) newcomer() mail.Registration {
	c.required("program")
	c.required("model")
	return c.registration("agent_name", "name")
}

func (c *call) inboxLimit() int { return c.integer("inbox_limit", 10, 0, maxMessages) }

// enter registers an agent and fetches its inbox.
func (p *project) enter(ctx context.Context, r mail.Registration, limit int, bodies bodyChoice) (mail.AgentObject, []mail.Object, error) {
	agent, err := p.mail.Register(ctx, r)
	if err != nil || limit == 0 {
		return agent.Object(), []mail.Object{}, err
	}
	inbox, err := p.inbox(ctx, mail.InboxQuery{Agent: agent.Name, Limit: limit}, bodies)
	return agent.Object(), inbox, err
}
