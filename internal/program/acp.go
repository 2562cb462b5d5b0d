package program

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
)

// Agents of the Agent Client Protocol are asked over their standard streams, by a process of brenner (brenner acp) that is their client:
// the same for a terminal and for a round. It lives on when a runner does not.

// acpWay is what is special to the agents of one program. What a person of the project file describes has none.
type acpWay struct {
	mode string         // in which it asks before it edits files or runs commands
	meta map[string]any // for its sessions
}

// bridged tells whether a program is started by way of its client.
func (t Template) bridged(m Mode) bool { return len(t.ACP) > 0 && len(t.own(m)) == 0 }

// own are the words for one use alone.
func (t Template) own(m Mode) []string {
	if m == Headless {
		return t.Headless
	}
	return t.Command
}

// bridge is the command that starts the client of an agent, with the agent's own words at its end.
func (s Spec) bridge(w acpWay, m Mode, dir string, words []string) []string {
	args := append(slices.Clone(s.Brenner), "acp", "--as", s.Agent, "--project", s.Project, "--thread", s.ThreadID, "--program", s.Program,
		"--dir", dir, "--folder", s.Dir, "--mcp-config", s.mcpFile(), "--prompt-file", s.promptFile())
	if m == Headless {
		args = append(args, "--round")
	}
	if w.mode != "" {
		args = append(args, "--mode", w.mode)
	}
	if len(w.meta) > 0 {
		meta, err := json.Marshal(w.meta)
		if err != nil {
			panic(err) // plain data always encodes
		}
		args = append(args, "--meta", string(meta))
	}
	if s.Model != "" {
		args = append(args, "--model", s.Model)
	}
	if s.Session != "" {
		args = append(args, "--continue", s.Session)
	}
	if s.Consent > 0 {
		args = append(args, "--consent", s.Consent.String())
	}
	return append(append(args, "--"), words...)
}

// acpKit hands the server over by its file, which the client reads.
type acpKit struct {
	kit // whose models it has
	env []string
}

func (k acpKit) equip(s Spec, cmd *Command) ([]string, error) {
	cmd.Files = append(cmd.Files, mcpFile(s, stdioServer{}))
	cmd.Env = append(cmd.Env, k.env...)
	return nil, nil
}

func (acpKit) wakes() bool { return true }

// acpGeminiKit: Gemini CLI reads settings of the folder that it works in, so that it has one where nobody else writes.
type acpGeminiKit struct{ acpKit }

func (k acpGeminiKit) equip(s Spec, cmd *Command) ([]string, error) {
	flags, err := k.acpKit.equip(s, cmd)
	cmd.Dir = s.Dir
	cmd.Files = append(cmd.Files, File{filepath.Join(s.Dir, ".gemini", "settings.json"), encoded(geminiSettings{Context: geminiContext{
		[]string{s.Project}, true}})})
	return flags, err
}

// acpCodexKit: Codex lists models with how much they think, so that its own is set before it begins.
type acpCodexKit struct{ acpKit }

func (k acpCodexKit) equip(s Spec, cmd *Command) ([]string, error) {
	if s.Model != "" {
		cmd.Env = append(cmd.Env, "CODEX_CONFIG="+strings.TrimSpace(encoded(map[string]string{"model": s.Model})))
	}
	return k.acpKit.equip(s, cmd)
}

// accountOf is whose login the agent of a program uses.
var accountOf = map[string]string{"claude-acp": "claude-code", "codex-acp": "codex-cli", "gemini-acp": "gemini-cli"}

// acpPrograms are the agents of the protocol whose ways are known.
var acpPrograms = map[string]entry{
	"claude-acp": {
		Template: Template{ACP: []string{"claude-agent-acp"}},
		// Its tools are there from the first turn; and since the adapter does not tell that a service refuses it, it does not try for long.
		kit:     acpKit{claudeKit{}, []string{"ENABLE_TOOL_SEARCH=false", "CLAUDE_CODE_MAX_RETRIES=2"}},
		acp:     acpWay{"default", map[string]any{"claudeCode": map[string]any{"options": claudeOptions}}},
		install: "npm install -g @agentclientprotocol/claude-agent-acp",
	},
	"codex-acp": {
		Template: Template{ACP: []string{"codex-acp"}},
		kit:      acpCodexKit{acpKit{codexKit{}, []string{"NO_BROWSER=1", "INITIAL_AGENT_MODE=read-only"}}},
		acp:      acpWay{mode: "read-only"}, install: "npm install -g @agentclientprotocol/codex-acp",
	},
	"gemini-acp": {
		Template: Template{ACP: []string{"gemini", "--acp"}},
		kit:      acpGeminiKit{acpKit{geminiKit{}, []string{"GEMINI_CLI_TRUST_WORKSPACE=true", "NO_BROWSER=1"}}},
		acp:      acpWay{mode: "default"}, install: "npm install -g @google/gemini-cli",
	},
}

// claudeOptions: the tools of brenner need no consent, and no server is beside it.
var claudeOptions = map[string]any{"allowedTools": []string{"mcp__" + serverName}, "strictMcpConfig": true}
