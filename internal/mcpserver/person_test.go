//go:build unix

package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"brenner/internal/cli"
	"brenner/internal/needs"
)

// actAs makes this test binary the program itself, for what the tests start and what that starts.
const actAs = "MCPSERVER_TEST_AS"

func init() {
	if os.Getenv(actAs) == "brenner" {
		os.Exit(cli.Main(os.Args[1:], cli.System()))
	}
}

const personThread = "RS-20260110-person"

// bench is a project whose agents are programs, and the person who looks after them.
type bench struct {
	*testing.T
	dir string
}

// newBench has a session of one agent, whose program is a template of the settings.
func newBench(t *testing.T, template string, files map[string]string) bench {
	t.Helper()
	b := bench{t, t.TempDir()}
	for name, value := range map[string]string{
		actAs: "brenner", "XDG_CONFIG_HOME": t.TempDir(), "TMUX_TMPDIR": b.dir, "TMUX": "", "AGENT_NAME": "", "GORACE": "atexit_sleep_ms=0",
	} {
		t.Setenv(name, value)
	}
	files["brenner.config.json"] = `{"agents":{"mine":` + template + `}}`
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b.brenner(0, "trust", "--yes")
	b.brenner(0, "session", "start", "--to", "BlueLake", "--role", "hypothesis_generator", "--program", "mine", "--thread", personThread,
		"--question", "Who asks?", "--context", "c")
	return b
}

func self() string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return path
}

func (b bench) command(words ...string) *exec.Cmd {
	return exec.CommandContext(context.WithoutCancel(b.Context()), self(), append([]string{"--project", b.dir}, words...)...)
}

// brenner runs the program to its end.
func (b bench) brenner(code int, words ...string) string {
	b.Helper()
	cmd := b.command(words...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Dir = &out, &errs, b.dir
	if err := cmd.Run(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != code {
		b.Fatalf("%q: %v, want exit code %d\n%s%s", words, err, code, out.String(), errs.String())
	}
	return out.String()
}

// answers is what a person says to a form; nil: they decline.
type answers func(question string, fields map[string]any) map[string]any

// todo calls brenner_todo by the official client over stdio, for a person who says something.
func (b bench) todo(say answers, words ...string) (kinds, done []string, refused bool) {
	b.Helper()
	options := &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		schema, _ := req.Params.RequestedSchema.(map[string]any)
		fields, _ := schema["properties"].(map[string]any)
		if content := say(req.Params.Message, fields); content != nil {
			return &mcp.ElicitResult{Action: "accept", Content: content}, nil
		}
		return &mcp.ElicitResult{Action: "decline"}, nil
	}}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "person", Version: "1"}, options).Connect(b.Context(),
		&mcp.CommandTransport{Command: b.command(append([]string{"mcp"}, words...)...)},
		&mcp.ClientSessionOptions{ProtocolVersion: "2026-07-28"})
	if err != nil {
		b.Fatal(err)
	}
	defer session.Close()
	result, err := session.CallTool(b.Context(), &mcp.CallToolParams{Name: "brenner_todo", Arguments: map[string]any{}})
	if err != nil {
		b.Fatal(err)
	}
	var told struct {
		ToDo []struct{ Kind string }
		Done []string
	}
	data, err := json.Marshal(result.StructuredContent)
	if err != nil || json.Unmarshal(data, &told) != nil {
		b.Fatalf("%v: %s", err, data)
	}
	for _, one := range told.ToDo {
		kinds = append(kinds, one.Kind)
	}
	return kinds, told.Done, result.IsError
}

// callRaw calls brenner_todo as a client does that checks nothing of what its person says.
func (b bench) callRaw(responses string) string {
	b.Helper()
	cmd := b.command("mcp")
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"brenner_todo",` + responses +
		`"arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}` + "\n")
	answer, err := cmd.Output()
	if err != nil {
		b.Fatal(err)
	}
	return string(answer)
}

// requestKey is the name of the one question that is asked.
func (b bench) requestKey() string {
	b.Helper()
	var answer struct {
		Result struct {
			Type     string                     `json:"resultType"`
			Requests map[string]json.RawMessage `json:"inputRequests"`
		}
	}
	told := b.callRaw("")
	err := json.Unmarshal([]byte(told), &answer)
	if err != nil || answer.Result.Type != "input_required" || len(answer.Result.Requests) != 1 {
		b.Fatalf("%v: %s", err, told)
	}
	for key := range answer.Result.Requests {
		return key
	}
	return ""
}

// choose takes a key where a program asks, and nothing elsewhere.
func choose(key string, asked *string) answers {
	return func(question string, fields map[string]any) map[string]any {
		about, ok := fields["choice"].(map[string]any)
		if !ok {
			return nil
		}
		*asked = question + fmt.Sprint(about["oneOf"])
		return map[string]any{"choice": key}
	}
}

func decline(string, map[string]any) map[string]any { return nil }

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

