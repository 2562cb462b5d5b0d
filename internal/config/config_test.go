package config_test

import (
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/canon"
	"brenner/internal/config"
	"brenner/internal/protocol"
)

const typescript = `
// A project file as the specification shows it.
interface Preset { id: string; name: string }
const roles: string[] = ["hypothesis_generator", "test_designer"];
export default {
  roster: {
    presets: [{ id: "pair", name: "A pair", entries: roles.map((role) => ({ role })) }],
    defaultPreset: "pair",
    mode: "unified" as const,
  },
  ack: { deadline: { kickoff: "45m", critique: 90 }, reminders: 0 },
  validation: { mode: "warn" },
  persist: { every: 3 },
  transcript: "talks/one.md",
  prompts: { test_designer: "prompts/tests.md" },
  agents: { "claude-code": ["claude", "-p"], mine: { command: ["a"], headless: ["b", "c"] } },
  families: { llama: "meta" },
} satisfies object;
`

func want(dir string) config.Config {
	none := 0
	file := filepath.Join(dir, "brenner.config.ts")
	origins := map[string]string{}
	for _, key := range []string{
		"roster", "roster.presets", "roster.defaultPreset", "roster.mode", "ack", "ack.deadline",
		"ack.deadline.kickoff", "ack.deadline.critique", "ack.reminders", "validation", "validation.mode", "persist",
		"persist.every", "transcript", "prompts", "prompts.test_designer", "agents", "agents.claude-code", "agents.mine",
		"agents.mine.command", "agents.mine.headless", "families", "families.llama",
	} {
		origins[key] = file
	}
	agents := map[string]config.Agent{
		"claude-code": {Command: []string{"claude", "-p"}, Headless: []string{"claude", "-p"}},
		"mine":        {Command: []string{"a"}, Headless: []string{"b", "c"}},
	}
	hash := canon.Hash(sha256.Sum256([]byte(`{"claude-code":["claude","-p"],"mine":{"command":["a"],"headless":["b","c"]}}`)))
	return config.Config{
		Roster: config.Roster{
			Presets: []protocol.Preset{{ID: "pair", Name: "A pair", Entries: []protocol.RosterEntry{
				{Role: protocol.RoleHypothesisGenerator}, {Role: protocol.RoleTestDesigner},
			}}},
			DefaultPreset: "pair", Mode: protocol.ModeUnified,
		},
		Validation: "warn",
		Ack: config.Ack{
			Deadlines: map[protocol.MessageType]time.Duration{protocol.TypeKickoff: 45 * time.Minute,
				protocol.TypeCritique: 90 * time.Minute},
			Reminders: &none,
		},
		Persist:    config.Persist{Every: 3},
		Prompts:    map[protocol.Role]config.File{protocol.RoleTestDesigner: {Path: filepath.Join(dir, "prompts", "tests.md"), Root: dir}},
		Transcript: config.File{Path: filepath.Join(dir, "talks", "one.md"), Root: dir},
		Agents:     agents,
		Templates:  config.Templates{Programs: agents, Hash: hash},
		Families:   map[string]string{"llama": "meta"},
		Origins:    origins,
	}
}

// load reads a project file in the folder of its project.
func load(file string) (config.Config, []protocol.Finding, error) {
	return config.Load(filepath.Dir(file), file, "")
}

func TestTypeScript(t *testing.T) {
	dir := t.TempDir()
	got, findings, err := load(write(t, dir, "brenner.config.ts", typescript))
	if err != nil || len(findings) != 0 {
		t.Fatalf("%v, %v", err, findings)
	}
	if diff := cmp.Diff(want(dir), got); diff != "" {
		t.Error(diff)
	}
}

