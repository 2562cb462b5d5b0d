package session

import (
	"context"
	"slices"
	"time"

	"brenner/liveness"
	"brenner/mail"
	"brenner/protocol"
)

// inquiry gathers facts about agents at one moment.
type inquiry struct {
	*Sessions
	now       time.Time
	completed map[string]bool // threads that were asked about
}

func (s *Sessions) inquire() *inquiry {
	return &inquiry{Sessions: s, now: s.now(), completed: map[string]bool{}}
}

// all judges every agent that takes part.
func (q *inquiry) all(ctx context.Context) ([]liveness.Verdict, error) {
	agents, err := q.mail.Agents(ctx)
	if err != nil {
		return nil, err
	}
	agents = slices.DeleteFunc(agents, func(a mail.Agent) bool { return a.Retired() || protocol.SameAgent(a.Name, q.mail.Operator()) })
	return q.of(ctx, agents)
}

// verdicts judges the named agents, as far as they are registered.
func (q *inquiry) verdicts(ctx context.Context, names ...string) ([]liveness.Verdict, error) {
	if len(names) == 0 {
		return []liveness.Verdict{}, nil
	}
	found, err := q.store().Agents(ctx, q.project(), names...)
	if err != nil {
		return nil, err
	}
	agents := make([]mail.Agent, 0, len(found))
	for _, name := range names {
		if i := slices.IndexFunc(found, func(a mail.Agent) bool { return protocol.SameAgent(a.Name, name) }); i >= 0 {
			agents = append(agents, found[i])
		}
	}
	return q.of(ctx, agents)
}

// of judges agents, in their order.
func (q *inquiry) of(ctx context.Context, agents []mail.Agent) ([]liveness.Verdict, error) {
	verdicts := make([]liveness.Verdict, 0, len(agents))
	if len(agents) == 0 {
		return verdicts, nil
	}
	facts, err := q.gather(ctx, agents)
	if err != nil {
		return nil, err
	}
	for i := range facts {
		verdicts = append(verdicts, liveness.Judge(facts[i], q.now))
	}
	return verdicts, nil
}

// gather asks the store about agents, with few questions for any number of them.
func (q *inquiry) gather(ctx context.Context, agents []mail.Agent) ([]liveness.Facts, error) {
	facts := make([]liveness.Facts, len(agents))
	at := make(map[string]*liveness.Facts, len(agents))
	names := make([]string, len(agents))
	for i := range agents {
		a := &agents[i]
		facts[i] = liveness.Facts{Agent: a.Name, Retired: a.RetiredAt, LastSent: lastSent(a)}
		at[mail.NameKey(a.Name)], names[i] = &facts[i], a.Name
	}
	present, err := q.mail.Presences(ctx, names...)
	if err != nil {
		return nil, err
	}
	for i := range present {
		if f := at[mail.NameKey(present[i].Agent)]; f != nil {
			f.Processes = append(f.Processes, q.process(ctx, &present[i]))
		}
	}
	leases, err := q.mail.Leases(ctx)
	if err != nil && protocol.CodeOf(err) != protocol.NotAllowed { // a foreign server lists none
		return nil, err
	}
	for _, l := range leases {
		if f := at[mail.NameKey(l.Agent)]; f != nil {
			f.Leases = append(f.Leases, liveness.Lease{Path: l.Path, Taken: l.CreatedAt, Expires: l.ExpiresAt})
		}
	}
	return facts, q.debts(ctx, agents, at)
}

// lastSent is when an agent sent mail or registered itself. That somebody else registered it says
// nothing.
func lastSent(a *mail.Agent) time.Time {
	if a.LastActiveAt.After(a.InceptionAt) {
		return a.LastActiveAt
	}
	return time.Time{}
}

// process is a presence with what a look at it shows.
func (q *inquiry) process(ctx context.Context, p *mail.Presence) liveness.Process {
	seen := liveness.Process{
		Source: string(p.Source), Host: p.Host, PID: p.PID, Started: p.ProcessStarted, Own: p.Source.Own(), Round: p.Source == mail.SourceRun,
		Life: liveness.Unclear, Ended: p.EndedAt, ExitCode: p.ExitCode, Pane: p.Pane, PaneLife: liveness.Unclear,
		Call: p.Call, Called: p.LastCall, CallEnded: p.CallEnded, WaitingUntil: p.WaitingUntil,
	}
	probe := &q.settings.Probe
	if !p.EndedAt.IsZero() || p.Host == "" || p.Host != probe.Host {
		return seen
	}
	if probe.Process != nil && p.PID > 0 {
		seen.Life = lifeOf(probe.Process(ctx, p.PID, p.ProcessStarted))
	}
	if seen.Life == liveness.Unclear && probe.Pane != nil && p.Pane != "" { // the last resort
		seen.PaneLife = lifeOf(probe.Pane(ctx, p.Pane))
	}
	return seen
}

func lifeOf(alive, known bool) liveness.Life {
	switch {
	case !known:
		return liveness.Unclear
	case alive:
		return liveness.Alive
	}
	return liveness.Gone
}
