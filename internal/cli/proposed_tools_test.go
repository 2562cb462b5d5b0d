package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
)

// toolWire speaks to brenner mcp over its standard streams.
type toolWire struct {
	requests *io.PipeWriter
	answers  *bufio.Reader
	ended    chan int
	id       int
}

func newToolWire(t *testing.T) *toolWire {
	t.Helper()
	in, requests := io.Pipe()
	answers, out := io.Pipe()
	w := &toolWire{requests: requests, answers: bufio.NewReader(answers), ended: make(chan int, 1)}
	streams, _, _ := terminal(nil)
	streams.In, streams.Out = in, out
	go func() {
		w.ended <- Run(t.Context(), []string{"--project", ".", "mcp"}, streams)
		_ = out.Close()
	}()
	w.ask(t, "initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "t", "version": "1"}}, new(any))
	if _, err := io.WriteString(requests, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	return w
}

// ask sends a request and waits for its answer. A refusal leaves the result as it is.
func (w *toolWire) ask(t *testing.T, method string, params, result any) {
	t.Helper()
	w.id++
	if err := json.NewEncoder(w.requests).Encode(map[string]any{"jsonrpc": "2.0", "id": w.id, "method": method,
		"params": params}); err != nil {
		t.Fatal(err)
	}
	for {
		line, err := w.answers.ReadBytes('\n')
		if err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		var answer struct {
			ID     int             `json:"id"`
			Result json.RawMessage `json:"result"`
		}
		if json.Unmarshal(line, &answer) == nil && answer.ID == w.id {
			_ = json.Unmarshal(answer.Result, result)
			return
		}
	}
}

// callTools calls every tool over MCP with the proposal in every argument.
func (p proposal) callTools(t *testing.T) {
	t.Helper()
	w := newToolWire(t)
	var tools struct {
		Tools []struct {
			Name        string `json:"name"`
			InputSchema struct {
				Properties map[string]struct {
					Type any `json:"type"`
				} `json:"properties"`
			} `json:"inputSchema"`
		} `json:"tools"`
	}
	w.ask(t, "tools/list", map[string]any{}, &tools)
	if len(tools.Tools) < 10 {
		t.Fatalf("only %d tools", len(tools.Tools))
	}
	for _, tool := range tools.Tools {
		for _, known := range []bool{false, true} { // with names that the server knows, a call gets further
			args := map[string]any{}
			for _, name := range slices.Sorted(maps.Keys(tool.InputSchema.Properties)) {
				args[name] = p.argument(name, fmt.Sprint(tool.InputSchema.Properties[name].Type), known)
			}
			delete(args, "project_key")
			w.ask(t, "tools/call", map[string]any{"name": tool.Name, "arguments": args}, new(any))
			if ran := p.ran(t); len(ran) > 0 {
				t.Fatalf("the tool %s ran a proposed command: %q", tool.Name, ran)
			}
		}
	}
	_ = w.requests.Close()
	<-w.ended
}

func (p proposal) argument(name, kind string, known bool) any {
	names := map[string]any{
		"thread_id": proposedThread, "agent_name": "BlueLake", "sender_name": "BlueLake", "from": "BlueLake", "to": []string{"Operator"},
		"test": "T1", "message_id": 2, "timeout_seconds": 0,
	}
	value, ok := names[name]
	switch {
	case known && ok || name == "timeout_seconds":
		return value
	case strings.Contains(kind, "array"):
		return []string{p.text}
	case strings.Contains(kind, "object"):
		return map[string]any{"command": p.text, "H1": p.text}
	case strings.Contains(kind, "integer"), strings.Contains(kind, "number"):
		return 1
	case strings.Contains(kind, "boolean"):
		return true
	}
	return p.text
}
