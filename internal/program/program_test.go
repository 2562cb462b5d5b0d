package program_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/program"
	"brenner/internal/protocol"
)

func spec(programName string) program.Spec {
	return program.Spec{
		Agent: "BlueLake", Program: programName, Model: "fast-1", Role: protocol.RoleTestDesigner, ThreadID: "RS-20260110-cells-turn",
		Project: "/srv/cells", Prompt: "Do\nthis; $(touch x) \"now\"", Brenner: []string{"/usr/bin/brenner", "--config", "/srv/c.json"},
		Dir: "/srv/cells/.brenner/run/BlueLake",
	}
}

var server = []string{"--config", "/srv/c.json", "mcp", "--as", "BlueLake", "--project", "/srv/cells", "--strict-identity", "--tools",
	"session", "--thread", "RS-20260110-cells-turn"}

func command(t *testing.T, c *program.Catalog, s program.Spec, m program.Mode) program.Command {
	t.Helper()
	cmd, err := c.Command(s, m)
	if err != nil {
		t.Fatal(err)
	}
	return cmd
}

func TestBuiltIn(t *testing.T) {
	c := program.NewCatalog(nil)
	codexServer := []string{
		"-c", `mcp_servers.brenner.command="/usr/bin/brenner"`,
		"-c", `mcp_servers.brenner.args=["--config", "/srv/c.json", "mcp", "--as", "BlueLake", "--project", "/srv/cells", ` +
			`"--strict-identity", "--tools", "session", "--thread", "RS-20260110-cells-turn"]`,
		"-c", `mcp_servers.brenner.default_tools_approval_mode="approve"`,
	}
	patientCodex := slices.Clone(codexServer)
	patientCodex[3] = strings.TrimSuffix(patientCodex[3], "]") + `, "--longest-wait", "5m0s"]`
	patientCodex = append(patientCodex, "-c", "mcp_servers.brenner.tool_timeout_sec=360")
	claudeServer := []string{"--mcp-config=/srv/cells/.brenner/run/BlueLake/mcp.json", "--strict-mcp-config", "--allowedTools=mcp__brenner"}
	for name, test := range map[string]struct {
		mode  program.Mode
		want  []string
		stdin bool
	}{
		"claude-code": {program.Interactive, slices.Concat([]string{"claude"}, claudeServer,
			[]string{"--settings=/srv/cells/.brenner/run/BlueLake/settings.json", "--model", "fast-1", "--permission-mode", "default", "--",
				spec("").Prompt}), false},
		"codex-cli": {program.Interactive,
			slices.Concat([]string{"codex"}, patientCodex, []string{"--sandbox", "read-only", "--ask-for-approval", "on-request",
				"--model", "fast-1", "--", spec("").Prompt}), false},
		"gemini-cli": {
			program.Interactive,
			[]string{"gemini", "--allowed-mcp-server-names=brenner", "--model", "fast-1", "--approval-mode", "default",
				"--prompt-interactive", spec("").Prompt}, false,
		},
		"claude-code headless": {program.Headless,
			slices.Concat([]string{"claude", "--print", "--output-format", "stream-json", "--verbose"}, claudeServer,
				[]string{"--model", "fast-1", "--permission-mode", "default"}), true},
		"codex-cli headless": {
			program.Headless, slices.Concat([]string{"codex", "exec", "--json"}, codexServer,
				[]string{"--sandbox", "read-only", "--skip-git-repo-check", "--color", "never", "--model", "fast-1", "-"}), true,
		},
		"gemini-cli headless": {
			program.Headless,
			[]string{"gemini", "--allowed-mcp-server-names=brenner", "--output-format", "stream-json", "--model", "fast-1",
				"--approval-mode", "default"}, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := command(t, c, spec(strings.TrimSuffix(name, " headless")), test.mode)
			if diff := cmp.Diff(test.want, cmd.Args); diff != "" {
				t.Error(diff)
			}
			if got := cmd.Stdin == spec("").Prompt; got != test.stdin {
				t.Errorf("prompt on standard input: %v", got)
			}
			if !slices.Contains(cmd.Env, "AGENT_NAME=BlueLake") || !slices.Contains(cmd.Env, "BRENNER_STORE=") {
				t.Errorf("environment %q", cmd.Env)
			}
		})
	}
}

