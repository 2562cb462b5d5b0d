package turn

import (
	"encoding/json"
	"strconv"
)

// claude reads an event of Claude Code's stream-json, or the one object of its json.
func (t *Turn) claude(e *event) bool {
	switch {
	case e.Type == "system":
		switch e.Subtype {
		case "init":
			t.Model, t.Session = cut(clean(e.Model), maxWord), cut(clean(e.Session), maxWord)
		case "api_retry":
			t.refusedBy(e)
		}
	case e.Type == "assistant" || e.Type == "user":
		t.spoken(e)
	case e.Type == "rate_limit_event":
		if e.Limit != nil {
			t.limits = append(t.limits, limitFact{rejected: e.Limit.Status == "rejected", until: e.Limit.ResetsAt})
		}
	case e.Type == "result" && (e.Subtype != "" || e.Answer != nil):
		t.ended(e)
	case e.Type == "stream_event", e.Type == "tool_progress":
	default:
		return false
	}
	t.Format = "claude"
	return true
}

type rateLimit struct {
	Status   string  `json:"status"`
	ResetsAt float64 `json:"resetsAt"` // seconds since 1970
}

// spoken is a message of the agent, or of the tools that answer it.
func (t *Turn) spoken(e *event) {
	var m struct {
		ID      string          `json:"id"`
		Content json.RawMessage `json:"content"`
		Usage   *usage          `json:"usage"`
	}
	if json.Unmarshal(e.Message, &m) != nil {
		return
	}
	t.retry = nil
	if e.Type == "assistant" {
		t.barred = ""
	}
	if e.Type == "assistant" && m.Usage != nil && !e.OfAPI && len(t.answers) < maxSteps {
		t.answers[m.ID] = m.Usage.usage() // an answer comes in pieces, each with what all of it takes
	}
	if e.Type == "assistant" && textOf(e.Error) == authenticationFailed {
		t.barred = cut(clean(textOf(m.Content)), maxWord)
	}
	var parts []struct {
		Type    string          `json:"type"`
		Text    string          `json:"text"`
		ID      string          `json:"id"`
		Name    string          `json:"name"`
		Input   json.RawMessage `json:"input"`
		CallID  string          `json:"tool_use_id"`
		Content json.RawMessage `json:"content"`
		IsError bool            `json:"is_error"`
	}
	if json.Unmarshal(m.Content, &parts) != nil {
		if e.Type == "user" {
			t.add(Step{Kind: Prompt, Text: textOf(m.Content)})
		}
		return
	}
	for _, p := range parts {
		switch {
		case p.Type == "text" && e.Type == "user":
			t.add(Step{Kind: Prompt, Text: p.Text})
		case p.Type == "text" && e.OfAPI:
			t.failure(p.Text)
		case p.Type == "text":
			t.add(Step{Kind: Text, Text: p.Text})
		case p.Type == "tool_use":
			t.name(p.ID, p.Name)
			t.add(Step{Kind: Call, Tool: p.Name, Text: string(p.Input)})
		case p.Type == "tool_result":
			t.add(Step{Kind: Result, Tool: t.calls[p.CallID], Text: textOf(p.Content), Failed: p.IsError})
		}
	}
}

// name remembers which tool a call was to.
func (t *Turn) name(id, tool string) {
	if len(t.calls) < maxSteps {
		t.calls[id] = tool
	}
}

// ended is the last line: the answer once more, what it cost, and what went wrong.
func (t *Turn) ended(e *event) {
	t.settle()
	text := textOf(e.Answer)
	status, _ := strconv.Atoi(string(e.Status))
	if e.IsError {
		if status == unauthorized {
			t.barred = orElse(cut(clean(text), maxWord), authenticationFailed)
		}
		t.unsay(text)
		if text == "" {
			text = e.Subtype
		}
		t.failure(text)
		t.limits = append(t.limits, limitFact{status: status})
	} else if t.Said() == "" {
		t.add(Step{Kind: Text, Text: text})
	}
	t.spent(e.Usage)
	if t.Usage != nil && e.Dollars != nil && *e.Dollars >= 0 {
		t.Usage.Dollars = e.Dollars
	}
}

// unsay takes a text back that was no word of the agent: Claude Code writes the errors of its service as one.
func (t *Turn) unsay(text string) {
	if n := len(t.Steps); n > 0 && text != "" && t.Steps[n-1].Kind == Text && t.Steps[n-1].Text == cut(clean(text), maxText) {
		t.Steps = t.Steps[:n-1]
	}
}
