package runner

import (
	"time"

	"brenner/internal/fold"
	"brenner/internal/protocol"
	"brenner/internal/turn"
)

// Status is how a run ended.
type Status string

// The ends. The first five are final; after the others the same run goes on when it is started again.
const (
	Converged   Status = "converged"   // nothing new, lint clean, no open Critical critique
	Limit       Status = "limit"       // the last round was played
	Stopped     Status = "stopped"     // a person said so
	Stalled     Status = "stalled"     // no agent contributed, and something is in the way
	Complete    Status = "complete"    // the session was completed
	Waiting     Status = "waiting"     // a person is asked at a gate
	TimedOut    Status = "timed_out"   // the time allowed for the run is over
	Interrupted Status = "interrupted" // by a signal, or by a failure
	Spent       Status = "budget"      // what the run may cost is used up
)

// final tells whether the next start begins a new run.
func (s Status) final() bool {
	return s == Converged || s == Limit || s == Stopped || s == Stalled || s == Complete
}

// Report is what a run came to.
type Report struct {
	ThreadID      string              `json:"thread_id"`
	Status        Status              `json:"status"`
	Reason        string              `json:"reason"`
	Rounds        []Round             `json:"rounds"`
	Version       int                 `json:"version"`
	ArtifactHash  string              `json:"artifact_hash"`
	LintErrors    int                 `json:"lint_errors"`
	LintWarnings  int                 `json:"lint_warnings"`
	OpenCritiques []fold.OpenCritique `json:"open_critiques"`
	Folder        string              `json:"folder"`
	Usage         turn.Usage          `json:"usage"` // of all rounds, as far as the programs say
}

// Round is what one round came to.
type Round struct {
	Number    int     `json:"round"`
	Agents    []Agent `json:"agents"`
	New       bool    `json:"new"`        // something came that was not there before
	Version   *int    `json:"version"`    // published in this round; null: none
	MessageID *int64  `json:"message_id"` // of its COMPILED
}

// Verdict is what a round can say of an agent, and nothing worse than the facts bear out.
type Verdict string

// The verdicts.
const (
	Contributed Verdict = "contributed" // a delta or a critique was accepted
	Repeated    Verdict = "repeated"    // only what the agent had contributed before
	Refused     Verdict = "refused"     // it tried, and nothing was accepted
	Spoke       Verdict = "spoke"       // it wrote, but contributed nothing
	Silent      Verdict = "silent"      // its program ended well, without a word
	Failed      Verdict = "failed"      // its program ended with an error, without a word
	Late        Verdict = "timed_out"   // the deadline came first
	NotStarted  Verdict = "not_started" // its program could not be started
	Cut         Verdict = "interrupted" // the run ended while it worked
	Unknown     Verdict = "unknown"     // its end was not seen
)

// trouble tells whether an agent could not have its say: it must not count as having nothing to add.
func (v Verdict) trouble() bool {
	switch v {
	case Refused, Failed, Late, NotStarted, Cut, Unknown:
		return true
	}
	return false
}

// How says which way a contribution took.
type How string

// The ways.
const (
	ByMail   How = "mail"
	ByOutput How = "output" // printed, and posted by the runner
)

// Agent is what one agent did in a round.
type Agent struct {
	Agent    string        `json:"agent"`
	Role     protocol.Role `json:"role"`
	Program  string        `json:"program"`
	Model    string        `json:"model"`        // as the roster has it; empty: it names none, or the program was not started
	Passed   string        `json:"model_passed"` // as the program got it; empty: its own choice
	Verdict  Verdict       `json:"verdict"`
	Reason   string        `json:"reason"`
	How      *How          `json:"how"`      // null: no contribution
	Messages []int64       `json:"messages"` // contributions
	Acked    bool          `json:"acked"`
	Refusals []Refusal     `json:"refused"`
	End      Ending        `json:"ended"`
	ExitCode *int          `json:"exit_code"`
	Attempts int           `json:"attempts"`
	Output   string        `json:"output"` // file with what it printed; empty: none
	Usage    *turn.Usage   `json:"usage"`  // null: its program does not say
	Rests    int           `json:"rests"`  // how often it waited for its service

	RestingUntil *time.Time `json:"resting_until"` // null: it does not rest

	LastWords string `json:"last_words"` // the last line it printed, errors first, if its program failed or ran late
}

// Refusal is something that an agent tried and that was not accepted.
type Refusal struct {
	// mail: at the door; output: a printed block; delta: a block of an accepted message; tool: a call that failed
	Source    string             `json:"source"`
	MessageID int64              `json:"message_id,omitempty"`
	Subject   string             `json:"subject"`
	Block     int                `json:"block,omitempty"`
	Findings  []protocol.Finding `json:"findings"`
}
