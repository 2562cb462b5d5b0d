package program

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

// kit gives a program its MCP server: files, environment, and the words of {mcp_flags}.
type kit interface {
	equip(s Spec, cmd *Command) (flags []string, err error)

	// wakes tells whether mail wakes the agent in a terminal after it has ended its turn.
	wakes() bool

	// model is what the program calls a model of a roster, where people write "Opus 4.5". Empty: it
	// is left to the program.
	model(name string) string
}

// serverName is what brenner is called among a program's MCP servers.
const serverName = "brenner"

// builtIn are the programs whose command lines are known; test/clients holds them to the packages. Each is told to ask before it edits
// files or runs commands, whatever its person's settings say.
var builtIn = map[string]entry{
	"claude-code": {
		Template: Template{
			Command: []string{"claude", mcpFlags, "--model", "{model}", "--permission-mode", "default", "--", "{prompt}"},
			Headless: []string{"claude", "--print", "--output-format", "stream-json", "--verbose", mcpFlags, "--model", "{model}",
				"--permission-mode", "default"},
		},
		kit: claudeKit{}, install: "npm install -g @anthropic-ai/claude-code",
	},
	"codex-cli": {
		Template: Template{
			Command: []string{"codex", mcpFlags, "--sandbox", "read-only", "--ask-for-approval", "on-request", "--model", "{model}", "--",
				"{prompt}"},
			Headless: []string{"codex", "exec", "--json", mcpFlags, "--sandbox", "read-only", "--skip-git-repo-check", "--color", "never",
				"--model", "{model}", "-"},
		},
		kit: codexKit{}, install: "npm install -g @openai/codex",
	},
	"gemini-cli": {
		Template: Template{
			Command:  []string{"gemini", mcpFlags, "--model", "{model}", "--approval-mode", "default", "--prompt-interactive", "{prompt}"},
			Headless: []string{"gemini", mcpFlags, "--output-format", "stream-json", "--model", "{model}", "--approval-mode", "default"},
		},
		kit: geminiKit{}, install: "npm install -g @google/gemini-cli",
	},
}

// stdioServer is an MCP server in the settings of a program.
type stdioServer struct {
	Type    string            `json:"type,omitempty"`
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env,omitempty"`
	Timeout int64             `json:"timeout,omitempty"`    // of a call, in milliseconds
	Trust   bool              `json:"trust,omitempty"`      // Gemini CLI: no question before each call
	Always  bool              `json:"alwaysLoad,omitempty"` // Claude Code: its tools are there from the first turn, not behind a search
}

type servers map[string]stdioServer

// plainKit serves programs of the project file: the file of {mcp_config} has the form that most
// programs read.
type plainKit struct{}

func (plainKit) equip(s Spec, cmd *Command) ([]string, error) {
	cmd.Files = append(cmd.Files, mcpFile(s, stdioServer{}))
	return nil, nil
}

// mcpFile is the file of {mcp_config}; server says what is special to a program.
func mcpFile(s Spec, server stdioServer) File {
	server.Type, server.Env = "stdio", s.storeEnv()
	if server.Command == "" {
		server.Command, server.Args = s.server()
	}
	return File{s.mcpFile(), encoded(map[string]servers{"mcpServers": {serverName: server}})}
}

// storeEnv names the store to the server. It may hold a password, so that it never is an argument.
func (s Spec) storeEnv() map[string]string {
	if s.Store == "" {
		return nil
	}
	return map[string]string{"BRENNER_STORE": s.Store}
}

// claudeKit: a file of its own, and no server beside it. The tools of brenner need no consent; all
// others ask as ever.
type claudeKit struct{}

