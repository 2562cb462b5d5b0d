package operator

import (
	"context"
	"sync"
	"time"

	"brenner/internal/cockpit"
	"brenner/internal/liveness"
	"brenner/internal/mail"
	"brenner/internal/process"
	"brenner/internal/proctree"
	"brenner/internal/protocol"
	"brenner/internal/runner"
	"brenner/internal/session"
	"brenner/internal/tmux"
)

// Options are what Programs works with.
type Options struct {
	Root    string                           // the project's folder, absolute
	Tmux    func() (*tmux.Server, error)     // nil: the server that people use
	Leases  func() *mail.Service             // tells whether a runner is at work; may return nil: that is not known
	Cockpit func() (*cockpit.Cockpit, error) // nil: one that starts nothing
}

// Programs looks at the programs of a project on this machine. Safe for concurrent use.
type Programs struct {
	options Options

	mu       sync.Mutex
	glimpses []cockpit.Glimpse // of all panes
	looked   time.Time         // when they were taken
	samples  map[int]sample    // of processors' time, by root process
}

type sample struct {
	cpu time.Duration
	at  time.Time
}

// How long a look at all panes serves, and between which ages two samples tell how busy a program is.
const (
	glimpseFor = 500 * time.Millisecond
	shortest   = 150 * time.Millisecond
	longest    = 2 * time.Minute
)

// New returns the programs of a project.
func New(o Options) *Programs {
	if o.Tmux == nil {
		o.Tmux = func() (*tmux.Server, error) { return tmux.Open(tmux.Options{}) }
	}
	s := &Programs{options: o, samples: map[int]sample{}}
	if s.options.Cockpit == nil {
		s.options.Cockpit = s.bare
	}
	return s
}

// bare is a cockpit that starts nothing.
func (s *Programs) bare() (*cockpit.Cockpit, error) {
	server, err := s.options.Tmux()
	if err != nil {
		return nil, err
	}
	return cockpit.New(cockpit.Settings{Tmux: server, Project: s.options.Root}), nil
}

// Equip sets a cockpit that can start programs. It is called before anything else is.
func (s *Programs) Equip(open func() (*cockpit.Cockpit, error)) { s.options.Cockpit = open }

// Work lists what the programs of a thread's agents show. It is session.Probe's.
func (s *Programs) Work(ctx context.Context, threadID string) ([]session.Work, error) {
	var works []session.Work
	state, _, err := runner.Look(s.options.Root, threadID)
	if err != nil {
		return nil, err
	}
	for i := range state.Agents {
		works = append(works, ofRun(&state.Agents[i]))
	}
	for _, g := range s.panes(ctx) {
		if g.ThreadID == threadID {
			works = replace(works, ofPane(&g))
		}
	}
	s.measure(works)
	return works, nil
}

func ofRun(a *runner.AgentState) session.Work {
	w := session.Work{
		Agent: a.Agent, Where: session.InRun, Program: a.Program, Round: a.Round, Due: a.Due, Printed: a.Printed, LastLine: a.LastLine,
		CPU: -1, CPUShare: -1,
	}
	if a.AtWork() {
		w.PID = a.PID
	}
	if a.Resting != "" {
		w.LastLine, w.Rests = a.Resting, true
	}
	if a.Usage != nil {
		w.Usage = &session.Usage{InputTokens: a.Usage.InputTokens, OutputTokens: a.Usage.OutputTokens, CostUSD: a.Usage.Dollars}
	}
	return w
}

func ofPane(g *cockpit.Glimpse) session.Work {
	w := session.Work{Agent: g.Agent, Where: session.InCockpit, Program: g.Program, Printed: g.Printed, LastLine: g.LastLine, CPU: -1,
		CPUShare: -1}
	if g.Alive {
		w.PID = g.PID
	}
	return w
}

// Plights tells in what the programs of panes cannot help themselves, by pane. It is session.Probe's.
func (s *Programs) Plights(ctx context.Context) map[string]liveness.Plight {
	found := map[string]liveness.Plight{}
	for _, g := range s.panes(ctx) {
		p := liveness.Plight{Text: g.Shown.Text, Since: g.Printed}
		switch {
		case !g.Alive:
			continue
		case g.Shown.SignedOut:
			p.State, p.Text = liveness.SignedOut, g.SignIn
		case g.Shown.Asks:
			p.State = liveness.Asks
			for _, c := range g.Shown.Choices {
				p.Choices = append(p.Choices, liveness.Choice(c))
			}
		default:
			continue
		}
		if p.Since.IsZero() {
			p.Since = time.Now()
		}
		found[g.Ref] = p
	}
	return found
}

