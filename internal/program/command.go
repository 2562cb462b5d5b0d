package program

import (
	"os"
	"path/filepath"
	"time"

	"brenner/internal/atomicfile"
	"brenner/internal/protocol"
)

// Mode is how a program is used.
type Mode uint8

// The modes.
const (
	Interactive Mode = iota // in a terminal, with a person who may look
	Headless                // one round: prompt in, text out, end
)

func (m Mode) String() string {
	if m == Headless {
		return "headless"
	}
	return "command" // as the project file calls it
}

// Spec says who is to be started, and for what.
type Spec struct {
	Agent    string // its name on the mail
	Program  string // claude-code, codex-cli, gemini-cli, or one of the project file
	Model    string // empty: the program's own choice
	Role     protocol.Role
	ThreadID string
	Project  string   // the project's folder, absolute
	Store    string   // DSN; empty: the project's own
	Prompt   string   // what the agent is told first
	Brenner  []string // how to run this program: absolute path, then flags
	Dir      string   // private folder of this agent in this run, absolute; files go there

	Session string        // of the program, that is to go on, where the program can; empty: a new one
	Consent time.Duration // how long a program that asks in a round waits for its person's answer; 0: it is refused at once

	patient bool // it may wait for others
}

// Command is a program ready to be started. The zero Dir of exec.Cmd never occurs: Dir is set.
type Command struct {
	Args  []string // Args[0] is the executable as the template names it
	Env   []string // NAME=value, on top of the environment of the process that starts it
	Dir   string   // working directory
	Stdin string   // the prompt, if it goes there; else nothing is to be read
	Files []File   // to be written before it starts
	Model string   // as it is passed on; empty: the program's own choice, whatever was asked for
}

// File is text that a program reads. It may hold what only its owner should see.
type File struct {
	Path string // absolute
	Text string
}

// WriteFiles writes the files of a command, readable by their owner only. UNWRITABLE: it cannot.
func (c Command) WriteFiles() error {
	for _, f := range c.Files {
		if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
			return protocol.Errorf(protocol.Unwritable, "cannot make the folder of %s: %w", f.Path, err)
		}
		if err := atomicfile.Write(f.Path, []byte(f.Text), 0o600); err != nil {
			return protocol.Errorf(protocol.Unwritable, "cannot write %s: %w", f.Path, err)
		}
	}
	return nil
}
