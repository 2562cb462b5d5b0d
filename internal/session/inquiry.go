package session

import (
	"context"
	"slices"
	"time"

	"brenner/internal/fold"
	"brenner/internal/liveness"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// inquiry gathers facts about agents at one moment.
type inquiry struct {
	*Sessions
	now time.Time

	// About those who take part in sessions (take).
	facts    map[string]*liveness.Facts
	pending  map[string][]*mail.PendingAck // by thread
	received map[int64][]mail.Delivery
	views    map[string]*fold.View // of sessions that several agents were called to
}

func (s *Sessions) inquire() *inquiry {
	return &inquiry{Sessions: s, now: s.now(), views: map[string]*fold.View{}}
}

// view takes a thread, once.
func (q *inquiry) view(ctx context.Context, threadID string) (*fold.View, error) {
	if v := q.views[threadID]; v != nil {
		return v, nil
	}
	v, err := q.threads.Snapshot(ctx, threadID)
	if err == nil {
		q.views[threadID] = v
	}
	return v, err
}

// all judges every agent that takes part.
func (q *inquiry) all(ctx context.Context) ([]liveness.Verdict, error) {
	agents, err := q.mail.Agents(ctx)
	if err != nil {
		return nil, err
	}
	agents = slices.DeleteFunc(agents, func(a mail.Agent) bool { return !a.ReceivesFrom(q.mail.Operator()) })
	return q.of(ctx, agents)
}

// known gathers facts about the named agents, as far as they are registered, without what they owe.
func (q *inquiry) known(ctx context.Context, names ...string) ([]liveness.Facts, error) {
	if len(names) == 0 {
		return nil, nil
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
	if len(agents) == 0 {
		return nil, nil
	}
	facts, _, err := q.gather(ctx, agents)
	return facts, err
}

// of judges agents, in their order.
func (q *inquiry) of(ctx context.Context, agents []mail.Agent) ([]liveness.Verdict, error) {
	verdicts := make([]liveness.Verdict, 0, len(agents))
	if len(agents) == 0 {
		return verdicts, nil
	}
	facts, at, err := q.gather(ctx, agents)
	if err != nil {
		return nil, err
	}
	if err := q.debts(ctx, agents, at); err != nil {
		return nil, err
	}
	for i := range facts {
		verdicts = append(verdicts, liveness.Judge(facts[i], q.now))
	}
	return verdicts, nil
}

// gather asks the store about agents, with few questions for any number of them. What they owe is left out.
func (q *inquiry) gather(ctx context.Context, agents []mail.Agent) ([]liveness.Facts, map[string]*liveness.Facts, error) {
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
		return nil, nil, err
	}
	for i := range present {
		f := at[mail.NameKey(present[i].Agent)]
		if f == nil {
			continue
		}
		if plight, ok := plightOf(&present[i]); ok {
			f.Plights = append(f.Plights, plight)
		}
		if present[i].Source != mail.SourceHook {
			f.Processes = append(f.Processes, q.process(ctx, &present[i]))
		}
	}
	q.pauses(ctx, facts)
	q.plights(ctx, facts)
	leases, err := q.mail.Leases(ctx)
	if err != nil && protocol.CodeOf(err) != protocol.NotAllowed { // a foreign server lists none
		return nil, nil, err
	}
	for _, l := range leases {
		if f := at[mail.NameKey(l.Agent)]; f != nil {
			f.Leases = append(f.Leases, liveness.Lease{Path: l.Path, Taken: l.CreatedAt, Expires: l.ExpiresAt})
		}
	}
	return facts, at, q.sentOn(ctx, facts)
}

// plightOf is what the program of a presence told of itself; false: nothing, or it is over.
func plightOf(p *mail.Presence) (liveness.Plight, bool) {
	word, text := p.Told()
	plight := liveness.Plight{Text: text, Since: p.LastCall, Thread: p.Thread, Past: true}
	if word == "" || !p.CallEnded.IsZero() {
		return plight, false
	}
	switch word {
	case mail.CallAsks:
		plight.State = liveness.Asks
	case mail.CallSignIn:
		plight.State, plight.Over = liveness.SignedOut, true
	case mail.CallRetry:
		plight.State = liveness.Failing
	}
	return plight, plight.State != ""
}

// plights adds what panes show, with one look at the machine. What a program told of itself can be answered in its pane.
func (q *inquiry) plights(ctx context.Context, facts []liveness.Facts) {
	var shown map[string]liveness.Plight
	for i := range facts {
		f := &facts[i]
		for j := range f.Processes {
			p := &f.Processes[j]
			if p.Round && p.Life == liveness.Alive && q.settings.Probe.Asked != nil {
				if plight, ok := q.settings.Probe.Asked(p.Thread, f.Agent); ok { // it says more than what was told of it
					f.Plights = slices.Insert(f.Plights, 0, plight)
				}
			}
			if p.Pane == "" || p.Life != liveness.Alive || q.settings.Probe.Plights == nil {
				continue
			}
			if shown == nil {
				shown = q.settings.Probe.Plights(ctx)
			}
			for k := range f.Plights {
				if f.Plights[k].State == liveness.Asks {
					f.Plights[k].Pane = p.Pane
				}
			}
			if plight, ok := shown[p.Pane]; ok {
				plight.Pane, plight.Thread = p.Pane, p.Thread
				f.Plights = append(f.Plights, plight)
			}
		}
	}
}

// pauses finds out which programs a person has stopped, with one look at the machine.
func (q *inquiry) pauses(ctx context.Context, facts []liveness.Facts) {
	var pids []int
	var living []*liveness.Process
	for i := range facts {
		for j := range facts[i].Processes {
			if p := &facts[i].Processes[j]; p.Own && p.Life == liveness.Alive && p.PID > 0 {
				pids, living = append(pids, p.PID), append(living, p)
			}
		}
	}
	if len(pids) == 0 || q.settings.Probe.Paused == nil {
		return
	}
	stopped := q.settings.Probe.Paused(ctx, pids)
	for _, p := range living {
		p.Paused = stopped[p.PID]
	}
}

// sentOn finds the threads of mail that was sent so lately that it counts as a sign. Mail is looked for at the agent's last sign alone: one
// that registered again and sent nothing has none there, and the log is not searched for it.
func (q *inquiry) sentOn(ctx context.Context, facts []liveness.Facts) error {
	for i := range facts {
		f := &facts[i]
		if f.LastSent.IsZero() || q.now.Sub(f.LastSent) > liveness.Seen {
			continue
		}
		last, err := q.store().Messages(ctx, mail.MessageQuery{Project: q.project(), From: f.Agent, At: f.LastSent, Order: mail.NewestFirst,
			Limit: 1})
		if protocol.CodeOf(err) == protocol.NotAllowed {
			return nil // a foreign server does not tell; then the mail counts everywhere
		}
		if err != nil {
			return err
		}
		if len(last) > 0 {
			f.SentOn = last[0].ThreadID
		}
	}
	return nil
}

// lastSent is when an agent sent mail or registered itself. Its registration by another agent does not
// count.
func lastSent(a *mail.Agent) time.Time {
	if a.LastActiveAt.After(a.InceptionAt) {
		return a.LastActiveAt
	}
	return time.Time{}
}

// process is a presence with what a look at it shows.
func (q *inquiry) process(ctx context.Context, p *mail.Presence) liveness.Process {
	seen := liveness.Process{
		Source: string(p.Source), Host: p.Host, PID: p.PID, Started: p.ProcessStarted, Own: p.Source.Own(),
		Round:  p.Source == mail.SourceRun,
		Thread: p.Thread, Due: p.Due, Left: p.LeftAt,
		Life: liveness.Unclear, Ended: p.EndedAt, ExitCode: p.ExitCode, Pane: p.Pane, PaneLife: liveness.Unclear,
		Call: p.Call, Called: p.LastCall, CallEnded: p.CallEnded, WaitingUntil: p.WaitingUntil,
	}
	if word, _ := p.Told(); word != "" { // it called nothing
		seen.Call, seen.Called, seen.CallEnded, seen.WaitingUntil = "", time.Time{}, time.Time{}, time.Time{}
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