// TestScriptsComputeAsUsual holds the operators and methods that are replaced to what they mean.
func TestScriptsComputeAsUsual(t *testing.T) {
	got, _, err := load(write(t, t.TempDir(), "brenner.config.ts", `
		const dir = "a"; let n = 1, calls = 0, path = dir + "/" + 1 + null;
		n += 2; path += `+"`-${n}-${[1, [2]]}-${new Date(0).getTime()}`"+`;
		const o: any = {p: "x", get q() { calls++; return this }};
		o.q.p += "y"; o["q"]["p"] += 1;
		path += o.p + calls + [3, null, 4].join("+") + "b.b".replaceAll(".", "$&$&") + "c".replace(/c/, (m) => m + m) + "z".padEnd(3, "01");
		path += ({valueOf: () => 4} as any) + 1;
		export default { transcript: path, persist: { every: [1, 2, 3].concat([4]).map((x) => x + 1).slice(0, 2).reduce((a, b) => a `+
		`+ b, 0) },
			prompts: { test_designer: Array.from({length: 2}, (_, i) => "p" + i).join("/") } };`))
	if err != nil {
		t.Fatal(err)
	}
	if name := filepath.ToSlash(got.Transcript.Path); !strings.HasSuffix(name, "/a/1null-3-1,2-0xy123++4b..bccz015") ||
		got.Persist.Every != 5 {
		t.Errorf("got %s, %d", name, got.Persist.Every)
	}
	if name := filepath.ToSlash(got.Prompts[protocol.RoleTestDesigner].Path); !strings.HasSuffix(name, "/p0/p1") {
		t.Errorf("got %s", name)
	}
}

func TestFormatsAgree(t *testing.T) {
	for name, text := range map[string]string{
		"brenner.config.json": `{"validation": {"mode": "off"}, "persist": {"every": 2}}`,
		"brenner.config.yaml": "validation: {mode: off}\npersist:\n  every: 2\n",
		".brennerrc":          "validation:\n  mode: \"off\"\npersist: {every: 2}\n",
	} {
		if name == "brenner.config.yaml" {
			text = strings.Replace(text, "mode: off", `mode: "off"`, 1)
		}
		got, findings, err := load(write(t, t.TempDir(), name, text))
		if err != nil || len(findings) != 0 || got.Validation != "off" || got.Persist.Every != 2 {
			t.Errorf("%s: %+v, %v, %v", name, got, findings, err)
		}
	}
}

