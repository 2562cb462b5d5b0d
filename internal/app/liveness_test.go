package app_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"brenner/internal/liveness"
	"brenner/internal/mail"
	"brenner/internal/session"
)

// situation is a way to be in a state. act makes it real and returns how much later the verdict is asked for.
type situation struct {
	name string
	want liveness.State
	act  func(ctx context.Context, t *trial) (later time.Duration)
}

// situations are those that verdicts are tried on.
var situations = []situation{
	{"in a call", liveness.Working, inCall},
	{"busy", liveness.Working, atWork},
	{"waiting", liveness.Waiting, inWait},
	{"idle", liveness.Idle, idle},
	{"silent", liveness.Silent, silent},
	{"dead", liveness.Dead, dead},
	{"unknown", liveness.Unknown, unheardOf},
	{"in a round", liveness.Working, playing},
	{"past its deadline", liveness.Silent, pastDeadline},
	{"did its part", liveness.Idle, didItsPart},
	{"ended without a word", liveness.Silent, withoutAWord},
	{"acknowledged only", liveness.Silent, acknowledgedOnly},
	{"looked at by others", liveness.Unknown, lookedAt},
	{"called to a session", liveness.Unknown, calledOnly},
	{"left its wait", liveness.Unknown, leftItsWait},
	{"not connected", liveness.Silent, notConnected},
	{"session complete", liveness.Idle, sessionComplete},
	{"busy elsewhere", liveness.Unknown, busyElsewhere},
}

const (
	trialsEach = 100
	rightShare = 98 // of 100 in every situation
	atOnce     = 24 // trials
)

// TestLivenessTrials makes each situation a hundred times, with real processes, a real store and real
// calls, and counts the verdicts. Only the clock of the one who asks is moved.
func TestLivenessTrials(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	lab := newTrialLab(t)
	dice := rand.New(rand.NewPCG(seed, 0))
	order := dice.Perm(len(situations) * trialsEach)
	work := make(chan int)
	var all sync.WaitGroup
	counts := trialCounts{byName: map[string]map[liveness.State]int{}}
	for range atOnce {
		all.Go(func() {
			for n := range work {
				counts.add(t, lab.run(t, situations[n%len(situations)], n, seed))
			}
		})
	}
	for _, n := range order {
		work <- n
	}
	close(work)
	all.Wait()
	t.Log("\n" + counts.table())
	for _, s := range situations {
		if right := counts.byName[s.name][s.want]; right < rightShare*trialsEach/100 {
			t.Errorf("%s: %d of %d verdicts are %s", s.name, right, trialsEach, s.want)
		}
	}
}

// run is one trial.
func (l *trialLab) run(tb testing.TB, s situation, n int, seed uint64) outcome {
	ctx, cancel := context.WithTimeout(tb.Context(), time.Minute)
	defer cancel()
	t := &trial{lab: l, TB: tb, agent: fmt.Sprintf("Agent%03d", n), dice: rand.New(rand.NewPCG(seed, uint64(n)+1))}
	defer t.end()
	if err := l.app.Mail.EnsureAgents(ctx, t.agent); err != nil {
		tb.Error(err)
		return outcome{situation: s}
	}
	later := s.act(ctx, t)
	// The one who asks is a process of its own, with the store and a probe.
	service := mail.NewService(l.app.Store, l.app.Mail.Project(), mail.Options{Now: func() time.Time { return time.Now().Add(later) }})
	verdict, err := t.verdict(ctx, session.New(service, nil, session.Settings{Probe: l.app.Sessions.Probe()}))
	if err != nil {
		tb.Error(err)
	}
	return outcome{s, t.how, verdict, later}
}

// verdict asks about the agent, in a session if the situation has one in mind.
func (t *trial) verdict(ctx context.Context, s *session.Sessions) (liveness.Verdict, error) {
	if t.on == "" {
		return s.Why(ctx, t.agent)
	}
	of, err := s.Session(ctx, t.on)
	if err != nil {
		return liveness.Verdict{}, err
	}
	list, err := of.Liveness(ctx)
	if len(list) != 1 {
		return liveness.Verdict{}, errors.Join(err, fmt.Errorf("%d verdicts", len(list)))
	}
	return list[0], err
}

// outcome is the verdict of one trial.
type outcome struct {
	situation situation
	how       string
	verdict   liveness.Verdict
	later     time.Duration
}

// trialCounts counts verdicts by situation.
type trialCounts struct {
	mu     sync.Mutex
	byName map[string]map[liveness.State]int
}

func (c *trialCounts) add(t *testing.T, o outcome) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byName[o.situation.name] == nil {
		c.byName[o.situation.name] = map[liveness.State]int{}
	}
	c.byName[o.situation.name][o.verdict.State]++
	if o.verdict.State != o.situation.want {
		t.Logf("%s (%s), asked %s later: %s, %s %+v", o.situation.name, o.how, o.later, o.verdict.State, o.verdict.Reason,
			o.verdict.Evidence)
	}
}

// table is the matrix of situations and verdicts.
func (c *trialCounts) table() string {
	var b strings.Builder
	columns := liveness.States()
	b.WriteString("| situation |")
	for _, s := range columns {
		fmt.Fprintf(&b, " %s |", s)
	}
	b.WriteString(" right |\n|---|" + strings.Repeat("---:|", len(columns)+1) + "\n")
	for _, s := range situations {
		fmt.Fprintf(&b, "| %s |", s.name)
		found := c.byName[s.name]
		total := 0
		for n := range maps.Values(found) {
			total += n
		}
		for _, state := range columns {
			fmt.Fprintf(&b, " %d |", found[state])
		}
		fmt.Fprintf(&b, " %d %% |\n", 100*found[s.want]/max(1, total))
	}
	return b.String()
}

// TestVerdictsAgree: the command, the tool and the status of a session say the same.
func TestVerdictsAgree(t *testing.T) {
	lab := newTrialLab(t)
	tr := &trial{lab: lab, TB: t, agent: "Agent001", dice: rand.New(rand.NewPCG(1, 1))}
	defer tr.end()
	if err := lab.app.Mail.EnsureAgents(t.Context(), tr.agent); err != nil {
		t.Fatal(err)
	}
	thread := tr.kickoff(t.Context())
	tr.wait(t.Context(), tr.overHTTP())
	why, err := lab.app.Sessions.Why(t.Context(), tr.agent)
	if err != nil || why.State != liveness.Waiting {
		t.Fatalf("%v %+v", err, why)
	}
	of, err := lab.app.Sessions.Session(t.Context(), thread)
	if err != nil {
		t.Fatal(err)
	}
	list, err := of.Liveness(t.Context())
	if err != nil || len(list) != 1 || list[0].State != why.State || list[0].Reason != why.Reason {
		t.Errorf("%v %+v", err, list)
	}
	status, err := of.Status(t.Context())
	if err != nil || len(status.Liveness) != 1 || status.Liveness[0].State != why.State || status.Liveness[0].Reason != why.Reason {
		t.Errorf("%v %+v", err, status.Liveness)
	}
	var told struct{ Agent, State, Reason string }
	var agents struct{ Agents []session.AgentState }
	client := tr.overHTTP()
	if err := client.Tool(t.Context(), "brenner_why", lab.arguments("agent_name", tr.agent), &told); err != nil ||
		told.State != string(why.State) || told.Reason != why.Reason {
		t.Errorf("%v %+v", err, told)
	}
	err = client.Tool(t.Context(), "brenner_agents", lab.arguments("thread_id", thread), &agents)
	if err != nil || !slices.Equal(agents.Agents, status.Liveness) {
		t.Errorf("%v %+v", err, agents)
	}
}
