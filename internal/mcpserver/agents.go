package mcpserver

import (
	"context"
	"strings"

	"brenner/internal/liveness"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// agentTools tell who works, waits or is dead.
func agentTools() []*tool {
	return []*tool{
		{
			name: "brenner_agents", effect: reads,
			about: "Which agents work, wait, idle, are silent or dead, from facts (process, last call, mail owed). With thread_id: those " +
				"of that session.",
			in:  []field{projectField, threadField},
			out: "agents:array notice:string", run: showAgents,
		},
		{
			name: "brenner_why", effect: reads,
			about: "Why an agent is taken to be working, waiting, idle, silent, dead or unknown: the evidence, and what to do next.",
			in:    []field{projectField, textField("agent_name", "whom to ask about").must()},
			out:   "agent:string state:string since:string? reason:string evidence:array next_step:string notice:string", run: showWhy,
		},
	}
}

type agentsAnswer struct {
	Agents []session.AgentState `json:"agents"`
	Notice string               `json:"notice"`
}

func showAgents(ctx context.Context, c *call) (any, error) {
	thread := strings.TrimSpace(c.text("thread_id"))
	p, err := c.threadProject(ctx, thread)
	if err != nil {
		return nil, err
	}
	if thread == "" {
		states, err := p.sessions.States(ctx)
		return agentsAnswer{protocol.NonNil(states), notice}, err
	}
	of, err := p.sessions.Session(ctx, thread)
	if err != nil {
		return nil, err
	}
	states, err := of.States(ctx)
	return agentsAnswer{protocol.NonNil(states), notice}, err
}

type whyAnswer struct {
	liveness.Verdict
	Notice string `json:"notice"`
}

func showWhy(ctx context.Context, c *call) (any, error) {
	name := strings.TrimSpace(c.required("agent_name"))
	p, err := c.project(ctx)
	if err != nil {
		return nil, err
	}
	verdict, err := p.sessions.Why(ctx, name)
	return whyAnswer{session.VerdictFor(c.server.access(c.caller, p), verdict), notice}, err
}