// Asked is what the program of an agent asks its person for in a round. It is session.Probe's.
func (s *Programs) Asked(threadID, agent string) (liveness.Plight, bool) {
	state, _, err := runner.Look(s.options.Root, threadID)
	if err != nil {
		return liveness.Plight{}, false
	}
	for i := range state.Agents {
		a := &state.Agents[i]
		if a.Asks == nil || !protocol.SameAgent(a.Agent, agent) {
			continue
		}
		p := liveness.Plight{State: liveness.Asks, Text: a.Asks.Text, Since: a.Asks.Since, Thread: threadID}
		for _, c := range a.Asks.Choices {
			p.Choices = append(p.Choices, liveness.Choice(c))
		}
		return p, true
	}
	return liveness.Plight{}, false
}

// replace puts what lives before what has ended: an agent has one row.
func replace(works []session.Work, w session.Work) []session.Work {
	for i := range works {
		if protocol.SameAgent(works[i].Agent, w.Agent) {
			if works[i].PID == 0 {
				works[i] = w
			}
			return works
		}
	}
	return append(works, w)
}

// panes looks at the panes of the project. Without tmux there are none.
func (s *Programs) panes(ctx context.Context) []cockpit.Glimpse {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.looked) < glimpseFor {
		return s.glimpses
	}
	s.glimpses, s.looked = nil, time.Now()
	if c, err := s.bare(); err == nil {
		s.glimpses, _ = c.Glimpses(ctx) // who cannot be asked shows nothing
	}
	return s.glimpses
}

// measure adds what the programs use.
func (s *Programs) measure(works []session.Work) {
	var roots []int
	for i := range works {
		if works[i].PID > 0 {
			roots = append(roots, works[i].PID)
		}
	}
	if len(roots) == 0 {
		return
	}
	usages, err := proctree.Usages(roots)
	if err != nil {
		return // a machine that does not tell
	}
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range works {
		w := &works[i]
		u := usages[w.PID]
		if w.PID == 0 || u.Processes == 0 {
			continue
		}
		w.Processes, w.CPU, w.Paused = u.Processes, u.CPU, u.Stopped
		before, known := s.samples[w.PID]
		if age := now.Sub(before.at); known && age >= shortest && age <= longest {
			w.CPUShare = max(0, (u.CPU-before.cpu).Seconds()/age.Seconds())
		}
		if !known || now.Sub(before.at) >= shortest {
			s.samples[w.PID] = sample{u.CPU, now}
		}
	}
	for pid, old := range s.samples { // of programs that are gone
		if now.Sub(old.at) > longest {
			delete(s.samples, pid)
		}
	}
}

// Run returns the state of a thread's run. It is session.Probe's.
func (s *Programs) Run(ctx context.Context, threadID string) (session.RunState, bool, error) {
	state, ok, err := runner.Look(s.options.Root, threadID)
	if err != nil || !ok {
		return session.RunState{}, false, err
	}
	r := session.RunState{Status: string(state.Status), Reason: state.Reason, Since: state.Since, Round: state.Round}
	if state.Gate != nil {
		r.GateRound, r.GateSince = state.Gate.Round, state.Gate.Since
	}
	if state.Paused != nil {
		r.PausedBy, r.PausedAt = state.Paused.By, state.Paused.Since
	}
	r.Live, err = s.running(ctx, threadID)
	return r, true, err
}

// running tells whether a runner is at work on a thread.
func (s *Programs) running(ctx context.Context, threadID string) (bool, error) {
	if s.options.Leases == nil || s.options.Leases() == nil {
		return false, nil
	}
	err := runner.Idle(ctx, s.options.Leases(), threadID)
	if protocol.CodeOf(err) == protocol.Conflict {
		return true, nil
	}
	return false, err
}

// Paused tells which of some processes a person has stopped. It is session.Probe's.
func (s *Programs) Paused(ctx context.Context, pids []int) map[int]bool {
	stopped := map[int]bool{}
	for _, pid := range pids {
		stopped[pid] = process.Stopped(ctx, pid)
	}
	return stopped
}
