package acp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"brenner/internal/pattern"
)

// Question is what a program asks its person for. Its texts are hostile.
type Question struct {
	Text    string   `json:"text"` // what is to be done, on one line
	Options []Option `json:"options"`
	Own     bool     `json:"own"` // it asks for a tool of the server that it was handed
}

// Option is an answer that the program takes.
type Option struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	Kind string `json:"kind"` // allow_once, allow_always, reject_once, reject_always
}

// Option is the first answer of a kind; empty: there is none.
func (q Question) Option(kinds ...string) string {
	for _, kind := range kinds {
		if i := slices.IndexFunc(q.Options, func(o Option) bool { return o.Kind == kind }); i >= 0 {
			return q.Options[i].ID
		}
	}
	return ""
}

// Refuse is the answer that refuses; empty: only the end of the turn does.
func (q Question) Refuse() string { return q.Option("reject_once", "reject_always") }

// call is a call of a tool, as far as it tells which.
type call struct {
	Title string `json:"title"`
	Kind  string `json:"kind"`
	Input struct {
		Server  string `json:"server"`
		Command any    `json:"command"`
	} `json:"rawInput"`
	Meta struct {
		MCP    bool `json:"is_mcp_tool_call"`
		Claude struct {
			Tool string `json:"toolName"`
		} `json:"claudeCode"`
	} `json:"_meta"`
}

// The names that programs have for a tool of the server that they were handed.
const handed = "brenner"

var (
	claudeTool = pattern.Lazy(`^mcp__` + handed + `__[a-z_]+$`)
	geminiTool = pattern.Lazy(`^[a-z_]+ \(` + handed + ` MCP Server\)$`)
)

// own tells whether a call is one of a tool that we offer ourselves. A title alone proves nothing where an agent can choose it, as that of
// a command.
func (c *call) own() bool {
	switch {
	case c.Meta.Claude.Tool != "":
		return claudeTool().MatchString(c.Meta.Claude.Tool)
	case c.Meta.MCP:
		return c.Input.Server == handed && c.Input.Command == nil
	}
	return c.Kind == "other" && (geminiTool().MatchString(c.Title) || claudeTool().MatchString(c.Title))
}

const maxTitle = 240

// permit asks what a program asks for.
func (a *Agent) permit(ctx context.Context, params json.RawMessage) (any, *sdk.RequestError) {
	var asked struct {
		Options []struct {
			ID   string `json:"optionId"`
			Name string `json:"name"`
			Kind string `json:"kind"`
		} `json:"options"`
		Call call `json:"toolCall"`
	}
	cancelled := sdk.RequestPermissionResponse{Outcome: sdk.NewRequestPermissionOutcomeCancelled()}
	turn := a.turning()
	if err := json.Unmarshal(params, &asked); err != nil {
		return nil, sdk.NewInvalidParams(err.Error())
	}
	if turn == nil || turn.Err() != nil {
		return cancelled, nil
	}
	q := Question{Text: oneLine(asked.Call.Title), Own: asked.Call.own()}
	for _, o := range asked.Options {
		q.Options = append(q.Options, Option{o.ID, oneLine(o.Name), o.Kind})
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(turn, cancel)()
	answer := a.o.Permit(ctx, q)
	if turn.Err() != nil || !slices.ContainsFunc(q.Options, func(o Option) bool { return o.ID == answer }) {
		return cancelled, nil
	}
	return sdk.RequestPermissionResponse{Outcome: sdk.NewRequestPermissionOutcomeSelected(sdk.PermissionOptionId(answer))}, nil
}

func oneLine(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "�")), " ")
	if len(text) > maxTitle {
		text = strings.ToValidUTF8(text[:maxTitle], "") + "…"
	}
	return text
}
