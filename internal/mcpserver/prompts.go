package mcpserver

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"brenner/internal/prompt"
	"brenner/internal/protocol"
)

// promptList describes one prompt for each role of a research session.
func promptList() []*mcp.Prompt {
	var list []*mcp.Prompt
	for _, role := range protocol.Roles() {
		list = append(list, &mcp.Prompt{
			Name:        string(role),
			Description: "Work in a research session as its " + strings.ReplaceAll(string(role), "_", " ") + ".",
			Arguments: []*mcp.PromptArgument{
				{Name: "thread_id", Description: "the session's thread"},
				{Name: "agent_name", Description: "your agent name"},
			},
		})
	}
	return list
}

// getPrompt writes the prompt of a role. Errors are faults.
func (s *Server) getPrompt(_ context.Context, name string, args map[string]string) (*mcp.GetPromptResult, error) {
	role := protocol.Role(name)
	for _, known := range protocol.Roles() {
		if known != role {
			continue
		}
		text, ok := prompt.For(role, s.deps.Prompts[role])
		if !ok {
			break
		}
		if place := workplace(args["thread_id"], args["agent_name"]); place != "" {
			text = place + "\n" + text
		}
		return &mcp.GetPromptResult{
			Description: "The part of the " + strings.ReplaceAll(name, "_", " "),
			Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}},
		}, nil
	}
	return nil, newFault(jsonrpc.CodeInvalidParams, "unknown prompt %q", name)
}

// workplace says where the role is played, as far as it is known.
func workplace(thread, agent string) string {
	var b strings.Builder
	if agent = strings.Join(strings.Fields(agent), " "); agent != "" {
		fmt.Fprintf(&b, "You are agent %s.\n", agent)
	}
	if thread = strings.Join(strings.Fields(thread), " "); thread != "" {
		fmt.Fprintf(&b, "Your session is thread %s: read it, contribute with brenner_submit, then wait with brenner_wait.\n", thread)
	}
	return b.String()
}
