package runner

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"brenner/internal/process"
	"brenner/internal/protocol"
	"brenner/internal/turn"
)

// State is what the folder of a run shows to another process.
type State struct {
	Status Status // how it ended; empty: it has not, as far as it could note
	Reason string
	Since  time.Time // when it was last started
	Round  int       // the latest that was played or is
	Gate   *Gate     // the question that it puts to a person; nil: none
	Paused *Pause    // nil: it is not paused
	Agents []AgentState
}

// Gate is a question whether a round is to be played.
type Gate struct {
	Round int
	Since time.Time
}

// Pause says who paused a run.
type Pause struct {
	By    string
	Since time.Time
}

// AgentState is what is known of an agent's program in the latest round.
type AgentState struct {
	Agent    string
	Program  string
	Round    int
	Attempts int
	Host     string
	PID      int
	Started  time.Time // of the process
	Begun    time.Time
	Due      time.Time
	End      Ending // empty: it was not seen to end
	EndedAt  time.Time
	Output   string    // file with what it prints
	Errors   string    // file with its errors
	Printed  time.Time // when it last printed something; zero: never
	LastLine string
	Resting  string      // until when it rests, and why; empty: it does not
	Usage    *turn.Usage // of all its attempts in the round; nil: not known
	Asks     *Consent    // what it waits for; nil: it asks for nothing
}

// AtWork tells whether the program was started on this machine and its end was not seen.
func (a *AgentState) AtWork() bool {
	return a.PID > 0 && a.EndedAt.IsZero() && a.Host == process.Self().Host
}

// Look reads what the run of a thread left in its folder. The second result is false if there never was one.
func Look(root, thread string) (State, bool, error) {
	if thread == "" || !filepath.IsLocal(thread) {
		return State{}, false, nil
	}
	f := folder{filepath.Join(root, ".brenner", "run", thread)}
	var rec runRecord
	if err := load(filepath.Join(f.path, "run.json"), &rec); err != nil || rec.Begun.IsZero() {
		return State{}, false, err
	}
	s := State{Status: rec.Status, Reason: rec.Reason, Since: rec.Since, Round: f.latestRound()}
	if rec.Gate != nil {
		s.Gate = &Gate{rec.Gate.Round, rec.Gate.Since}
	}
	if rec.Paused != nil {
		s.Paused = &Pause{rec.Paused.By, rec.Paused.Since}
	}
	var err error
	s.Agents, err = f.agents(s.Round)
	return s, true, err
}

// latestRound is the highest round that has a folder; 0: none.
func (f folder) latestRound() int {
	entries, _ := os.ReadDir(f.path) // one that cannot be read has no rounds
	latest := 0
	for _, e := range entries {
		if text, ok := strings.CutPrefix(e.Name(), "round-"); ok {
			if n, err := strconv.Atoi(text); err == nil {
				latest = max(latest, n)
			}
		}
	}
	return latest
}

// agents reads the records of a round.
func (f folder) agents(round int) ([]AgentState, error) {
	entries, err := os.ReadDir(f.round(round))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, protocol.Errorf(protocol.Unreadable, "%w", err)
	}
	var list []AgentState
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok || e.IsDir() {
			continue
		}
		var rec agentRecord
		if err := load(f.file(round, name, ".json"), &rec); err != nil {
			return list, err
		}
		if rec.Begun.IsZero() {
			continue // not one of ours
		}
		a := AgentState{
			Agent: name, Program: rec.Program, Round: round, Attempts: rec.Attempts, Host: rec.Host, PID: rec.PID, Started: rec.Started,
			Begun: rec.Begun, Due: rec.Due,
			End: rec.End, EndedAt: rec.EndedAt, Output: f.output(round, name), Errors: f.file(round, name, ".err"),
		}
		a.look()
		if rec.End == Rested {
			a.Resting = rec.resting()
		}
		if a.Usage = rec.Usage; a.Usage == nil && a.AtWork() {
			a.Usage = usageSoFar(a.Output, f.promptSize(round, name))
		}
		if a.AtWork() {
			a.Asks = f.asks(round, name)
		}
		list = append(list, a)
	}
	slices.SortFunc(list, func(a, b AgentState) int { return cmp.Compare(a.Agent, b.Agent) })
	return list, nil
}

// look finds out what the program printed last, and when.
func (a *AgentState) look() {
	for _, path := range []string{a.Output, a.Errors} {
		if info, err := os.Stat(path); err == nil && info.Size() > 0 && info.ModTime().After(a.Printed) {
			a.Printed, a.LastLine = info.ModTime(), lastSaid(path)
		}
	}
}

// maxLooked bounds how much of a stream is read again and again while its program goes on.
const maxLooked = 1 << 20

