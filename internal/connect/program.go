package connect

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"brenner/internal/protocol"
)

// Program is an agent program whose settings are known.
type Program string

// The programs.
const (
	Claude Program = "claude"
	Codex  Program = "codex"
	Gemini Program = "gemini"
)

// Programs returns all of them.
func Programs() []Program { return []Program{Claude, Codex, Gemini} }

// ParseProgram reads a program's name. USAGE: it is not known; --print helps.
func ParseProgram(name string) (Program, error) {
	for _, p := range Programs() {
		if string(p) == name {
			return p, nil
		}
	}
	return "", protocol.Errorf(protocol.Usage,
		"brenner does not know the settings of %q, only of claude, codex and gemini; printed for one of these they show what any "+
			"program needs", name).
		Doing(protocol.Operation("connect").Giving("print"))
}

// serverName is what brenner is called in every program's settings.
const serverName = "brenner"

// Target is how a program reaches brenner: over HTTP if there is a URL, else by starting a
// command.
type Target struct {
	URL      string
	TokenEnv string // environment variable that holds the bearer token; empty: none is sent
	Command  string
	Args     []string
	Tools    string // the profile of tools to ask for; empty: what the server offers
}

// args are the words behind the command. Waits may be long: the time limit of calls is written beside them.
func (t Target) args() []string {
	args := slices.Clone(t.Args)
	if t.Tools != "" {
		args = append(args, "--tools", t.Tools)
	}
	return append(args, "--longest-wait", maxWait)
}

// address is the URL with the profile in it.
func (t Target) address() string {
	parsed, err := url.Parse(t.URL)
	if t.Tools == "" || err != nil || parsed.Query().Has("tools") {
		return t.URL
	}
	query := parsed.Query()
	query.Set("tools", t.Tools)
	parsed.RawQuery = query.Encode()
	return parsed.String()
}

// Places are the folders that settings live in.
type Places struct {
	Project   string // the project's folder
	CodexHome string // ~/.codex, or what CODEX_HOME says
}

// settings returns the file that holds the program's MCP servers.
func (p Places) settings(program Program) string {
	switch program {
	case Codex:
		return filepath.Join(p.CodexHome, "config.toml")
	case Gemini:
		return filepath.Join(p.Project, ".gemini", "settings.json")
	default:
		return filepath.Join(p.Project, ".mcp.json")
	}
}

// skills returns the folder that holds the program's skills.
func (p Places) skills(program Program) string {
	switch program {
	case Codex:
		return filepath.Join(p.CodexHome, "skills")
	case Gemini:
		return filepath.Join(p.Project, ".gemini", "skills")
	default:
		return filepath.Join(p.Project, ".claude", "skills")
	}
}

// record returns the file that remembers what was changed.
func (p Places) record(program Program) string {
	if program == Codex { // its settings serve all projects
		return filepath.Join(p.CodexHome, "brenner-connect.json")
	}
	return filepath.Join(p.Project, ".brenner", "connect-"+string(program)+".json")
}

// entry is the value of the server in a program's JSON settings.
type entry struct {
	Type    string            `json:"type,omitempty"`
	URL     string            `json:"url,omitempty"`
	HTTPURL string            `json:"httpUrl,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Timeout int               `json:"timeout,omitempty"`    // of a call, in milliseconds
	Trust   bool              `json:"trust,omitempty"`      // Gemini CLI: no question before each call
	Always  bool              `json:"alwaysLoad,omitempty"` // Claude Code: tools are there at once, not behind a search
}

// entryFor writes the server as the program wants it.
func entryFor(program Program, t Target) entry {
	e := entry{Trust: program == Gemini, Always: program == Claude}
	switch {
	case t.URL == "":
		e.Command, e.Args, e.Timeout = t.Command, t.args(), callLimit
		if program == Claude {
			e.Type = "stdio"
		}
	case program == Gemini:
		e.HTTPURL = t.address()
	default:
		e.Type, e.URL = "http", t.address()
	}
	if t.URL != "" && t.TokenEnv != "" { // both programs put the variable's value there
		e.Headers = map[string]string{"Authorization": "Bearer ${" + t.TokenEnv + "}"}
	}
	return e
}

// Snippet is what a program's settings need, as text to paste.
func Snippet(program Program, t Target) string {
	if program == Codex {
		return codexTable(t, "\n")
	}
	return encoded(map[string]map[string]entry{"mcpServers": {serverName: entryFor(program, t)}}, "") + "\n"
}

// encoded writes JSON as people do, with < and > as they are. Lines after the first begin with
// prefix.
func encoded(v any, prefix string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(prefix, "  ")
	if err := enc.Encode(v); err != nil {
		panic(err) // plain data always encodes
	}
	return strings.TrimSuffix(b.String(), "\n")
}
