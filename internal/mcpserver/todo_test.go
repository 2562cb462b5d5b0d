package mcpserver

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"brenner/internal/mail"
)

// TestPersonIsAsked: a client that can ask its person puts an agent's question to them, and sends their answer; one that declines answers
// nothing. Other clients get the list, and agents nothing.
func TestPersonIsAsked(t *testing.T) {
	s := newServer(t, Options{})
	web := serve(t, s)
	populate(t, s, "BlueLake", "RedSky")
	w := &httpWire{url: web.URL}
	kickoff(t, w)
	callOver(t, w, "send_message", `{"project_key":"srv-cells","sender_name":"BlueLake","to":"Operator","thread_id":"`+thread+
		`","subject":"QUESTION: Which strain?","body_md":"# Question\n\n## Question\n\nWhich?\n\n## Urgency\n\nSoon\n"}`)
	waits := func(result *mcp.CallToolResult) (kinds []string, done int) {
		t.Helper()
		var told struct {
			ToDo []struct{ Kind string }
			Done []string
		}
		data, err := json.Marshal(result.StructuredContent)
		if err != nil || result.IsError || json.Unmarshal(data, &told) != nil {
			t.Fatalf("%v: %s", err, data)
		}
		for _, one := range told.ToDo {
			kinds = append(kinds, one.Kind)
		}
		return kinds, len(told.Done)
	}
	arguments := map[string]any{"project_key": "srv-cells"}
	asked := 0
	person := func(action string) *mcp.ClientOptions {
		return &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked++
			if req.Params.Message == "" || req.Params.RequestedSchema == nil {
				t.Errorf("asked %+v", req.Params)
			}
			return &mcp.ElicitResult{Action: action, Content: map[string]any{"answer": "The wild one."}}, nil
		}}
	}
	for _, version := range []string{"2025-11-25", sessionless} {
		if kinds, done := waits(callWith(t, connect(t, web.URL, version, nil), todoName, arguments)); len(kinds) != 1 || done != 0 {
			t.Errorf("%s: %q, %d", version, kinds, done)
		}
	}
	kinds, done := waits(callWith(t, connect(t, web.URL, sessionless, person("decline")), todoName, arguments))
	if len(kinds) != 1 || done != 0 || asked != 1 {
		t.Errorf("declined: %q, %d, asked %d times", kinds, done, asked)
	}
	kinds, done = waits(callWith(t, connect(t, web.URL, sessionless, person("accept")), todoName, arguments))
	if len(kinds) != 0 || done != 1 || asked != 2 {
		t.Errorf("accepted: %q, %d, asked %d times", kinds, done, asked)
	}
	messages, err := s.projects.home.mail.ThreadMessages(t.Context(), thread)
	if last := messages[len(messages)-1]; err != nil || last.From != mail.Operator || last.Body != "The wild one." || last.ReplyTo == 0 {
		t.Errorf("the answer is %+v, %v", last, err)
	}
	bound := newServer(t, Options{As: "BlueLake"})
	populate(t, bound, "BlueLake")
	if result, err := bound.callTool(t.Context(), bound.local(), todoName, json.RawMessage(`{}`)); err != nil || !result.failed {
		t.Errorf("an agent gets %s, %v", result.structured, err)
	}
}