// TestHostile: whatever a project file tries, the answer is an error with a code, soon.
func TestHostile(t *testing.T) {
	for name, c := range map[string]struct {
		file, text string
		code       protocol.Code
		says       string
	}{
		"endless loop":  {"brenner.config.ts", "while (true) {}\nexport default {}", protocol.ConfigTimeout, "second"},
		"endless calls": {"brenner.config.ts", "for (;;) { [1, 2].map(x => x) }", protocol.ConfigTimeout, "second"},
		"file access": {"brenner.config.ts", `import fs from "fs"; export default fs.readFileSync("/etc/passwd")`,
			protocol.InvalidConfig, `importing "fs" is not possible`},
		"require": {"brenner.config.ts", `module.exports = require("child_process").execSync("id")`, protocol.InvalidConfig,
			"child_process"},
		"process": {"brenner.config.ts", `export default { transcript: process.env.HOME }`, protocol.InvalidConfig,
			"process is not defined"},
		"network": {"brenner.config.ts", `export default fetch("http://127.0.0.1")`, protocol.InvalidConfig,
			"fetch is not defined"},
		"recursion": {"brenner.config.ts", `function f(): any { return f() } export default f()`, protocol.InvalidConfig,
			"calls itself without end"},
		"memory by doubling": {"brenner.config.ts", `let s = "xxxxxxxx"; for (;;) s += s; `, protocol.InvalidConfig, ""},
		"memory by list":     {"brenner.config.ts", `const a: any[] = []; for (;;) a.push("x".repeat(60000)); `, "", ""},
		"memory by append": {"brenner.config.ts",
			`let o: any = {s: "xxxxxxxx"}; for (let i = 0; i < 33; i++) o.s += o["s"]; export default o`, protocol.InvalidConfig,
			"a text of more than"},
		"memory by template": {"brenner.config.ts",
			"let s = 'xxxxxxxx'; for (let i = 0; i < 33; i++) s = `${s}${s}`; export default {transcript: s}", protocol.InvalidConfig,
			"a text of more than"},
		"memory by concat": {"brenner.config.ts", `let a: any[] = [1]; for (let i = 0; i < 33; i++) a = a.concat(a); export default a`,
			protocol.InvalidConfig, "a list of more than"},
		"memory by map": {"brenner.config.ts", `export default new Array(1e9).map((x) => x)`, protocol.InvalidConfig,
			"a list of more than"},
		"memory by join": {"brenner.config.ts", `export default {transcript: Array(60000).fill("x".repeat(60000)).join()}`,
			protocol.InvalidConfig, "a text of more than"},
		"memory by replace": {"brenner.config.ts", `export default {transcript: "a".repeat(60000).replaceAll("a", "b".repeat(60000))}`,
			protocol.InvalidConfig, "replaceAll"},
		"memory by data": {"brenner.config.ts", `export default {transcript: Array(60000).fill("b".repeat(60000))}`,
			protocol.InvalidConfig, "data of more than 1048576"},
		"memory by apply": {"brenner.config.ts",
			`let s = "x".repeat(65536); export default {transcript: String.prototype.concat.apply(s, Array(99).fill(s))}`,
			protocol.InvalidConfig, "a text of more than"},
		"two values": {"brenner.config.ts",
			`let k = 0; export default {transcript: "x".repeat({valueOf() { return k++ ? 3e9 : 100000 }} as any)}`, protocol.InvalidConfig,
			"repeat"},
		"repeat of repeat": {"brenner.config.ts", `export default {transcript: "x".repeat(65536).repeat(65536)}`, protocol.InvalidConfig,
			"repeat"},
		"big integer": {"brenner.config.ts", `export default {persist: {every: Number(2n ** 3000000000n)}}`, protocol.InvalidConfig,
			"big integer"},
		"code from text": {"brenner.config.ts", `export default (() => {}).constructor("return {}")()`, protocol.InvalidConfig, ""},
		"no object":      {"brenner.config.ts", `export default 5`, protocol.InvalidConfig, "it holds a number"},
		"deep nesting": {"brenner.config.ts", "const x = 1; export default {transcript: x" + strings.Repeat("+x", 20_000) + "}",
			protocol.InvalidConfig, "nested too deeply"},
		"memory at once": {"brenner.config.ts", `export default { transcript: "x".repeat(1e9) }`, protocol.InvalidConfig, "repeat"},
		"buffer": {"brenner.config.ts", `export default { transcript: new Uint8Array(1e10) }`, protocol.InvalidConfig,
			"not defined"},
		"not data":      {"brenner.config.ts", `export default () => 1`, protocol.InvalidConfig, "not data"},
		"syntax":        {"brenner.config.ts", "export default {\n  roster: {\n", protocol.InvalidConfig, ""},
		"wrong type":    {"brenner.config.json", `{"persist": {"every": "three"}}`, protocol.InvalidConfig, "persist.every must be"},
		"wrong section": {"brenner.config.json", `{"ack": []}`, protocol.InvalidConfig, "ack must be an object"},
		"wrong entries": {"brenner.config.json", `{"roster": {"entries": [{"agentName": 7}]}}`, protocol.InvalidConfig, ""},
		"a list":        {"brenner.config.json", `[1]`, protocol.InvalidConfig, "must hold an object"},
		"not json":      {"brenner.config.json", `{`, protocol.InvalidConfig, ""},
		"not yaml":      {"brenner.config.yaml", "a: [", protocol.InvalidConfig, "line 1"},
		"bad preset":    {"brenner.config.json", `{"roster": {"presets": [{"name": "x", "entries": []}]}}`, protocol.InvalidConfig, ""},
		"bad mode":      {"brenner.config.json", `{"validation": {"mode": "sometimes"}}`, protocol.InvalidConfig, "sometimes"},
		"alias bomb": {"brenner.config.yaml",
			"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d " +
				"[*c,*c,*c,*c,*c,*c,*c,*c]\n" +
				"e: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e]\ng: &g [*f,*f,*f,*f,*f,*f,*f,*f]\nh: " +
				"[*g,*g,*g,*g,*g,*g,*g,*g]\n", protocol.InvalidConfig, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := load(write(t, t.TempDir(), c.file, c.text))
			var e *protocol.Error
			if !errors.As(err, &e) || (c.code != "" && e.Code != c.code) || !strings.Contains(e.Message, c.says) {
				t.Fatalf("got %v; want %s saying %q", err, c.code, c.says)
			}
			if len(e.Findings) == 0 {
				t.Error("no finding says what to do")
			}
		})
	}
}