// TestConsentInPane: what the program in a pane asks is put to the person as a form with its choices, and their answer is the key that is
// pressed there, once. Who declines presses nothing, a key that answers nothing is not pressed, and no agent is asked.
func TestConsentInPane(t *testing.T) {
	needs.Program(t, "tmux")
	b := newBench(t, `{"command":["sh","asking","{prompt}"]}`, map[string]string{"asking": `
printf 'Bash command\n  touch answered\n\nDo you want to proceed?\n\342\235\257 1. Yes\n  2. No\n'
stty -icanon min 1
key=$(dd bs=1 count=1 2>/dev/null)
clear
printf %s "$key" >new && mv new answered
exec sleep 300
`})
	t.Cleanup(func() {
		_ = b.command("cockpit", "stop", personThread).Run() // it may not have been started
		_ = exec.Command("tmux", "kill-server").Run()        // it may be gone already
	})
	b.brenner(0, "cockpit", "start", personThread)
	var asked string
	eventually(t, "the program asks", func() bool {
		kinds, done, refused := b.todo(decline)
		return slices.Contains(kinds, "ask") && len(done) == 0 && !refused
	})
	if kinds, _, refused := b.todo(choose("1", &asked), "--as", "BlueLake"); !refused || len(kinds) > 0 || asked != "" {
		t.Errorf("an agent is told %q and asked %q", kinds, asked)
	}
	key := b.requestKey()
	for name, answer := range map[string]string{"no choice": key + `":{"action":"accept","content":{"choice":"C-c"}}`,
		"another question": key[:len(key)-1] + `x":{"action":"accept","content":{"choice":"1"}}`} {
		if told := b.callRaw(`"inputResponses":{"` + answer + `},`); strings.Contains(told, `"done":["`) ||
			strings.Contains(told, "answers nothing") != (name == "no choice") {
			t.Errorf("%s: %s", name, told)
		}
	}
	if _, err := os.Stat(filepath.Join(b.dir, "answered")); err == nil {
		t.Error("a key was pressed before the person chose one")
	}
	kinds, done, refused := b.todo(choose("2", &asked))
	if len(done) != 1 || refused || !strings.Contains(asked, "touch answered · Do you want to proceed?") ||
		!strings.HasSuffix(asked, "[map[const:1 title:Yes] map[const:2 title:No]]") {
		t.Errorf("asked %q: %q, %q", asked, kinds, done)
	}
	eventually(t, "the key is pressed", func() bool {
		key, err := os.ReadFile(filepath.Join(b.dir, "answered"))
		return err == nil && string(key) == "2"
	})
	eventually(t, "nothing is asked any more", func() bool {
		kinds, _, _ := b.todo(decline)
		return !slices.Contains(kinds, "ask")
	})
}

// TestConsentAndGateOfRun: over stdio too a person answers what the program of a round asks leave for, and whether the next round is
// played; the run obeys.
func TestConsentAndGateOfRun(t *testing.T) {
	b := newBench(t, `{"acp":["`+self()+`","scripted-agent","--acp","--script","script.json"]}`, map[string]string{
		"script.json": `{"acp":{"asks":"make all","answers":1,"tokens":100},"steps":[{"subject":"DELTA[gpt]: x","body":"# D\n\n` + "```" +
			`delta\n{\"operation\":\"ADD\",\"section\":\"anomaly_register\",\"payload\":{\"name\":\"n\",\"observation\":\"o\",` +
			`\"conflicts_with\":[\"H1\"],\"status\":\"active\"},\"rationale\":\"r\"}\n` + "```" + `\n"}]}`,
	})
	play := func(words ...string) {
		t.Helper()
		run := b.command(append([]string{"run", personThread}, words...)...)
		run.Dir = b.dir
		var out bytes.Buffer
		run.Stdout, run.Stderr = &out, &out
		if err := run.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = run.Wait() // its exit code is looked at
		}()
		asked := ""
		eventually(t, "the consent is given", func() bool {
			_, done, refused := b.todo(choose("1", &asked))
			return len(done) == 1 && !refused
		})
		<-ended
		if code := run.ProcessState.ExitCode(); code != 7 || !strings.Contains(asked, "make all (1 Allow, 2 Reject, 3 Always allow)") ||
			!strings.HasSuffix(asked, "[map[const:1 title:Allow] map[const:2 title:Reject] map[const:3 title:Always allow]]") {
			t.Errorf("exit code %d, asked %q\n%s", code, asked, out.String())
		}
		if told := b.brenner(0, "run", "transcript", personThread, "BlueLake"); !strings.Contains(told, "It answered yes") {
			t.Errorf("the answer was not heard: %s", told)
		}
	}
	gate := func(answer bool) {
		t.Helper()
		var asked string
		kinds, done, refused := b.todo(func(question string, fields map[string]any) map[string]any {
			if about, ok := fields["play"].(map[string]any); !ok || about["type"] != "boolean" {
				return nil
			}
			asked = question
			return map[string]any{"play": answer}
		})
		if refused || len(done) != 1 || slices.Contains(kinds, "gate") || !strings.Contains(asked, "is to be played") {
			t.Errorf("asked %q: %q, %q", asked, kinds, done)
		}
	}
	play("--rounds", "4", "--gate", "--consent", "1m")
	if kinds, done, _ := b.todo(decline); !slices.Contains(kinds, "gate") || len(done) > 0 {
		t.Errorf("declined: %q, %q", kinds, done)
	}
	gate(true)
	play()
	gate(false)
	var ended struct{ Status, Reason string }
	if err := json.Unmarshal([]byte(b.brenner(0, "run", personThread, "--json")), &ended); err != nil || ended.Status != "stopped" ||
		!strings.Contains(ended.Reason, "Operator said so") {
		t.Errorf("%v: %+v", err, ended)
	}
}