// TestIdentity: the files tell the program one server, which acts for the agent alone; the store
// with its password is no argument.
func TestIdentity(t *testing.T) {
	for programName, path := range map[string]string{"claude-code": "mcp.json", "gemini-cli": ".gemini/settings.json", "mine": "mcp.json",
		"codex-cli": ""} {
		s := spec(programName)
		s.Store = "postgres://u:secret@db/x"
		cmd := command(t, program.NewCatalog(map[string]program.Template{"mine": {Command: []string{"mine", "{mcp_config}"}}}), s,
			program.Interactive)
		if strings.Contains(strings.Join(cmd.Args, " "), "secret") || !slices.Contains(cmd.Env, "BRENNER_STORE="+s.Store) {
			t.Errorf("%s: %q %q", programName, cmd.Args, cmd.Env)
		}
		if path == "" {
			if !slices.Contains(cmd.Args, `mcp_servers.brenner.env_vars=["BRENNER_STORE"]`) {
				t.Errorf("%q", cmd.Args)
			}
			continue
		}
		i := slices.IndexFunc(cmd.Files, func(f program.File) bool { return f.Path == filepath.Join(s.Dir, path) })
		if i < 0 {
			t.Fatalf("%s: no %s in %v", programName, path, cmd.Files)
		}
		var settings struct {
			MCPServers map[string]struct {
				Command string
				Args    []string
				Env     map[string]string
				Timeout int
				Always  bool `json:"alwaysLoad"`
				Trust   bool
			}
		}
		if err := json.Unmarshal([]byte(cmd.Files[i].Text), &settings); err != nil {
			t.Fatal(err)
		}
		got := settings.MCPServers["brenner"]
		if known := programName != "mine"; known { // whose time limit is written
			if tail := got.Args[len(got.Args)-2:]; tail[0] != "--longest-wait" || got.Timeout != 360_000 {
				t.Errorf("%s: %+v", programName, got)
			}
			got.Args = got.Args[:len(got.Args)-2]
		}
		if got.Always != (programName == "claude-code") || got.Trust != (programName == "gemini-cli") {
			t.Errorf("%s: %+v", programName, got)
		}
		if len(settings.MCPServers) != 1 || got.Command != "/usr/bin/brenner" || !slices.Equal(got.Args, server) ||
			got.Env["BRENNER_STORE"] != s.Store {
			t.Errorf("%s: %+v", programName, settings)
		}
	}
}

// TestWordsStayWords: whatever a value holds, it neither splits a word nor becomes a placeholder.
func TestWordsStayWords(t *testing.T) {
	c := program.NewCatalog(map[string]program.Template{"mine": {
		Command: []string{"mine", "a={agent}:{role}", "{thread}", "{{agent}}", `{"k": 1}`, "{prompt}", "-m", "{model}", "--model={model}",
			"{prompt_file}", "{run_dir}"},
	}})
	s := spec("mine")
	s.Model, s.Prompt, s.ThreadID = "", "{agent} {{ 'x' \n; rm", "a b;{model}"
	want := []string{"mine", "a=BlueLake:test_designer", "a b;{model}", "{agent}", `{"k": 1}`, s.Prompt, s.Dir + "/prompt.md", s.Dir}
	if diff := cmp.Diff(want, command(t, c, s, program.Interactive).Args); diff != "" {
		t.Error(diff)
	}
	s.Prompt = strings.Repeat("x", 200<<10)
	cmd := command(t, c, s, program.Interactive)
	if len(cmd.Args[5]) > 1000 || !strings.Contains(cmd.Args[5], s.Dir+"/prompt.md") || cmd.Files[0].Text != s.Prompt {
		t.Errorf("a long prompt goes as %d bytes", len(cmd.Args[5]))
	}
}

