package runner

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"brenner/internal/atomicfile"
	"brenner/internal/protocol"
	"brenner/internal/turn"
)

// folder is where a run keeps what is not in the thread: .brenner/run/T in the project.
type folder struct{ path string }

func runFolder(root, thread string) folder {
	return folder{filepath.Join(root, ".brenner", "run", thread)}
}

// openFolder makes the folder, for its owner only, where git does not look.
func openFolder(root, thread string) (folder, error) {
	top, f := filepath.Join(root, ".brenner"), runFolder(root, thread)
	if err := os.MkdirAll(f.path, 0o700); err != nil {
		return f, protocol.Errorf(protocol.Unwritable, "no folder for the run: %w", err)
	}
	ignore := filepath.Join(top, ".gitignore")
	if _, err := os.Stat(ignore); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(ignore, []byte("*\n"), 0o600); err != nil {
			return f, protocol.Errorf(protocol.Unwritable, "no folder for the run: %w", err)
		}
	}
	return f, nil
}

// The files of an agent in a round.
func (f folder) round(n int) string { return filepath.Join(f.path, fmt.Sprintf("round-%d", n)) }

func (f folder) file(round int, agent, suffix string) string {
	return filepath.Join(f.round(round), agent+suffix)
}

func (f folder) output(round int, agent string) string { return f.file(round, agent, ".out") }

// runRecord is run.json: what a run that goes on must know of its beginning.
type runRecord struct {
	Begun      time.Time    `json:"begun"`
	Token      string       `json:"token"` // part of idempotency keys: no one else can use them up
	FirstRound int          `json:"first_round"`
	Since      time.Time    `json:"since"`   // when a person last started it; a start after a crash does not count
	After      int64        `json:"after"`   // a stop is a later message than this
	Through    int64        `json:"through"` // id of the last message when it ended
	Status     Status       `json:"status"`
	Reason     string       `json:"reason"`
	Round      int          `json:"round"`  // in which it ended
	Gate       *gateRecord  `json:"gate"`   // the run asks a person; null: it does not
	Paused     *pauseRecord `json:"paused"` // a person paused it; null: it is not paused
}

// gateRecord is a question that a run puts to a person.
type gateRecord struct {
	Round int       `json:"round"` // that is to be played
	Since time.Time `json:"since"`
	After int64     `json:"after"` // an answer on the thread is later than this message
}

// pauseRecord says who paused a run.
type pauseRecord struct {
	By    string    `json:"by"`
	Since time.Time `json:"since"`
}

// Ending is how a program's work in a round ended.
type Ending string

// The endings. Empty: it was not seen to end.
const (
	Exited     Ending = "exited"      // by itself
	AtDeadline Ending = "deadline"    // ended by the runner
	Still      Ending = "stalled"     // ended by the runner: it had not lastActive for too long
	Rested     Ending = "resting"     // its service takes no more for now; it is started again
	CutOff     Ending = "interrupted" // the run ended first; it is started again
	Lost       Ending = "lost"        // while no runner looked
	Unstarted  Ending = "not_started"
	OverBudget Ending = "budget"     // ended by the runner: what it may cost is used up
	SignedOut  Ending = "signed_out" // its service does not know it
	ByHand     Ending = "by_hand"    // no program of ours: the agent is played elsewhere
)

// agentRecord is AGENT.json in the folder of a round.
type agentRecord struct {
	Program  string    `json:"program"`
	Model    string    `json:"model"`        // as the roster has it
	Passed   string    `json:"model_passed"` // as the program got it; empty: its own choice
	Attempts int       `json:"attempts"`
	Host     string    `json:"host"` // where the process is
	PID      int       `json:"pid"`
	Started  time.Time `json:"process_started"`
	Begun    time.Time `json:"begun"`
	Due      time.Time `json:"due"` // when it is ended
	End      Ending    `json:"ended"`
	EndedAt  time.Time `json:"ended_at"`
	ExitCode *int      `json:"exit_code"`
	Reason   string    `json:"reason"`

	Rests        int         `json:"rests"`         // how often it rested
	RestingUntil time.Time   `json:"resting_until"` // with End Rested
	Limit        string      `json:"limit"`         // what its service said; empty: nothing
	Usage        *turn.Usage `json:"usage"`         // of all attempts; null: not known
	Earlier      []span      `json:"earlier"`       // attempts, the oldest first
	Session      string      `json:"session"`       // of the program, that another attempt goes on with; empty: it begins anew

	retrying string // what its service says while the program tries again; empty: it does not
}

// unseen tells whether a program was started whose end is not noted.
func (r *agentRecord) unseen() bool {
	return r.Attempts > 0 && r.EndedAt.IsZero() && r.End != Unstarted
}

// again tells whether an agent that has not contributed is to be started once more.
func (r *agentRecord) again() bool {
	return r.End == "" || r.End == CutOff || r.End == Lost || r.End == Rested || r.End == OverBudget
}

// load reads a record; one that is not there leaves v as it is.
func load(path string, v any) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		return protocol.Errorf(protocol.Unreadable, "the record %s cannot be read: %w", path, err)
	}
	return nil
}

func save(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err == nil {
		err = atomicfile.Write(path, append(data, '\n'), 0o600)
	}
	if err != nil {
		return protocol.Errorf(protocol.Unwritable, "the record %s cannot be written: %w", path, err)
	}
	return nil
}
