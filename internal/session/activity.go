package session

import (
	"cmp"
	"context"
	"slices"
	"time"

	"brenner/internal/liveness"
	"brenner/internal/mail"
)

// Work is what this machine shows of an agent's program in a session, as Probe.Work tells it.
type Work struct {
	Agent     string
	Where     Place
	Program   string
	Round     int // 0: it is not played in rounds
	PID       int
	Due       time.Time // when it is ended; zero: it may run on
	Printed   time.Time // when it last printed something; zero: not known
	LastLine  string    // hostile text
	Processes int       // that live, itself included
	CPU       time.Duration
	CPUShare  float64 // of one processor, lately; negative: not known
	Paused    bool
	Rests     bool   // its service takes no more for now; its last line says until when
	Usage     *Usage // nil: its output does not tell
}

// Place is where a program runs.
type Place string

// The places.
const (
	InRun     Place = "run"
	InCockpit Place = "cockpit"
)

// Usage is what a program says that it has used.
type Usage struct {
	InputTokens  int64    `json:"input_tokens"`
	OutputTokens int64    `json:"output_tokens"`
	CostUSD      *float64 `json:"cost_usd"` // null: it does not say
}

// RunState is what this machine shows of the run of a session, as Probe.Run tells it.
type RunState struct {
	Status    string // how it ended; empty: it has not
	Reason    string
	Since     time.Time
	Round     int
	Live      bool // a runner is at work
	GateRound int  // the round that a person is asked about; 0: none
	GateSince time.Time
	PausedBy  string // empty: it is not paused
	PausedAt  time.Time
}

// Activity is an agent of a session at work: the verdict, and what its program shows.
type Activity struct {
	ThreadID   string           `json:"thread_id"`
	Agent      string           `json:"agent"`
	Role       *string          `json:"role"`
	Program    string           `json:"program"` // empty: none is known
	State      liveness.State   `json:"state"`
	Reason     string           `json:"reason"`
	Cause      liveness.Cause   `json:"cause"`
	Since      liveness.Instant `json:"since"`
	Round      int              `json:"round"`
	Where      *Place           `json:"where"` // null: this machine does not run it
	PID        *int             `json:"pid"`
	Deadline   liveness.Instant `json:"deadline"`
	LeftS      *int64           `json:"deadline_left_seconds"` // below 0: it is over
	LastOutput liveness.Instant `json:"last_output"`
	OutputAgeS *int64           `json:"last_output_age_seconds"`
	Processes  int              `json:"processes"`
	CPUPercent *float64         `json:"cpu_percent"` // of one processor; null: not known
	CPUSeconds *float64         `json:"cpu_seconds"`
	LastLine   string           `json:"last_line"`
	Usage      *Usage           `json:"usage"`
	Paused     bool             `json:"paused"`

	rests bool
}

// Activities is what agents do, session by session, those that need help first.
type Activities struct {
	Agents []Activity `json:"agents"`
	Quiet  int        `json:"quiet"` // sessions that are left out: none of their agents gave a sign for a day, and none runs here
}

// quietAfter is how long nobody of a session has given a sign when it is left out of a look at all of them.
const quietAfter = 24 * time.Hour

// Activity tells what the agents of all sessions do that are not complete.
func (s *Sessions) Activity(ctx context.Context, only mail.ThreadSet) (Activities, error) {
	list, err := s.openSummaries(ctx, only)
	if err != nil {
		return Activities{Agents: []Activity{}}, err
	}
	return s.activity(ctx, list, func(q *inquiry, m *summary, rows []Activity, works []Work) bool {
		return len(works) == 0 && !slices.ContainsFunc(rows, q.lately) && q.now.Sub(m.updated) > quietAfter
	})
}

// Activity tells what the agents of the session do.
func (s *Session) Activity(ctx context.Context) (Activities, error) {
	return s.of.activity(ctx, []*summary{s.of.summaryOf(s.View)}, func(*inquiry, *summary, []Activity, []Work) bool { return false })
}

