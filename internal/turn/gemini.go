package turn

// gemini reads an event of Gemini CLI's stream-json.
func (t *Turn) gemini(e *event) bool {
	switch e.Type {
	case "init":
		t.Model, t.Session = cut(clean(e.Model), maxWord), cut(clean(e.Session), maxWord)
	case "message":
		if e.Role == "user" {
			t.add(Step{Kind: Prompt, Text: textOf(e.Content)})
		} else {
			t.say(textOf(e.Content))
		}
	case "tool_use":
		t.name(e.ToolID, e.Tool)
		t.add(Step{Kind: Call, Tool: e.Tool, Text: string(e.Parameters)})
	case "tool_result":
		s := Step{Kind: Result, Tool: t.calls[e.ToolID], Text: textOf(e.Output), Failed: e.Outcome == "error"}
		if text := messageOf(e.Error); text != "" {
			s.Text = text
		}
		t.add(s)
	case "error":
		t.failure(messageOf(e.Message))
	case "result":
		t.failure(messageOf(e.Error))
		t.spent(e.Stats)
	default:
		return false
	}
	t.Format = "gemini"
	return true
}
