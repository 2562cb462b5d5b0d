package lawtest

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/usecase"
)

const sample = "RS-20260110-sample-of-law"

// TestOneAnswer: what is declared once is answered once. Each read of the science says the same on the command line, over MCP and in
// the API; ok and notice are the surface's own, and what to do next is worded by each.
func TestOneAnswer(t *testing.T) {
	w := newWorld(t)
	text, err := os.ReadFile("testdata/one_answer.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	w.keep("thread.jsonl", string(text))
	w.must("thread", "import", "thread.jsonl")
	w.must("result", "record", sample, "T1", "--outcome", "kept")
	for _, c := range usecase.Science() {
		t.Run(c.Name, func(t *testing.T) {
			args, arguments, query := append(strings.Fields(c.Command), sample), `{"thread_id":"`+sample+`"}`, ""
			switch c {
			case usecase.WhatIf.Case:
				args, arguments, query = append(args, "T2=red, late"), `{"thread_id":"`+sample+`","outcomes":["T2=red, late"]}`,
					"?outcomes=T2=red,%20late"
			case usecase.Calibration.Case:
				args = []string{"calibration", "--thread", sample}
			}
			cli := object(t, w.cli(append(args, "--json")...).text)
			api := object(t, w.api("GET /sessions/"+sample+"/"+c.Name+query).text)
			mcp := object(t, structured(t, w.mcp(c.Tool(), arguments).text))
			if len(cli) == 0 || cli["error"] != nil {
				t.Fatalf("the command answers %v", cli)
			}
			if diff := cmp.Diff(cli, api); diff != "" {
				t.Errorf("command and API differ (-command +API):\n%s", diff)
			}
			if diff := cmp.Diff(cli, mcp); diff != "" {
				t.Errorf("command and tool differ (-command +tool):\n%s", diff)
			}
		})
	}
}

// TestOneReading: so does each other read of a session that is declared. A command says more about this machine: what reading a file
// came to, and in which turn of a run a field was written.
func TestOneReading(t *testing.T) {
	w := newWorld(t)
	text, err := os.ReadFile("testdata/one_answer.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	w.keep("thread.jsonl", string(text))
	w.must("thread", "import", "thread.jsonl")
	w.must("compile", sample)
	ofFiles := map[*usecase.Case]string{usecase.Artifact.Case: "findings", usecase.Diff.Case: "findings", usecase.Lint.Case: "findings"}
	for _, c := range usecase.Reading() {
		t.Run(c.Name, func(t *testing.T) {
			cli := object(t, w.cli(append(strings.Fields(c.Command), sample, "--json")...).text)
			path := strings.Replace(c.Route(), "{thread}", sample, 1)
			api := object(t, w.api("GET "+path).text)
			if key := ofFiles[c]; key != "" {
				delete(cli, key)
			}
			if c == usecase.Blame.Case {
				fields, _ := cli["fields"].([]any)
				for _, field := range fields {
					delete(field.(map[string]any), "turn")
				}
			}
			if len(cli) == 0 || c != usecase.Lint.Case && cli["error"] != nil {
				t.Fatalf("the command answers %v", cli)
			}
			delete(cli, "error") // what lint found fails the command
			if diff := cmp.Diff(cli, api); diff != "" {
				t.Errorf("command and API differ (-command +API):\n%s", diff)
			}
			arguments := map[*usecase.Case]string{usecase.Artifact.Case: `,"format":"json"`, usecase.Lint.Case: `,"dry_run":true`}[c]
			mcp := object(t, structured(t, w.mcp(c.Tool(), `{"thread_id":"`+sample+`"`+arguments+`}`).text))
			switch c {
			case usecase.Artifact.Case: // null, where the other surfaces leave out what was not asked for
				delete(mcp, "markdown")
			case usecase.Lint.Case:
				mcp, _ = mcp["lint"].(map[string]any)
			}
			if diff := cmp.Diff(cli, mcp); diff != "" {
				t.Errorf("command and tool differ (-command +tool):\n%s", diff)
			}
		})
	}
}

// object reads an answer without what belongs to the surface.
func object(t *testing.T, text string) map[string]any {
	t.Helper()
	var value map[string]any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	delete(value, "ok")
	delete(value, "notice")
	plain(value)
	return value
}

// plain leaves out how what to do is worded, which differs by design.
func plain(value any) {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range []string{"command", "fix"} {
			if v[key] != nil {
				v[key] = "worded"
			}
		}
		for _, inner := range v {
			plain(inner)
		}
	case []any:
		for _, inner := range v {
			plain(inner)
		}
	}
}

// structured takes the structured content out of the answer of a tool.
func structured(t *testing.T, text string) string {
	t.Helper()
	var answer struct {
		Result struct {
			Structured json.RawMessage `json:"structuredContent"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return string(answer.Result.Structured)
}
