package connect

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/protocol"
)

var target = Target{Command: "brenner", Args: []string{"mcp"}, Tools: "session"}

// settingsTexts are settings as people keep them.
var settingsTexts = map[string]string{
	"none":           "",
	"blank":          "\n  \n",
	"empty":          "{}",
	"empty spaced":   "{\n}\n",
	"others":         "{\n  \"theme\": \"dark\",\n  \"mcpServers\": {\n    \"other\": {\n      \"command\": \"x\"\n    }\n  }\n}\n",
	"tabs":           "{\n\t\"mcpServers\": {\n\t\t\"other\": {}\n\t}\n}",
	"one line":       `{"mcpServers":{"other":{"command":"x"}},"a":1}`,
	"no servers":     "{\n    \"a\": [1, 2],\n    \"b\": null\n}\n",
	"empty servers":  "{ \"mcpServers\": {} }\n",
	"crlf":           "{\r\n  \"a\": 1\r\n}\r\n",
	"comments":       "// mine\n{ // \"mcpServers\": {}\n  /* \"brenner\" */ \"mcpServers\": { // here\n    \"o\": {}, // last\n  },\n}\n",
	"mark":           "\ufeff{\"a\": \"// no comment\"}",
	"nested name":    `{"a": {"mcpServers": {"brenner": 1}}, "s": "\"mcpServers\": {}"}`,
	"odd whitespace": "{\n\n\n  \"a\" : \"\\\\\" ,\n \"mcpServers\"\n:\n{\"x\":{}}\n}",
}

func TestJSONInsertion(t *testing.T) {
	for name, text := range settingsTexts {
		t.Run(name, func(t *testing.T) { checkJSON(t, []byte(text)) })
	}
}

// checkJSON holds an insertion to its laws: only bytes are added, the server is there, nothing
// else changed, and doing it again does nothing.
func checkJSON(t *testing.T, text []byte) {
	t.Helper()
	e := entryFor(Claude, target)
	edit, err := jsonInsertion("f", text, e)
	if err != nil {
		t.Fatal(err)
	}
	after := edit.apply(text)
	if back, ok := remove(after, edit.text); !ok || !bytes.Equal(back, text) {
		t.Errorf("cannot be taken out again:\n%s", after)
	}
	want := map[string]any{}
	if len(bytes.TrimSpace(text)) > 0 {
		want = parse(t, text)
	}
	got := parse(t, after)
	servers, _ := got["mcpServers"].(map[string]any)
	if diff := cmp.Diff(map[string]any{
		"type": "stdio", "command": "brenner", "args": []any{"mcp", "--tools", "session", "--longest-wait", "5m"}, "timeout": 360000.0,
		"alwaysLoad": true,
	}, servers["brenner"]); diff != "" {
		t.Errorf("%s\n%s", diff, after)
	}
	delete(servers, "brenner")
	if _, had := want["mcpServers"]; !had {
		delete(got, "mcpServers")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\n%s", diff, after)
	}
	if again, err := jsonInsertion("f", after, e); err != nil || again.text != "" {
		t.Errorf("again: %v %q", err, again.text)
	}
	if crlf := strings.ReplaceAll(string(text), "\r\n", ""); len(crlf) < len(text) && !strings.Contains(crlf, "\n") &&
		strings.Contains(strings.ReplaceAll(string(after), "\r\n", ""), "\n") {
		t.Errorf("mixed line endings: %q", after)
	}
}

func parse(t *testing.T, text []byte) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(blanked(text), &v); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	return v
}

func FuzzJSONInsertion(f *testing.F) {
	for _, text := range settingsTexts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var v map[string]any
		if json.Unmarshal(blanked(text), &v) != nil || v == nil {
			return
		}
		if _, err := jsonInsertion("f", text, entryFor(Claude, target)); err != nil || bytes.Contains(text, []byte("brenner")) ||
			twice(v, text) {
			return
		}
		checkJSON(t, text)
	})
}

// twice tells whether the decoder folds keys that the text has apart.
func twice(v map[string]any, text []byte) bool {
	o, err := readObject(blanked(text))
	return err != nil || len(o.members) != len(v)
}

