package turn_test

import (
	"strings"
	"testing"

	"brenner/internal/turn"
)

func acpLines(lines ...string) string {
	for i, line := range lines {
		if strings.HasPrefix(line, "~") {
			lines[i] = `{"type":"acp.update","update":{"sessionUpdate":` + line[1:] + `}}`
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestACP: what an agent of the Agent Client Protocol did, as its client wrote it down.
func TestACP(t *testing.T) {
	t.Parallel()
	got := turn.Of([]byte(acpLines(
		`{"type":"acp.session","program":"x 1","model":"opus","session_id":"s-1"}`,
		`{"type":"acp.prompt","text":"Do it."}`,
		`~"agent_message_chunk","content":{"type":"text","text":"I "}`,
		`~"agent_message_chunk","content":{"type":"text","text":"do."}`,
		`~"tool_call","toolCallId":"c1","title":"mcp__brenner__brenner_submit","rawInput":{},"status":"pending"`,
		`~"tool_call_update","toolCallId":"c1","rawInput":{"deltas":[1]}`,
		`~"tool_call_update","toolCallId":"c1","status":"completed","content":[{"content":{"type":"text","text":"accepted"}}]`,
		`{"type":"acp.asked","text":"make all: Reject","status":"refused"}`,
		`~"something_new","title":7`,
		`{"type":"acp.end","stop":"end_turn","usage":{"input_tokens":100,"cached_input_tokens":40,"output_tokens":9},"total_cost_usd":0.5}`,
	)))
	want := []turn.Step{
		{Kind: turn.Prompt, Text: "Do it."}, {Kind: turn.Text, Text: "I do."},
		{Kind: turn.Call, Tool: "mcp__brenner__brenner_submit", Text: `{"deltas":[1]}`},
		{Kind: turn.Result, Tool: "mcp__brenner__brenner_submit", Text: "accepted"},
		{Kind: turn.Result, Tool: "consent", Text: "make all: Reject", Failed: true},
	}
	if len(got.Steps) != len(want) {
		t.Fatalf("%+v", got.Steps)
	}
	for i := range want {
		if got.Steps[i] != want[i] {
			t.Errorf("step %d: %+v", i, got.Steps[i])
		}
	}
	if got.Format != "acp" || got.Model != "opus" || got.Session != "s-1" || got.Usage == nil || got.Usage.InputTokens != 100 ||
		got.Usage.CachedTokens != 40 || got.Usage.OutputTokens != 9 || *got.Usage.Dollars != 0.5 || got.Usage.Estimated {
		t.Errorf("%+v %+v", got, got.Usage)
	}
}

// TestACPCountsAsItComes: each request to the service counts once, whether the program tells the size of its context before the answer and
// after it again, or after it alone; the end of the turn replaces the sum.
func TestACPCountsAsItComes(t *testing.T) {
	t.Parallel()
	const say = `~"agent_message_chunk","content":{"type":"text","text":"hm"}`
	const call = `~"tool_call","toolCallId":"c","title":"t"`
	const done = `~"tool_call_update","toolCallId":"c","status":"completed"`
	used := func(n string) string { return `~"usage_update","used":` + n + `,"size":200000` }
	early := []string{used("1000"), say, call, used("1020"), done, used("1100"), say, used("1120"), used("1120")}
	late := []string{say, call, done, used("1020"), say, used("1120"), used("1120")}
	for name, lines := range map[string][]string{"early": early, "late": late} {
		got := turn.Of([]byte(acpLines(lines...)))
		if u := got.Spent(0); u == nil || u.Tokens() != 1020+1120 || !u.Estimated {
			t.Errorf("%s: %+v", name, u)
		}
		end := `{"type":"acp.end","stop":"cancelled","usage":{"input_tokens":2000,"output_tokens":40}}`
		got = turn.Of([]byte(acpLines(append(lines, end)...)))
		if u := got.Spent(0); u.Tokens() != 2040 || u.Estimated {
			t.Errorf("%s, ended: %+v", name, u)
		}
	}
	silent := turn.Of([]byte(acpLines(`{"type":"acp.prompt","text":"`+strings.Repeat("x", 4000)+`"}`, say)))
	if u := silent.Spent(4000); u == nil || u.InputTokens < 1000 || !u.Estimated {
		t.Errorf("a program that tells nothing: %+v", u)
	}
}

// TestACPRefused: a login that is not known, and a service that takes no more.
func TestACPRefused(t *testing.T) {
	t.Parallel()
	out := turn.Of([]byte(`{"type":"acp.error","code":-32000,"message":"Authentication required"}` + "\n"))
	if words, barred := out.Barred(""); !barred || words != "Authentication required" {
		t.Errorf("%q %v", words, barred)
	}
	stopped := turn.Of([]byte(`{"type":"acp.end","stop":"max_tokens"}` + "\n"))
	if stopped.LastWords() != "it ended its turn: max_tokens" {
		t.Errorf("%q", stopped.LastWords())
	}
}