// usageSoFar reads what a program at work has used, as far as it says, with an estimate of the rest; nil: nothing, or too much to read.
func usageSoFar(path string, prompt int) *turn.Usage {
	if info, err := os.Stat(path); err != nil || info.Size() == 0 || info.Size() > maxLooked {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	t := turn.Of(data)
	return t.Spent(prompt)
}

// Again is what became of the wish to start an agent's program again.
type Again struct {
	Agent   string `json:"agent"`
	Round   int    `json:"round"`
	Ended   bool   `json:"ended"`   // a program was ended for it
	Running bool   `json:"running"` // the runner at work has started it; else Why says why not
	Why     string `json:"why,omitempty"`
}

// Restart ends the program of an agent in the latest round, if it lives, and has it started again: at once by the
// runner that is at work, else by the next. NOT_FOUND: the run has no such agent. CONFLICT: the program is
// another machine's.
func Restart(ctx context.Context, o RestartOptions) (Again, error) {
	s, ok, err := Look(o.Root, o.ThreadID)
	if err != nil {
		return Again{}, err
	}
	i := slices.IndexFunc(s.Agents, func(a AgentState) bool { return protocol.SameAgent(a.Agent, o.Agent) })
	if !ok || i < 0 {
		return Again{}, protocol.Errorf(protocol.NotFound, "no run of %s has started %s here: start the run", o.ThreadID, o.Agent).
			Doing(protocol.OnThread("run", o.ThreadID))
	}
	a := s.Agents[i]
	if a.Host != "" && a.Host != process.Self().Host && a.EndedAt.IsZero() {
		return Again{}, protocol.Errorf(protocol.Conflict, "the program of %s runs on %s; start it again there", a.Agent, a.Host)
	}
	again := Again{Agent: a.Agent, Round: a.Round}
	f := folder{filepath.Join(o.Root, ".brenner", "run", o.ThreadID)}
	if err := os.WriteFile(f.file(a.Round, a.Agent, againSuffix), []byte(strconv.Itoa(a.Attempts)), 0o600); err != nil {
		return again, protocol.Errorf(protocol.Unwritable, "%w", err)
	}
	var run runRecord
	if err := load(filepath.Join(f.path, "run.json"), &run); err != nil {
		return again, err
	}
	rec := agentRecord{PID: a.PID, Started: a.Started, Attempts: a.Attempts, Host: a.Host}
	program := orphan{record: &rec, mark: markOf(run.Token, a.Round, a.Agent), host: process.Self().Host}
	if a.AtWork() && program.find(ctx) {
		again.Ended = true
		program.end(ctx, cmp.Or(o.Grace, DefaultGrace))
	}
	again.Running, again.Why = f.startedAgain(ctx, a, run, o)
	return again, nil
}

// startedWithin is how long a runner may take to start a program again.
const startedWithin = 10 * time.Second

// startedAgain waits until the runner at work has started an agent once more, or says why it does not.
func (f folder) startedAgain(ctx context.Context, a AgentState, run runRecord, o RestartOptions) (started bool, why string) {
	switch {
	case !o.Running && run.Status == Spent:
		return false, "the budget of the run is spent"
	case !o.Running:
		return false, "no runner is at work"
	case run.Paused != nil:
		return false, "the run is paused"
	}
	for end := time.Now().Add(startedWithin); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(monitorPace) {
		var rec agentRecord
		if err := load(f.file(a.Round, a.Agent, ".json"), &rec); err == nil && rec.Attempts > a.Attempts {
			return true, ""
		}
	}
	return false, "the runner is past the round of this agent"
}

// RestartOptions say whom to start again.
type RestartOptions struct {
	Root, ThreadID, Agent string
	Running               bool // a runner is at work on the thread
	Grace                 time.Duration
}

// againSuffix names the file that asks for another start of an agent. It holds the attempt that is to be the
// last but one, so that it asks once.
const againSuffix = ".again"

// wanted tells whether a person wants a program to be started once more after an attempt.
func (f folder) wanted(round int, agent string, attempt int) bool {
	text, err := os.ReadFile(f.file(round, agent, againSuffix))
	if err != nil {
		return false
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	return err == nil && n == attempt
}

// Log names the files with what an agent's program printed in a round.
type Log struct {
	Round          int
	Output, Errors string
}

// FindLog finds what an agent printed in a round, 0 for the latest in which it was started. os.ErrNotExist: there is
// nothing.
func FindLog(root, thread, agent string, round int) (Log, error) {
	if thread == "" || !filepath.IsLocal(thread) {
		return Log{}, fs.ErrNotExist
	}
	f := folder{filepath.Join(root, ".brenner", "run", thread)}
	first, last := round, round
	if round == 0 {
		first, last = f.latestRound(), 1
	}
	for n := first; n >= max(1, last); n-- {
		agents, err := f.agents(n)
		if err != nil {
			return Log{}, err
		}
		for i := range agents {
			if protocol.SameAgent(agents[i].Agent, agent) && agents[i].Attempts > 0 {
				return Log{n, agents[i].Output, agents[i].Errors}, nil
			}
		}
	}
	return Log{}, fs.ErrNotExist
}