func TestRefusals(t *testing.T) {
	for name, test := range map[string]struct {
		program Program
		text    string
		want    protocol.Code
	}{
		"other server": {Claude, `{"mcpServers": {"brenner": {"command": "mine"}}}`, protocol.Conflict},
		"not json":     {Gemini, `{"a": `, protocol.InvalidInput},
		"list":         {Gemini, `[]`, protocol.InvalidInput},
		"two objects":  {Gemini, `{} {}`, protocol.InvalidInput},
		"not servers":  {Gemini, `{"mcpServers": []}`, protocol.InvalidInput},
		"null":         {Gemini, `{"mcpServers": null}`, protocol.InvalidInput},
		"twice":        {Claude, `{"mcpServers": {}, "mcpServers": {}}`, protocol.InvalidInput},
		"table":        {Codex, "[mcp_servers.brenner]\ncommand = \"mine\"\n", protocol.Conflict},
		"quoted":       {Codex, "[ \"mcp_servers\" . 'brenner' ]\n", protocol.Conflict},
		"sub table":    {Codex, "[mcp_servers.brenner.env]\nA = \"1\"\n", protocol.Conflict},
		"dotted":       {Codex, "mcp_servers.brenner.command = \"mine\"\n", protocol.Conflict},
		"inside":       {Codex, "[mcp_servers]\nbrenner = { command = \"mine\" }\n", protocol.Conflict},
		"inline":       {Codex, "mcp_servers = { a = { command = \"x\" } }\n", protocol.InvalidInput},
		"open string":  {Codex, "a = \"\"\"\nx\n", protocol.InvalidInput},
	} {
		t.Run(name, func(t *testing.T) {
			places := newPlaces(t)
			put(t, places.settings(test.program), test.text)
			_, err := NewPlan(test.program, places, target)
			if protocol.CodeOf(err) != test.want {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
}

func TestCodexInsertion(t *testing.T) {
	for name, text := range map[string]string{
		"none":   "",
		"others": "model = \"gpt\"\n\n[mcp_servers.other]\ncommand = \"x\"\n",
		"no end": "model = \"gpt\"",
		"string": "a = \"\"\"\n[mcp_servers.brenner]\n\\\"\"\"\"\nb = '''\nmcp_servers = 1\n'''\n# \"\"\" it's\nc = \"'''\"\n",
		"crlf":   "model = \"gpt\"\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			edit, err := tomlInsertion("f", []byte(text), target)
			if err != nil {
				t.Fatal(err)
			}
			after := string(edit.apply([]byte(text)))
			if !strings.HasPrefix(after, text) || !strings.HasSuffix(strings.ReplaceAll(after, "\r\n", "\n"),
				"[mcp_servers.brenner]\ncommand = \"brenner\"\n"+
					"args = [\"mcp\", \"--tools\", \"session\", \"--longest-wait\", \"5m\"]\ntool_timeout_sec = "+
					"360\ndefault_tools_approval_mode = \"approve\"\n") {
				t.Errorf("%q", after)
			}
			if again, err := tomlInsertion("f", []byte(after), target); err != nil || again.text != "" {
				t.Errorf("again: %v %q", err, again.text)
			}
		})
	}
}

func newPlaces(t *testing.T) Places {
	return Places{Project: t.TempDir(), CodexHome: filepath.Join(t.TempDir(), ".codex")}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

// tree reads all files below the places, but for the folder of brenner itself.
func tree(t *testing.T, places Places) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, root := range []string{places.Project, filepath.Dir(places.CodexHome)} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || path == root {
				return err
			}
			if d.IsDir() {
				if d.Name() == ".brenner" {
					return filepath.SkipDir
				}
				files[path] = "folder"
				return nil
			}
			text, err := os.ReadFile(path)
			info, _ := d.Info()
			files[path] = info.Mode().String() + string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestRoundTrip: disconnect leaves everything as it was before connect, byte for byte.
func TestRoundTrip(t *testing.T) {
	for _, program := range Programs() {
		for _, existing := range []string{"", "{\n  \"a\": 1\n}", "model = \"x\""} {
			if existing != "" && (program == Codex) != strings.HasPrefix(existing, "model") {
				continue
			}
			t.Run(string(program), func(t *testing.T) {
				places := newPlaces(t)
				if existing != "" {
					put(t, places.settings(program), existing)
				}
				before := tree(t, places)
				plan, err := NewPlan(program, places, Target{URL: "http://127.0.0.1:8765/mcp/", TokenEnv: "TOKEN"})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(before, tree(t, places)); diff != "" {
					t.Fatalf("a plan writes: %s", diff)
				}
				if err := plan.Apply(); err != nil {
					t.Fatal(err)
				}
				files := 1 + len(protocol.Roles())
				if program == Claude {
					files++ // its own answers
				}
				if len(plan.Changes) != files || len(plan.Notes) > 0 {
					t.Errorf("%d changes, notes %q", len(plan.Changes), plan.Notes)
				}
				again, err := NewPlan(program, places, Target{URL: "http://127.0.0.1:8765/mcp/", TokenEnv: "TOKEN"})
				if err != nil || len(again.Changes) != 0 {
					t.Errorf("again: %v %v", err, again)
				}
				if _, err := Disconnect(program, places); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(before, tree(t, places)); diff != "" {
					t.Errorf("(-before +after)\n%s", diff)
				}
				if _, err := Disconnect(program, places); protocol.CodeOf(err) != protocol.NotFound {
					t.Errorf("again: %v", err)
				}
			})
		}
	}
}

// TestEditedSince: a person's later edits stay; where that is not possible nothing changes.
func TestEditedSince(t *testing.T) {
	places := newPlaces(t)
	path := places.settings(Gemini)
	put(t, path, "{\n  \"a\": 1\n}\n")
	plan, err := NewPlan(Gemini, places, target)
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Apply(); err != nil {
		t.Fatal(err)
	}
	connected, _ := os.ReadFile(path)

	put(t, path, strings.Replace(string(connected), `"mcp"`, `"mcp", "--as", "Me"`, 1))
	edited := tree(t, places)
	if _, err := Disconnect(Gemini, places); protocol.CodeOf(err) != protocol.Conflict {
		t.Errorf("%v", err)
	}
	if diff := cmp.Diff(edited, tree(t, places)); diff != "" {
		t.Errorf("a refusal changes files:\n%s", diff)
	}

	put(t, path, strings.Replace(string(connected), `"a": 1`, `"a": 2`, 1))
	restored, err := Disconnect(Gemini, places)
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "{\n  \"a\": 2\n}\n" || !restored[len(restored)-1].Edited {
		t.Errorf("%q %+v", text, restored)
	}
}

// TestLinkStays: settings that are a link into a person's dotfiles stay one.
func TestLinkStays(t *testing.T) {
	places := newPlaces(t)
	file := filepath.Join(t.TempDir(), "settings.json")
	put(t, file, "{}")
	link := places.settings(Gemini)
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	plan, err := NewPlan(Gemini, places, target)
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Apply(); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Lstat(link); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
	if _, err := Disconnect(Gemini, places); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(file); string(text) != "{}" {
		t.Errorf("%q", text)
	}
}

func TestDiff(t *testing.T) {
	edit, err := jsonInsertion(".mcp.json", []byte("{\n  \"a\": 1\n}\n"), entryFor(Claude, target))
	if err != nil {
		t.Fatal(err)
	}
	want := `--- .mcp.json
+++ .mcp.json
@@ -1,3 +1,18 @@
 {
+  "mcpServers": {
+    "brenner": {
+      "type": "stdio",
+      "command": "brenner",
+      "args": [
+        "mcp",
+        "--tools",
+        "session",
+        "--longest-wait",
+        "5m"
+      ],
+      "timeout": 360000,
+      "alwaysLoad": true
+    }
+  },
   "a": 1
 }
`
	if diff := cmp.Diff(want, edit.show(".mcp.json", []byte("{\n  \"a\": 1\n}\n"))); diff != "" {
		t.Error(diff)
	}
}

// TestLeave: a program may use the tools unasked and waits for mail, unless its person has settled that
// differently; what is left to do is said then, and everything is put back.
func TestLeave(t *testing.T) {
	for name, test := range map[string]struct {
		program Program
		before  string // of the file that gives leave
		notes   int
		want    []string // in it afterwards
	}{
		"claude": {Claude, "", 0, []string{`"enabledMcpjsonServers": [`, `"mcp__brenner"`, `brenner mail wait --hook`,
			`"timeout": 3600`}},
		"claude, others": {Claude, "{\n  \"model\": \"opus\"\n}\n", 0,
			[]string{`"model": "opus"`, `"enabledMcpjsonServers": [`, `"Stop"`}},
		"claude, crlf":    {Claude, "{\r\n  \"model\": \"opus\"\r\n}\r\n", 0, []string{"\"model\": \"opus\"\r\n", `"Stop"`}},
		"claude, empty":   {Claude, "{}", 0, []string{`"mcp__brenner"`}},
		"claude, decided": {Claude, `{"permissions": {"deny": ["mcp__brenner"]}}`, 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			places := newPlaces(t)
			path, _ := places.leave(test.program, target)
			if test.before != "" {
				put(t, path, test.before)
			}
			before := tree(t, places)
			plan, err := NewPlan(test.program, places, target)
			if err != nil || len(plan.Notes) != test.notes {
				t.Fatalf("%v, notes %q", err, plan.Notes)
			}
			if err := plan.Apply(); err != nil {
				t.Fatal(err)
			}
			text, _ := os.ReadFile(path)
			for _, want := range test.want {
				if !strings.Contains(string(text), want) {
					t.Errorf("no %s in\n%s", want, text)
				}
			}
			if len(text) > 0 {
				parse(t, text)
			}
			if strings.Contains(test.before, "\r\n") && strings.Contains(strings.ReplaceAll(string(text), "\r\n", ""), "\n") {
				t.Errorf("mixed line endings: %q", text)
			}
			if again, err := NewPlan(test.program, places, target); err != nil || len(again.Changes) != 0 ||
				len(again.Notes) != test.notes {
				t.Errorf("again: %v %+v", err, again)
			}
			if _, err := Disconnect(test.program, places); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, tree(t, places)); diff != "" {
				t.Errorf("(-before +after)\n%s", diff)
			}
		})
	}
}

// TestAddress: the profile goes into the address, once.
func TestAddress(t *testing.T) {
	for url, want := range map[string]string{
		"http://h/mcp/":           "http://h/mcp/?tools=session",
		"http://h/mcp/?a=b":       "http://h/mcp/?a=b&tools=session",
		"http://h/mcp/?tools=all": "http://h/mcp/?tools=all",
		"http://h/mcp/%zz":        "http://h/mcp/%zz",
	} {
		if got := (Target{URL: url, Tools: "session"}).address(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
