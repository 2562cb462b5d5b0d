package program

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"brenner/internal/protocol"
)

// Template is the words of a program's command line for each use, with placeholders in them.
// Either list may be empty: a built-in program keeps its own words then, another cannot be used so.
type Template struct {
	Command  []string // in a terminal
	Headless []string // one round
	ACP      []string // an agent of the Agent Client Protocol, for each use that has no words of its own

	Untrusted bool // of a project file that no person of this machine has trusted: shown, but never started
}

func (t Template) words(m Mode) []string {
	if t.bridged(m) {
		return t.ACP
	}
	return t.own(m)
}

// Catalog holds the programs that can be started: those built in, and those of the project file.
type Catalog struct {
	entries map[string]entry
}

// entry is a program of the catalogue.
type entry struct {
	Template
	kit       kit
	acp       acpWay
	install   string        // how a person gets it; empty: unknown
	untrusted map[Mode]bool // words that no person has trusted
}

// NewCatalog puts the templates of a project over those built in. Check judges them.
func NewCatalog(own map[string]Template) *Catalog {
	c := &Catalog{entries: maps.Clone(builtIn)}
	maps.Copy(c.entries, acpPrograms)
	for name, t := range own {
		e, known := c.entries[name]
		if !known {
			e.kit = plainKit{}
		}
		e.untrusted = map[Mode]bool{}
		for _, m := range []Mode{Interactive, Headless} {
			e.untrusted[m] = t.Untrusted && len(t.words(m)) > 0
		}
		if len(t.Command) > 0 {
			e.Command = t.Command
		}
		if len(t.Headless) > 0 {
			e.Headless = t.Headless
		}
		if len(t.ACP) > 0 {
			e.ACP = t.ACP
		}
		c.entries[name] = e
	}
	return c
}

// Programs returns the names in the catalogue, sorted.
func (c *Catalog) Programs() []string { return slices.Sorted(maps.Keys(c.entries)) }

// Command fills the template of a program. PROGRAM_MISSING: the catalogue has no such program, or
// no words for this use. INVALID_INPUT: a value cannot be passed on as it is.
func (c *Catalog) Command(s Spec, m Mode) (Command, error) {
	e, err := c.find(s.Program, m)
	if err != nil {
		return Command{}, err
	}
	if err := s.check(); err != nil {
		return Command{}, err
	}
	s.Model = e.kit.model(s.Model)
	s.patient = m == Interactive
	cmd := Command{Model: s.Model, Dir: s.Project, Env: s.environment(), Files: []File{{s.promptFile(), s.Prompt}}}
	flags, err := e.kit.equip(s, &cmd)
	if err != nil {
		return Command{}, err
	}
	words := e.words(m)
	cmd.Args = expand(words, s, flags)
	if e.bridged(m) {
		cmd.Args = s.bridge(e.acp, m, cmd.Dir, cmd.Args)
		return cmd, nil
	}
	if m == Headless && !mentions(words, "prompt", "prompt_file") {
		cmd.Stdin = s.Prompt
	}
	return cmd, nil
}

// TakesPrompt tells whether the words of a program hand it its prompt; where they do not, a person
// has to type it.
func (c *Catalog) TakesPrompt(program string, m Mode) bool {
	e, ok := c.entries[program]
	return ok && (m == Headless || e.bridged(m) || mentions(e.words(m), "prompt", "prompt_file"))
}

// Wakes tells whether mail wakes an agent in a terminal that has ended its turn. Others have to wait for it
// themselves.
func (c *Catalog) Wakes(program string) bool {
	e, ok := c.entries[program]
	return ok && (e.bridged(Interactive) || e.kit.wakes())
}

func (c *Catalog) find(program string, m Mode) (entry, error) {
	e, ok := c.entries[program]
	if !ok {
		return e, protocol.Errorf(protocol.ProgramMissing,
			"nothing is known of a program %q; known are %s, and agents in the project file adds others",
			program, strings.Join(c.Programs(), ", "))
	}
	if len(e.words(m)) == 0 {
		return e, protocol.Errorf(protocol.ProgramMissing, "the project file has no agents.%s.%s", program, m)
	}
	return e, nil
}

// check refuses what no argument, environment or file name can hold.
func (s Spec) check() error {
	for what, value := range map[string]string{
		"the agent's name": s.Agent, "the model": s.Model, "the thread": s.ThreadID, "the folder of the project": s.Project,
		"the store": s.Store, "the folder of the run": s.Dir, "the role": string(s.Role), "the prompt": s.Prompt,
	} {
		if strings.ContainsRune(value, 0) || !utf8.ValidString(value) {
			return protocol.Errorf(protocol.InvalidInput, "%s is not text that a program can be given", what)
		}
	}
	if !protocol.ValidIdentifier(s.Agent) {
		return protocol.Errorf(protocol.InvalidInput, "no program is started for an agent of the name %q", s.Agent)
	}
	if !filepath.IsAbs(s.Project) || !filepath.IsAbs(s.Dir) || len(s.Brenner) == 0 {
		return protocol.Errorf(protocol.Internal, "a program needs absolute folders and brenner itself")
	}
	return nil
}

// environment is what every program gets: brenner mcp knows its agent from it also where a program
// starts it out of settings of its own. The store is named even if it is the project's own (empty):
// the environment of the process that starts the program may be older.
func (s Spec) environment() []string {
	return []string{
		"AGENT_NAME=" + s.Agent, "BRENNER_THREAD=" + s.ThreadID, "BRENNER_PROMPT_FILE=" + s.promptFile(), "BRENNER_STORE=" + s.Store,
	}
}

func (s Spec) promptFile() string { return filepath.Join(s.Dir, "prompt.md") }

func (s Spec) mcpFile() string { return filepath.Join(s.Dir, "mcp.json") }

// server is the command that answers the agent on MCP, for itself alone.
func (s Spec) server() (command string, args []string) {
	args = append(slices.Clone(s.Brenner[1:]), "mcp", "--as", s.Agent, "--project", s.Project, "--strict-identity", "--tools", "session",
		"--thread", s.ThreadID)
	return s.Brenner[0], args
}

// longWait is how long one call may wait for mail where the program's time limit for calls is written
// here. Each wait costs an agent a turn; in a round no agent waits for the others.
const longWait = 5 * time.Minute

// patientServer is server, with long waits in a terminal. The program lets calls last for limit; 0: as it is
// used to.
func (s Spec) patientServer() (command string, args []string, limit time.Duration) {
	command, args = s.server()
	if !s.patient {
		return command, args, 0
	}
	return command, append(args, "--longest-wait", longWait.String()), longWait + time.Minute
}
