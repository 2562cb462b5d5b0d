package api

import (
	"context"

	"brenner/internal/liveness"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

type agentsQuery struct {
	Retired  *bool `query:"retired" about:"only those that take part no longer, or only the others"`
	Liveness bool  `query:"liveness" about:"with what each of them is doing"`
}

type agentList struct {
	Agents   []mail.AgentObject `json:"agents"`
	Liveness []liveness.Verdict `json:"liveness,omitempty"` // of those that take part, the operator left out
}

func (a *API) listAgents(ctx context.Context, _ Caller, in agentsQuery) (agentList, error) {
	agents, err := a.deps.Sessions.Mail().Agents(ctx)
	list := agentList{Agents: []mail.AgentObject{}}
	for i := range agents {
		if in.Retired == nil || *in.Retired == agents[i].Retired() {
			list.Agents = append(list.Agents, agents[i].Object())
		}
	}
	if err == nil && in.Liveness {
		list.Liveness, err = a.deps.Sessions.Liveness(ctx)
		for i, v := range list.Liveness {
			list.Liveness[i] = session.VerdictFor(a.deps.Access(ctx), v)
		}
	}
	return list, err
}

type agentPath struct {
	Agent string `path:"agent"`
}

func (a *API) why(ctx context.Context, _ Caller, in agentPath) (liveness.Verdict, error) {
	v, err := a.deps.Sessions.Why(ctx, in.Agent)
	return session.VerdictFor(a.deps.Access(ctx), v), err
}

type acksQuery struct {
	Thread  string `query:"thread" about:"only this thread"`
	From    string `query:"from" about:"only what this agent asked for"`
	Agent   string `query:"agent" about:"only what this agent owes"`
	Overdue bool   `query:"overdue" about:"only what is past its deadline"`
}

type ackList struct {
	Pending []mail.AckObject `json:"pending"`
}

func (a *API) listAcks(ctx context.Context, _ Caller, in acksQuery) (ackList, error) {
	m := a.deps.Sessions.Mail()
	for _, name := range []string{in.From, in.Agent} {
		if name == "" {
			continue
		}
		if _, err := m.Agent(ctx, name); err != nil {
			return ackList{}, err
		}
	}
	access := a.deps.Access(ctx)
	if in.Thread != "" {
		if err := access.CheckThread(ctx, in.Thread); err != nil {
			return ackList{}, err
		}
		if _, err := m.Thread(ctx, in.Thread); err != nil {
			return ackList{}, err
		}
	}
	pending, err := access.Pending(ctx, mail.PendingQuery{Thread: in.Thread, From: in.From, Agent: in.Agent, Overdue: in.Overdue})
	return ackList{Pending: mail.AckObjects(pending)}, err
}

type threadAcksQuery struct {
	Thread  string `path:"thread"`
	Overdue bool   `query:"overdue" about:"only what is past its deadline"`
}

func (a *API) listThreadAcks(ctx context.Context, who Caller, in threadAcksQuery) (ackList, error) {
	return a.listAcks(ctx, who, acksQuery{Thread: in.Thread, Overdue: in.Overdue})
}

type presetList struct {
	Presets []presetView `json:"presets"`
}

type presetView struct {
	protocol.PresetObject
	BuiltIn bool `json:"built_in"`
}

// listPresets has those of the project, then the built-in ones that it does not override.
func (a *API) listPresets(context.Context, Caller, nothing) (presetList, error) {
	own := a.deps.Roster.Presets
	list := presetList{Presets: []presetView{}}
	for _, p := range protocol.Presets(own) {
		list.Presets = append(list.Presets, presetView{p.Object(), p.IsBuiltin(own)})
	}
	return list, nil
}