// TestOneDeadline: a single duration holds for messages of every type.
func TestOneDeadline(t *testing.T) {
	for text, want := range map[string]time.Duration{`"1h"`: time.Hour, `90`: 90 * time.Minute} {
		got, findings, err := load(write(t, t.TempDir(), ".brennerrc", `{"ack": {"deadline": `+text+`}}`))
		if err != nil || len(findings) > 0 || got.Ack.Deadline != want || len(got.Ack.Deadlines) > 0 {
			t.Errorf("%s: %+v, %v, %v", text, got.Ack, findings, err)
		}
	}
	for _, text := range []string{`"soon"`, `[]`, `-1`, `true`} {
		if got, _, err := load(write(t, t.TempDir(), ".brennerrc", `{"ack": {"deadline": `+text+`}}`)); err == nil {
			t.Errorf("%s: %+v", text, got.Ack)
		}
	}
}

func TestUnknownKeysWarn(t *testing.T) {
	_, findings, err := load(write(t, t.TempDir(), ".brennerrc", `{"rooster": {}, "ack": {"deadline": {"note": 1}}}`))
	if err != nil || len(findings) != 2 {
		t.Fatalf("%v, %v", findings, err)
	}
	for _, f := range findings {
		if f.Code != protocol.UnknownConfigKey || f.Severity != protocol.SeverityWarning {
			t.Errorf("got %+v", f)
		}
	}
}

func TestPersonalDefaultsStandBelow(t *testing.T) {
	dir := t.TempDir()
	project := write(t, dir, "brenner.config.json", `{"persist": {"every": 5}}`)
	user := write(t, dir, "user.yaml", "persist: {every: 9}\nvalidation: {mode: warn}\n")
	got, _, err := config.Load(filepath.Dir(project), project, user)
	if err != nil || got.Persist.Every != 5 || got.Validation != "warn" {
		t.Fatalf("%+v, %v", got, err)
	}
	if got.Origins["persist.every"] != project || got.Origins["validation.mode"] != user {
		t.Errorf("origins %v", got.Origins)
	}
	roster := write(t, dir, "roster.yaml", "roster: {mode: unified}\n")
	if _, _, err := config.Load("", "", roster); err == nil {
		t.Error("a person's own settings held a roster")
	}
}

func TestFind(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	expect := func(want string) {
		t.Helper()
		if got, err := config.Find(deep, root); err != nil || got != want {
			t.Errorf("found %q, %v; want %q", got, err, want)
		}
	}
	write(t, filepath.Dir(root), "brenner.config.json", "{}")
	expect("")
	outer := write(t, root, ".brennerrc", "{}")
	expect(outer)
	inner := write(t, filepath.Join(root, "a"), "brenner.config.ts", "export default {}")
	expect(inner)
	write(t, filepath.Join(root, "a"), "brenner.config.yaml", "")
	_, err := config.Find(deep, root)
	if protocol.CodeOf(err) != protocol.AmbiguousConfig || !strings.Contains(err.Error(), "brenner.config.ts and brenner.config.yaml") {
		t.Errorf("got %v", err)
	}
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