func TestRefusedValues(t *testing.T) {
	c := program.NewCatalog(nil)
	for name, change := range map[string]func(*program.Spec){
		"NUL":       func(s *program.Spec) { s.Prompt = "a\x00b" },
		"not UTF-8": func(s *program.Spec) { s.Project = "/srv/\xff" },
		"variable":  func(s *program.Spec) { s.Project = "/srv/${HOME}" },
		"store":     func(s *program.Spec) { s.Store = "sqlite:/srv/$x" },
	} {
		s := spec("claude-code")
		change(&s)
		if _, err := c.Command(s, program.Headless); protocol.CodeOf(err) != protocol.InvalidInput {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := c.Command(spec("other"), program.Headless); protocol.CodeOf(err) != protocol.ProgramMissing {
		t.Errorf("%v", err)
	}
}

func TestCheck(t *testing.T) {
	for name, test := range map[string]struct {
		program  string
		template program.Template
		want     protocol.Code
		at       string
	}{
		"good":          {"mine", program.Template{Command: []string{"a", "{prompt}"}, Headless: []string{"b"}}, "", ""},
		"one list":      {"mine", program.Template{Command: []string{"a"}, Headless: []string{"a"}}, "", ""},
		"built-in":      {"codex-cli", program.Template{Command: []string{"codex", "{mcp_flags}", "{prompt}"}}, "", ""},
		"escaped":       {"mine", program.Template{Headless: []string{"a", "{{nobody}}", "{}", "{ x }"}}, "", ""},
		"nothing":       {"mine", program.Template{}, protocol.InvalidConfig, "agents.mine"},
		"blank program": {"mine", program.Template{Headless: []string{" "}}, protocol.InvalidConfig, "agents.mine.headless"},
		"unknown": {"mine", program.Template{Headless: []string{"a", "x{Prompt}"}}, protocol.InvalidConfig,
			"agents.mine.headless[1]"},
		"hostile program": {"mine", program.Template{Headless: []string{"{thread}"}}, protocol.InvalidConfig, "agents.mine.headless[0]"},
		"flags of a custom": {"mine", program.Template{Headless: []string{"a", "{mcp_flags}"}}, protocol.InvalidConfig,
			"agents.mine.headless[1]"},
		"flags in a word": {"codex-cli", program.Template{Headless: []string{"a", "x{mcp_flags}"}}, protocol.InvalidConfig,
			"agents.codex-cli.headless[1]"},
		"NUL":             {"mine", program.Template{Headless: []string{"a\x00"}}, protocol.InvalidConfig, "agents.mine.headless[0]"},
		"prompt not told": {"mine", program.Template{Command: []string{"a"}}, "", ""}, // it may be typed
		"script": {"mine", program.Template{Headless: []string{"sh", "-c", "my-agent --model {model}"}}, protocol.InvalidConfig,
			"agents.mine.headless[2]"},
		"whole script": {"mine", program.Template{Headless: []string{"/bin/bash", "-lc", "{prompt}"}}, protocol.InvalidConfig,
			"agents.mine.headless[2]"},
		"script with flags": {"mine", program.Template{Headless: []string{"bash", "-c", "-o", "pipefail", "-e", "a {role}"}},
			protocol.InvalidConfig, "agents.mine.headless[5]"},
		"script behind env": {"mine", program.Template{Headless: []string{"env", "-i", "A=b", "timeout", "5", "zsh", "-xc", "a {agent}",
			"sh"}}, protocol.InvalidConfig, "agents.mine.headless[7]"},
		"split by env": {"mine", program.Template{Headless: []string{"env", "-S", "a {agent}"}}, protocol.InvalidConfig,
			"agents.mine.headless[2]"},
		"other language": {"mine", program.Template{Headless: []string{"python3.12", "-c", "print('{thread}')"}},
			protocol.InvalidConfig, "agents.mine.headless[2]"},
		"long flag": {"mine", program.Template{Headless: []string{"node", "--eval={model}"}}, protocol.InvalidConfig,
			"agents.mine.headless[1]"},
		"windows": {"mine", program.Template{Headless: []string{`C:\Windows\cmd.exe`, "/C", "my-agent", "{model}"}},
			protocol.InvalidConfig, "agents.mine.headless[3]"},
		"remote": {"mine", program.Template{Headless: []string{"ssh", "host", "my-agent", "{model}"}}, protocol.InvalidConfig,
			"agents.mine.headless[3]"},
		"words of a script": {"mine", program.Template{Headless: []string{"sh", "-c", `exec a "$1"`, "sh", "{model}"}}, "", ""},
		"file of a script":  {"mine", program.Template{Headless: []string{"bash", "{project}/agent.sh", "--model={model}"}}, "", ""},
		"no interpreter":    {"mine", program.Template{Headless: []string{"my-agent", "-c", "{mcp_config}", "-m{model}"}}, "", ""},
		"second list is bad": {"mine", program.Template{Command: []string{"a", "{prompt}"}, Headless: []string{"{x}"}},
			protocol.InvalidConfig, "agents.mine.headless[0]"},
	} {
		t.Run(name, func(t *testing.T) {
			findings := program.Check(map[string]program.Template{test.program: test.template})
			if test.want == "" {
				if len(findings) > 0 {
					t.Errorf("%v", findings)
				}
				return
			}
			if len(findings) != 1 || findings[0].Code != test.want || findings[0].Path != test.at {
				t.Errorf("%+v", findings)
			}
		})
	}
}

func TestMissing(t *testing.T) {
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "claude"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	c := program.NewCatalog(map[string]program.Template{"mine": {Headless: []string{"my-agent"}}})
	got := c.Missing(program.Headless, "claude-code", "gemini-cli", "mine", "gemini-cli", "other")
	want := []program.Missing{
		{Program: "gemini-cli", Executable: "gemini", Install: "npm install -g @google/gemini-cli"},
		{Program: "mine", Executable: "my-agent", Install: "install my-agent, or name its path in agents.mine of the project file"},
		{Program: "other", Install: "describe it in the project file: agents.other.headless"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := c.Missing(program.Interactive, "mine"); len(got) != 1 || got[0].Executable != "" {
		t.Errorf("%v", got)
	}
	// A use that the project file does not describe makes no program absent.
	if err := os.WriteFile(filepath.Join(bin, "quiet"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	c = program.NewCatalog(map[string]program.Template{"mine": {Headless: []string{"my-agent"}}, "quiet": {Headless: []string{"quiet"}}})
	if diff := cmp.Diff(want, c.Absent("claude-code", "gemini-cli", "mine", "quiet", "gemini-cli", "other")); diff != "" {
		t.Error(diff)
	}
	if err := program.Refusal(c.Missing(program.Headless, "claude-code")); err != nil {
		t.Error(err)
	}
	err := program.Refusal(got)
	if protocol.CodeOf(err) != protocol.ProgramMissing || !strings.Contains(err.Error(), "gemini-cli, mine, other") {
		t.Errorf("%v", err)
	}
}

func TestWriteFiles(t *testing.T) {
	s := spec("gemini-cli")
	s.Dir = filepath.Join(t.TempDir(), "a", "b")
	cmd := command(t, program.NewCatalog(nil), s, program.Headless)
	if err := cmd.WriteFiles(); err != nil {
		t.Fatal(err)
	}
	for _, f := range cmd.Files {
		info, err := os.Stat(f.Path)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", f.Path, info, err)
		}
	}
	if info, err := os.Stat(s.Dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info, err)
	}
}

// TestModels: rosters name models as people do; programs get a name that they know, or none.
func TestModels(t *testing.T) {
	c := program.NewCatalog(map[string]program.Template{"mine": {Headless: []string{"mine", "--model", "{model}"}}})
	for _, test := range [][3]string{
		{"claude-code", "Opus 4.5", "opus"},
		{"claude-code", "Claude Sonnet 4", "sonnet"},
		{"claude-code", "claude-opus-4-5", "claude-opus-4-5"},
		{"claude-code", "Something New", ""},
		{"codex-cli", "GPT-5.2", "gpt-5.2"},
		{"codex-cli", "the large one", ""},
		{"gemini-cli", "Gemini 3", ""},
		{"gemini-cli", "gemini-2.5-pro", "gemini-2.5-pro"},
		{"gemini-cli", "--yolo", ""},
		{"mine", "Any Name", "Any Name"},
		{"mine", "--all-rights", ""},
		{"mine", "$(touch X)", ""},
		{"codex-cli", "", ""},
	} {
		s := spec(test[0])
		s.Model = test[1]
		args := command(t, c, s, program.Headless).Args
		got := ""
		if i := slices.Index(args, "--model"); i >= 0 {
			got = args[i+1]
		}
		if got != test[2] {
			t.Errorf("%s of %s is %q, want %q", test[1], test[0], got, test[2])
		}
	}
}

// TestWaitHook: in a terminal, programs with hooks wait for mail when their agent's turn ends; in a round none does.
func TestWaitHook(t *testing.T) {
	for programName, path := range map[string]string{"claude-code": "settings.json", "gemini-cli": ".gemini/settings.json"} {
		s := spec(programName)
		s.Project = "/srv/it's"
		for _, mode := range []program.Mode{program.Interactive, program.Headless} {
			cmd := command(t, program.NewCatalog(nil), s, mode)
			text := ""
			for _, f := range cmd.Files {
				if f.Path == filepath.Join(s.Dir, path) {
					text = f.Text
				}
			}
			hooked := strings.Contains(text, `'/usr/bin/brenner' '--config' '/srv/c.json' 'mail' 'wait' '--hook' '--as' 'BlueLake' `+
				`'--thread' 'RS-20260110-cells-turn' '--project' '/srv/it'\\''s'`)
			if hooked != (mode == program.Interactive) {
				t.Errorf("%s %s: %s", programName, mode, text)
			}
		}
		if !program.NewCatalog(nil).Wakes(programName) || program.NewCatalog(nil).Wakes("codex-cli") {
			t.Errorf("%s", programName)
		}
	}
}
