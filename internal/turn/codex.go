package turn

import (
	"encoding/json"
	"fmt"
)

// item is what Codex did: a message, a call of a tool, a command.
type item struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Server    string          `json:"server"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Result    json.RawMessage `json:"result"`
	Error     json.RawMessage `json:"error"`
	Status    string          `json:"status"`
	Command   string          `json:"command"`
	Output    string          `json:"aggregated_output"`
	ExitCode  *int            `json:"exit_code"`
	Message   string          `json:"message"`
}

// codex reads an event of codex exec --json.
func (t *Turn) codex(e *event) bool {
	switch e.Type {
	case "thread.started":
		t.Session = cut(clean(e.Thread), maxWord)
	case "turn.started", "item.started", "item.updated":
	case "item.completed":
		if e.Item != nil {
			t.did(e.Item)
		}
	case "turn.completed":
		t.spent(e.Usage)
	case "turn.failed":
		t.failure(messageOf(e.Error))
		t.spent(e.Usage)
	case "error":
		if t.Format != "codex" {
			return false
		}
		t.failure(messageOf(e.Message))
	default:
		return false
	}
	t.Format = "codex"
	return true
}

func (t *Turn) did(i *item) {
	switch i.Type {
	case "agent_message", "assistant_message":
		t.add(Step{Kind: Text, Text: i.Text})
	case "mcp_tool_call":
		t.add(Step{Kind: Call, Tool: i.Tool, Text: string(i.Arguments)})
		t.add(i.answer())
	case "command_execution":
		t.add(Step{Kind: Call, Tool: "shell", Text: i.Command})
		answer := Step{Kind: Result, Tool: "shell", Text: i.Output, Failed: i.Status == "failed"}
		if i.ExitCode != nil && *i.ExitCode != 0 {
			answer.Failed, answer.Text = true, fmt.Sprintf("%s\nexit code %d", i.Output, *i.ExitCode)
		}
		t.add(answer)
	case "error":
		t.failure(i.Message)
	}
}

// answer is what a tool of MCP said.
func (i *item) answer() Step {
	s := Step{Kind: Result, Tool: i.Tool, Failed: i.Status == "failed"}
	if text := messageOf(i.Error); text != "" {
		s.Text, s.Failed = text, true
		return s
	}
	var r struct {
		Content json.RawMessage `json:"content"`
		IsError bool            `json:"is_error"`
		Wrong   bool            `json:"isError"`
	}
	if json.Unmarshal(i.Result, &r) == nil && r.Content != nil {
		s.Text, s.Failed = textOf(r.Content), s.Failed || r.IsError || r.Wrong
		return s
	}
	s.Text = textOf(i.Result)
	return s
}
