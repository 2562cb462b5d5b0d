// Package scripted plays an agent from a script, over MCP: it reads its mail, acknowledges,
// contributes, is refused and repairs as a real agent does, or fails in one of the ways in which
// agents fail. The demo and the tests of the runner are played by it; no model is called.
package scripted

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"brenner/internal/protocol"
)

// Script is what an agent does. Files are JSON; a key that nothing reads is an error.
type Script struct {
	Agent string   `json:"agent"`
	Stay  bool     `json:"stay"`  // until the session is complete; else leave when nothing is left to do
	Fault Fault    `json:"fault"` // of the whole agent
	Slow  Duration `json:"slow"`  // how long each step takes
	Steps []Step   `json:"steps"`
	ACP   ACP      `json:"acp"` // what it does besides, as an agent of the Agent Client Protocol
}

// ACP is what an agent of the Agent Client Protocol does before it plays its steps.
type ACP struct {
	SignedOut bool     `json:"signed_out"` // its service does not know it
	Limited   string   `json:"limited"`    // what its service says that takes no more
	Asks      string   `json:"asks"`       // a command that it asks leave for; what was answered is said
	Answers   int      `json:"answers"`    // of its service, each with its tokens
	Tokens    int      `json:"tokens"`
	Pace      Duration `json:"pace"`    // of the answers
	Dollars   float64  `json:"dollars"` // for each answer; 0: it does not tell
}

// Step is a message that the agent sends once, when its cue is there.
type Step struct {
	On       Cue      `json:"on"`
	Round    int      `json:"round"` // only in this round; 0: in any
	Subject  string   `json:"subject"`
	Body     string   `json:"body"`
	BodyFile string   `json:"body_file"` // instead of body, relative to the script
	To       []string `json:"to"`        // default: all participants of the thread
	Cc       []string `json:"cc"`
	Reply    bool     `json:"reply"`  // answer the message that was the cue
	Repair   bool     `json:"repair"` // mend what was refused and send it again
	Fault    Fault    `json:"fault"`
	Slow     Duration `json:"slow"`
}

// Cue is a message that the agent waits for.
type Cue struct {
	Type protocol.MessageType `json:"type"` // default: KICKOFF
	From string               `json:"from"` // empty: any sender
}

// Fault is a way to fail.
type Fault string

// The faults. Each holds for the whole agent or, but for NeverAck, for one step.
const (
	Silent     Fault = "silent"     // reads and acknowledges, but sends nothing
	NeverAck   Fault = "never_ack"  // acknowledges nothing
	Prints     Fault = "prints"     // prints instead of sending
	Malformed  Fault = "malformed"  // sends deltas that no door accepts
	Garbage    Fault = "garbage"    // prints and sends noise
	Duplicated Fault = "duplicated" // sends everything twice
	Crash      Fault = "crash"      // ends with an error
	Dead       Fault = "dead"       // is killed, without a word
	Hang       Fault = "hang"       // neither does anything nor ends
)

var faults = []Fault{"", Silent, NeverAck, Prints, Malformed, Garbage, Duplicated, Crash, Dead, Hang}

// Duration is a time.Duration that reads "200ms".
type Duration time.Duration

// UnmarshalJSON implements json.Unmarshaler.
func (d *Duration) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	parsed, err := time.ParseDuration(text)
	*d = Duration(parsed)
	return err
}

// Load reads a script and the bodies it names.
func Load(path string) (*Script, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, protocol.Errorf(protocol.NotFound, "no script: %w", err)
	}
	s, err := Parse(data)
	if err != nil {
		return nil, err
	}
	for i := range s.Steps {
		step := &s.Steps[i]
		if step.BodyFile == "" {
			continue
		}
		body, err := os.ReadFile(filepath.Join(filepath.Dir(path), filepath.FromSlash(step.BodyFile)))
		if err != nil {
			return nil, protocol.Errorf(protocol.NotFound, "step %d: %w", i+1, err)
		}
		step.Body, step.BodyFile = string(body), ""
	}
	return s, nil
}

// Parse reads a script strictly.
func Parse(data []byte) (*Script, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	s := &Script{}
	if err := dec.Decode(s); err != nil {
		return nil, protocol.Errorf(protocol.InvalidInput, "the script cannot be read: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, protocol.Errorf(protocol.InvalidInput, "the script goes on after its end")
	}
	return s, s.check()
}

func (s *Script) check() error {
	if s.Agent != "" && !protocol.ValidAgentName(s.Agent) {
		return protocol.Errorf(protocol.InvalidInput, "%q is no agent's name", s.Agent)
	}
	if !slices.Contains(faults, s.Fault) {
		return protocol.Errorf(protocol.InvalidInput, "there is no fault %q, only %q", s.Fault, faults[1:])
	}
	for i := range s.Steps {
		if err := s.Steps[i].check(i + 1); err != nil {
			return err
		}
	}
	return nil
}

func (st *Step) check(n int) error {
	if st.On.Type == "" {
		st.On.Type = protocol.TypeKickoff
	}
	switch {
	case !slices.Contains(protocol.MessageTypes(), st.On.Type):
		return protocol.Errorf(protocol.InvalidInput, "step %d: %q is no type of message", n, st.On.Type)
	case !slices.Contains(faults, st.Fault) || st.Fault == NeverAck:
		return protocol.Errorf(protocol.InvalidInput, "step %d: a step has no fault %q", n, st.Fault)
	case st.Subject == "":
		return protocol.Errorf(protocol.InvalidInput, "step %d: no subject", n)
	case (st.Body == "") == (st.BodyFile == ""):
		return protocol.Errorf(protocol.InvalidInput, "step %d: give body or body_file", n)
	case st.Round < 0:
		return protocol.Errorf(protocol.InvalidInput, "step %d: rounds count from 1", n)
	}
	return nil
}