// activity tells what the agents of sessions do; those of which nothing is to be said are counted.
func (s *Sessions) activity(ctx context.Context, list []*summary,
	quiet func(*inquiry, *summary, []Activity, []Work) bool) (Activities, error) {
	all := Activities{Agents: []Activity{}}
	q, err := s.inquireInto(ctx, participations(list)...)
	if err != nil {
		return all, err
	}
	for _, m := range list {
		works, err := s.works(ctx, m.ThreadID)
		if err != nil {
			return all, err
		}
		rows := q.activities(m, works)
		if quiet(q, m, rows, works) {
			all.Quiet++
			continue
		}
		all.Agents = append(all.Agents, rows...)
	}
	return all, nil
}

// openSummaries sums up all sessions that are not complete.
func (s *Sessions) openSummaries(ctx context.Context, only mail.ThreadSet) ([]*summary, error) {
	list, err := s.summaries(ctx, only)
	return slices.DeleteFunc(list, func(m *summary) bool { return m.Phase.Over() }), err
}

// works asks this machine about the programs of a session.
func (s *Sessions) works(ctx context.Context, threadID string) ([]Work, error) {
	if s.settings.Probe.Work == nil {
		return nil, nil
	}
	return s.settings.Probe.Work(ctx, threadID)
}

func (s *Sessions) runState(ctx context.Context, threadID string) (RunState, bool, error) {
	if s.settings.Probe.Run == nil {
		return RunState{}, false, nil
	}
	return s.settings.Probe.Run(ctx, threadID)
}

// lately tells whether an agent shows any sign of the last day.
func (q *inquiry) lately(a Activity) bool {
	return slices.Contains([]liveness.State{liveness.Working, liveness.Waiting, liveness.Asks, liveness.Resting}, a.State) ||
		!a.Since.IsZero() && q.now.Sub(a.Since.Time) < quietAfter
}

// activities puts the verdicts about the agents of a session beside what their programs show.
func (q *inquiry) activities(m *summary, works []Work) []Activity {
	var rows []Activity
	for _, part := range m.agents {
		v, ok := q.verdict(&m.participation, part.Name)
		if !ok {
			continue
		}
		a := Activity{
			ThreadID: m.ThreadID, Agent: v.Agent, Role: part.Role, State: v.State, Reason: v.Reason, Cause: v.Cause, Since: v.Since,
			Round: m.Round,
		}
		if i := slices.IndexFunc(works, func(w Work) bool { return mail.NameKey(w.Agent) == mail.NameKey(a.Agent) }); i >= 0 {
			a.take(&works[i], q.now)
		}
		rows = append(rows, a)
	}
	slices.SortStableFunc(rows, func(a, b Activity) int { return cmp.Compare(need(a.State), need(b.State)) })
	return rows
}

// need orders states by how much they need help.
func need(s liveness.State) int {
	return slices.Index([]liveness.State{liveness.Asks, liveness.SignedOut, liveness.Dead, liveness.Silent, liveness.Failing,
		liveness.Working, liveness.Waiting, liveness.Resting, liveness.Idle, liveness.Unknown}, s)
}

// take adds what a program shows.
func (a *Activity) take(w *Work, now time.Time) {
	a.Where, a.Program, a.LastLine, a.Usage = &w.Where, w.Program, w.LastLine, w.Usage
	a.Paused, a.Processes, a.rests = w.Paused, w.Processes, w.Rests
	if w.PID > 0 {
		a.PID = &w.PID
	}
	if w.Round > 0 {
		a.Round = w.Round
	}
	if !w.Due.IsZero() && w.Processes > 0 {
		a.Deadline, a.LeftS = liveness.Instant{Time: w.Due}, seconds(w.Due.Sub(now))
	}
	if !w.Printed.IsZero() {
		a.LastOutput, a.OutputAgeS = liveness.Instant{Time: w.Printed}, seconds(max(0, now.Sub(w.Printed)))
	}
	if w.Processes > 0 && w.CPU >= 0 {
		used := w.CPU.Seconds()
		a.CPUSeconds = &used
	}
	if w.Processes > 0 && w.CPUShare >= 0 {
		percent := 100 * w.CPUShare
		a.CPUPercent = &percent
	}
}

func seconds(d time.Duration) *int64 {
	n := int64(d.Round(time.Second) / time.Second)
	return &n
}