func (claudeKit) equip(s Spec, cmd *Command) ([]string, error) {
	if err := s.unexpandable("Claude Code"); err != nil {
		return nil, err
	}
	command, args, limit := s.patientServer()
	cmd.Files = append(cmd.Files, mcpFile(s, stdioServer{Command: command, Args: args, Always: true, Timeout: limit.Milliseconds()}))
	flags := []string{"--mcp-config=" + s.mcpFile(), "--strict-mcp-config", "--allowedTools=mcp__" + serverName}
	if s.patient {
		cmd.Files = append(cmd.Files, File{s.settingsFile(),
			encoded(map[string]any{"hooks": s.waitHook(int64(hookLimit.Seconds()), claudeEvents...)})})
		cmd.Env = append(cmd.Env, "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=1000") // after so many wakings in a row it ends a turn anyway
		flags = append(flags, "--settings="+s.settingsFile())
	}
	return flags, nil
}

// codexKit: settings by flags, which have precedence over files. Codex starts servers with few
// variables of its environment, so that the store's is named.
type codexKit struct{}

func (codexKit) equip(s Spec, _ *Command) ([]string, error) {
	command, args, limit := s.patientServer()
	quoted := make([]string, len(args))
	for i, arg := range args {
		quoted[i] = tomlString(arg)
	}
	settings := []string{
		"command=" + tomlString(command), "args=[" + strings.Join(quoted, ", ") + "]", `default_tools_approval_mode="approve"`,
	}
	if limit > 0 {
		settings = append(settings, fmt.Sprintf("tool_timeout_sec=%d", int(limit.Seconds())))
	}
	if s.Store != "" {
		settings = append(settings, `env_vars=["BRENNER_STORE"]`)
	}
	var flags []string
	for _, setting := range settings {
		flags = append(flags, "-c", "mcp_servers."+serverName+"."+setting)
	}
	return flags, nil
}

// geminiSettings are those of Gemini CLI, as far as they are written here.
type geminiSettings struct {
	Servers servers       `json:"mcpServers,omitempty"`
	Context geminiContext `json:"context"`
	Hooks   hooks         `json:"hooks,omitempty"`
}

type geminiContext struct {
	Folders []string `json:"includeDirectories"`
	Memory  bool     `json:"loadMemoryFromIncludeDirectories"`
}

// geminiKit: Gemini reads MCP servers from settings of the folder it works in, of the person, or of
// the machine. So it works in the private folder of the run, which is trusted because no other program
// writes it, and the project is a folder beside it.
type geminiKit struct{}

func (geminiKit) equip(s Spec, cmd *Command) ([]string, error) {
	if err := s.unexpandable("Gemini CLI"); err != nil {
		return nil, err
	}
	command, args, limit := s.patientServer()
	settings := geminiSettings{
		Servers: servers{serverName: {Command: command, Args: args, Env: s.storeEnv(), Trust: true, Timeout: limit.Milliseconds()}},
		Context: geminiContext{[]string{s.Project}, true},
	}
	if s.patient {
		settings.Hooks = s.waitHook(hookLimit.Milliseconds(), "AfterAgent")
	}
	cmd.Files = append(cmd.Files, File{filepath.Join(s.Dir, ".gemini", "settings.json"), encoded(settings)})
	cmd.Dir = s.Dir
	cmd.Env = append(cmd.Env, "GEMINI_CLI_TRUST_WORKSPACE=true")
	return []string{"--allowed-mcp-server-names=" + serverName}, nil
}

// variable is what programs replace in their settings by a value of the environment.
var variable = pattern.Lazy(`\$(\{|[A-Za-z_])`)

// unexpandable refuses values that a program would take for variables: it has no way to write them.
func (s Spec) unexpandable(program string) error {
	command, args := s.server()
	for _, value := range append([]string{command, s.Store, s.Dir}, args...) {
		if variable().MatchString(value) {
			return protocol.Errorf(protocol.InvalidInput, "%s would take a part of %q for a variable; use a path or an address without $",
				program, value)
		}
	}
	return nil
}

// tomlString quotes text for a TOML value on one line.
func tomlString(text string) string {
	// TOML's basic strings have the escapes of JSON; DEL is one more that has to be written so.
	return strings.ReplaceAll(strings.TrimSuffix(encoded(text), "\n"), "\x7f", `\u007f`)
}

// encoded writes JSON as people do.
func encoded(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		panic(err) // plain data always encodes
	}
	return b.String()
}
