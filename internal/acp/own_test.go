package acp

import (
	"encoding/json"
	"testing"
)

// TestOwn: the tools of the server that was handed over need no consent. What an agent can name itself, such as a command or its
// description, passes for none of them.
func TestOwn(t *testing.T) {
	for text, want := range map[string]bool{
		`{"title":"brenner_submit (brenner MCP Server)","kind":"other"}`:                                                         true,
		`{"title":"mcp__brenner__x","kind":"other","_meta":{"claudeCode":{"toolName":"mcp__brenner__x"}}}`:                       true,
		`{"title":"mcp.brenner.fetch_inbox","kind":"execute","rawInput":{"server":"brenner"},"_meta":{"is_mcp_tool_call":true}}`: true,
		`{"title":"make (brenner MCP Server)","kind":"execute"}`:                                                                 false,
		`{"title":"mcp__brenner__brenner_submit","kind":"execute"}`:                                                              false,
		`{"title":"mcp__brenner__x","kind":"other","_meta":{"claudeCode":{"toolName":"Bash"}}}`:                                  false,
		`{"title":"mcp.brenner.x","kind":"execute","rawInput":{"command":["rm"]}}`:                                               false,
		`{"title":"mcp.brenner.x","rawInput":{"server":"brenner","command":"rm"},"_meta":{"is_mcp_tool_call":true}}`:             false,
		`{"title":"rm -rf (brenner MCP Server)","kind":"other"}`:                                                                 false,
		`{"title":"x (other MCP Server)","kind":"other"}`:                                                                        false,
		`{}`: false,
	} {
		var c call
		if err := json.Unmarshal([]byte(text), &c); err != nil || c.own() != want {
			t.Errorf("%s: %v %v", text, c.own(), err)
		}
	}
}

// TestEnding: what the programs tell of a turn's cost, each in its own way.
func TestEnding(t *testing.T) {
	for text, want := range map[string]Spent{
		`{"usage":{"inputTokens":100,"outputTokens":20,"cachedReadTokens":30,"cachedWriteTokens":5,"totalTokens":155}}`: {
			Input: 135, Cached: 30, Output: 20},
		`{"usage":{"totalTokens":1040,"inputTokens":1000,"outputTokens":20,"thoughtTokens":20}}`: {Input: 1000, Output: 40},
		`{"_meta":{"quota":{"token_count":{"input_tokens":2000,"output_tokens":40}}}}`:           {Input: 2000, Output: 40},
	} {
		var a answered
		if err := json.Unmarshal([]byte(text), &a); err != nil || *a.ending().Spent != want {
			t.Errorf("%s: %+v %v", text, a.ending().Spent, err)
		}
	}
	if e := (&answered{Stop: "cancelled"}).ending(); e.Spent != nil || e.Stop != "cancelled" {
		t.Errorf("%+v", e)
	}
}
