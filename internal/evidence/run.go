package evidence

import (
	"encoding/json"
	"errors"

	"brenner/internal/strictjson"
)

// Run is the record of a command that was run for a test (SCIENCE 2): the file EV-nnn.json.
type Run struct {
	Thread    string    `json:"thread,omitempty"` // for which it ran
	Test      string    `json:"test,omitempty"`
	Command   []string  `json:"command"`
	ExitCode  *int      `json:"exit_code"` // null: it did not end by itself
	TimedOut  bool      `json:"timed_out"`
	StartedAt string    `json:"started_at"`
	Seconds   float64   `json:"seconds"`
	Git       *Commit   `json:"git"` // null: not in a repository
	System    string    `json:"system"`
	Stdout    RunOutput `json:"stdout"`
	Stderr    RunOutput `json:"stderr"`
}

// Commit is the state of the repository that a command ran on.
type Commit struct {
	Commit string `json:"commit"`
	Dirty  bool   `json:"dirty"`
}

// RunOutput is a file with what a command wrote.
type RunOutput struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"` // that it wrote
	Cut    bool   `json:"cut"`   // the file has only the beginning and the end of them
}

// ParseRun reads the record of a run.
func ParseRun(record []byte) (Run, error) {
	var run Run
	if !strictjson.Bounded(record) {
		return run, errors.New("it has more values than any record")
	}
	return run, json.Unmarshal(record, &run)
}
