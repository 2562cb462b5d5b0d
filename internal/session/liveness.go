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

// Probe is the port to the programs of this machine. Functions that are nil know nothing.
type Probe struct {
	// Host is the name under which presences are noted on this machine. What runs elsewhere is
	// not looked at.
	Host string
	// Process tells whether a process lives that began at a time (zero: whenever); known is
	// false if that cannot be told.
	Process func(ctx context.Context, pid int, started time.Time) (alive, known bool)
	// Pane tells the same of a pane.
	Pane func(ctx context.Context, pane string) (alive, known bool)
	// Paused tells which of some living processes a person has stopped.
	Paused func(ctx context.Context, pids []int) map[int]bool
	// Plights tells in what the programs of panes cannot help themselves, by pane, as the panes show it.
	Plights func(ctx context.Context) map[string]liveness.Plight

	// Asked tells what the program of an agent asks its person for in a round of a thread.
	Asked func(threadID, agent string) (liveness.Plight, bool)
	// Press answers with a key what the program of an agent asks, in its pane or in a round of a thread.
	Press func(ctx context.Context, threadID, agent, key string) (Place, error)
	// Work lists what the programs of a thread's agents show on this machine.
	Work func(ctx context.Context, threadID string) ([]Work, error)
	// Run returns the state of a thread's run on this machine; false: there never was one.
	Run func(ctx context.Context, threadID string) (RunState, bool, error)
}

// Probe returns the port to the programs of this machine.
func (s *Sessions) Probe() Probe { return s.settings.Probe }

// Liveness judges all agents that take part in the project. The operator is a person and is left out.
func (s *Sessions) Liveness(ctx context.Context) ([]liveness.Verdict, error) {
	return s.inquire().all(ctx)
}

// Liveness judges the agents of the thread in the order in which they appeared there, by what concerns that
// thread. The operator is a person and is left out.
func (s *Session) Liveness(ctx context.Context) ([]liveness.Verdict, error) {
	p := s.of.participation(s.View)
	q, err := s.of.inquireInto(ctx, &p)
	if err != nil {
		return nil, err
	}
	verdicts := []liveness.Verdict{}
	for _, a := range p.agents {
		if v, ok := q.verdict(&p, a.Name); ok {
			verdicts = append(verdicts, v)
		}
	}
	return verdicts, nil
}

// Why judges one agent, retired or not. UNKNOWN_AGENT: there is none of this name.
func (s *Sessions) Why(ctx context.Context, agent string) (liveness.Verdict, error) {
	found, err := s.mail.Agent(ctx, agent)
	if err != nil {
		return liveness.Verdict{}, err
	}
	verdicts, err := s.inquire().of(ctx, []mail.Agent{found})
	if err != nil {
		return liveness.Verdict{}, err
	}
	return verdicts[0], nil
}

// VerdictFor is a verdict as a reader may see it: what an agent owes names threads that the reader may not read.
func VerdictFor(reader mail.Access, v liveness.Verdict) liveness.Verdict {
	if !reader.SeesMailOf(v.Agent) {
		v.Evidence = slices.DeleteFunc(slices.Clone(v.Evidence), func(e liveness.Evidence) bool { return e.Fact == "owed" })
	}
	return v
}

// AgentState is an agent of a session at a glance.
type AgentState struct {
	Name   string         `json:"name"`
	Role   *string        `json:"role"` // null: the roster does not name it
	State  liveness.State `json:"state"`
	Reason string         `json:"reason"`
}

// parts lists who takes part in a session and in which role, without a verdict.
func (s *Sessions) parts(v *fold.View) []AgentState {
	list := []AgentState{}
	roster, _ := v.Fold.Roster()
	for _, name := range s.members(v) {
		state := AgentState{Name: name}
		for _, e := range roster.Entries {
			if protocol.SameAgent(e.AgentName, name) && e.Role != "" {
				role := string(e.Role)
				state.Role = &role
			}
		}
		list = append(list, state)
	}
	return list
}

// members are those who take part in a thread or are on its roster, without the operator.
func (s *Sessions) members(v *fold.View) []string {
	names := slices.Clone(v.Participants)
	if roster, ok := v.Fold.Roster(); ok {
		for _, e := range roster.Entries {
			if !slices.ContainsFunc(names, func(n string) bool { return protocol.SameAgent(n, e.AgentName) }) {
				names = append(names, e.AgentName)
			}
		}
	}
	return slices.DeleteFunc(names, func(n string) bool { return protocol.SameAgent(n, s.mail.Operator()) })
}

// States judges the agents of the project at a glance: Liveness without evidence.
func (s *Sessions) States(ctx context.Context) ([]AgentState, error) {
	verdicts, err := s.Liveness(ctx)
	list := []AgentState{}
	for _, v := range verdicts {
		list = append(list, AgentState{Name: v.Agent, State: v.State, Reason: v.Reason})
	}
	return list, err
}

// States judges the agents of the thread at a glance, with their roles.
func (s *Session) States(ctx context.Context) ([]AgentState, error) {
	p := s.of.participation(s.View)
	q, err := s.of.inquireInto(ctx, &p)
	if err != nil {
		return nil, err
	}
	return q.statesIn(&p), nil
}
