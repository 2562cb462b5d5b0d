package cockpit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"time"

	"brenner/internal/mail"
	"brenner/internal/program"
	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/tmux"
)

// Settings are what a cockpit works with.
type Settings struct {
	Sessions *session.Sessions // nil: only List, Find and what needs no store
	Catalog  *program.Catalog
	Tmux     *tmux.Server
	Project  string   // the folder, absolute
	Store    string   // DSN; empty: the project's own
	Brenner  []string // how to run this program: absolute path, then flags
	Prompts  map[protocol.Role]string
	Grace    time.Duration // how long programs have to end by themselves; 0: three seconds

	// Free is asked once a session is there, before anything runs in it: an error (CONFLICT) says who else
	// plays the agents of the thread, such as a runner. nil: no one can.
	Free func(ctx context.Context, threadID string) error
}

// Cockpit is the cockpit of one project. Its methods may run at once, in any number of processes.
type Cockpit struct{ Settings }

// New makes the cockpit of a project.
func New(s Settings) *Cockpit {
	if s.Grace == 0 {
		s.Grace = 3 * time.Second
	}
	return &Cockpit{s}
}

func (c *Cockpit) mail() *mail.Service { return c.Sessions.Mail() }

// owner names the project in the tmux server, which people may share among projects.
func (c *Cockpit) owner() string { return digest(c.Project) }

// markName is the variable of the environment that everything carries that came from a pane.
const markName = "BRENNER_COCKPIT"

// Mark begins that variable in everything that belongs to a thread, so that it can be found.
func (c *Cockpit) Mark(threadID string) string {
	return markName + "=" + digest(c.Project+"\x00"+threadID) + "/"
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// folder is where the files of a thread's panes live. An id of a thread is fit for a file name
// (PROTOCOL 2); what is not never gets here.
func (c *Cockpit) folder(threadID string) string { return filepath.Join(c.home(), threadID) }

func (c *Cockpit) home() string { return filepath.Join(c.Project, ".brenner", "cockpit") }
