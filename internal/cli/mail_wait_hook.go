package cli

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	project "brenner/internal/app"
)

// hookEvent is why a program runs its hook, in the words of Claude Code.
type hookEvent struct {
	Name    string          `json:"hook_event_name"`
	Kind    string          `json:"notification_type"` // of Notification
	Message string          `json:"message"`
	Tool    string          `json:"tool_name"` // of PermissionRequest
	Input   json.RawMessage `json:"tool_input"`
}

// passing tells whether the event is only told of: the turn goes on meanwhile.
func (e hookEvent) passing() bool {
	return slices.Contains([]string{"PermissionRequest", "Notification", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit"}, e.Name)
}

// asks is what the program asks its person; empty: nothing.
func (e hookEvent) asks() string {
	switch {
	case e.Name == "PermissionRequest":
		return "may it use " + e.Tool + "? " + e.about()
	case e.Name == "Notification" && (e.Kind == "permission_prompt" || e.Kind == "elicitation_dialog" ||
		e.Kind == "" && strings.Contains(e.Message, "permission")):
		return e.Message
	}
	return ""
}

// about is what a tool is to be used for.
func (e hookEvent) about() string {
	var in struct {
		Command string `json:"command"`
		Path    string `json:"file_path"`
		URL     string `json:"url"`
	}
	_ = json.Unmarshal(e.Input, &in) // what it does not say stays empty
	for _, text := range []string{in.Command, in.Path, in.URL} {
		if text != "" {
			return text
		}
	}
	return string(e.Input)
}

// tellHook notes that a program asks its person, or that it goes on. That it cannot be noted is no failure: the program goes on
// all the same.
func (a *app) tellHook(ctx context.Context, agent, thread string, e hookEvent) {
	if agent == "" || e.Name == "" || e.Name == "Notification" && e.asks() == "" {
		return
	}
	_, _ = a.inProject(func(ctx context.Context, p *project.App, _ []string) (report, error) {
		if text := e.asks(); text != "" {
			return nil, p.NoteAsks(ctx, agent, thread, text)
		}
		return nil, p.NoteAnswered(ctx, agent)
	})(ctx, nil)
}
