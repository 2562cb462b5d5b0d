package turn_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"brenner/internal/turn"
)

func read(t *testing.T, name string) turn.Turn {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return turn.Of(data)
}

// TestTold: a program that only prints tells what it used on lines of their own, which are none of its words.
func TestTold(t *testing.T) {
	got := turn.Of([]byte("I add one.\n" +
		`{"type": "usage", "usage": {"input_tokens": 900, "cached_input_tokens": 100, "output_tokens": 40}, ` +
		`"total_cost_usd": 0.25}` + "\n" +
		"And {\"two\": 2}.\n" +
		`{"type":"usage","model":"qwen3","usage":{"prompt_tokens":100,"completion_tokens":2,` +
		`"prompt_tokens_details":{"cached_tokens":7}}}` + "\n" +
		`{"type": "usage", "usage": {"input_tokens": -5, "output_tokens": "many"}}` + "\n" +
		`{"type": "usage"}` + "\n"))
	quarter := 0.25
	want := turn.Usage{InputTokens: 1000, CachedTokens: 107, OutputTokens: 42, Dollars: &quarter}
	if diff := cmp.Diff(&want, got.Usage); diff != "" || got.Format != "text" || got.Model != "qwen3" {
		t.Errorf("%s, %q: %s", got.Format, got.Model, diff)
	}
	if said := got.Said(); said != "I add one.\n\n\nAnd {\"two\": 2}.\n\n\n{\"type\": \"usage\"}\n" {
		t.Errorf("it said %q", said)
	}
	if !turn.Tells(`{"type": "usage", "usage": {}}`) || turn.Tells("I use 900 tokens.") {
		t.Error("a line with what was used is not told from words")
	}
}

// TestStreams: the three streams come to the same steps.
func TestStreams(t *testing.T) {
	quarter := 0.25
	const args = `{"thread_id":"RS-1"}`
	for name, want := range map[string]turn.Turn{
		"claude-ok.jsonl": {Format: "claude", Model: "claude-opus-5-5",
			Steps: []turn.Step{{Kind: turn.Text, Text: "Hello from the stand-in"}},
			Usage: &turn.Usage{InputTokens: 12, OutputTokens: 7, Dollars: new(0.000188)}},
		"codex-ok.jsonl": {Format: "codex", Steps: []turn.Step{{Kind: turn.Text, Text: "Hello from the stand-in"}},
			Usage: &turn.Usage{InputTokens: 12, OutputTokens: 7}},
		"claude-tools.jsonl": {Format: "claude", Model: "claude-opus-5-5", Steps: []turn.Step{
			{Kind: turn.Text, Text: "I submit."}, {Kind: turn.Call, Tool: "mcp__brenner__brenner_submit", Text: args},
			{Kind: turn.Result, Tool: "mcp__brenner__brenner_submit", Text: "VALIDATION_FAILED", Failed: true},
			{Kind: turn.Text, Text: "\x1b[2Jdone"},
		}, Usage: &turn.Usage{InputTokens: 100, CachedTokens: 90, OutputTokens: 20, Dollars: &quarter}},
		"codex-tools.jsonl": {Format: "codex", Steps: []turn.Step{
			{Kind: turn.Call, Tool: "brenner_submit", Text: args}, {Kind: turn.Result, Tool: "brenner_submit", Text: "accepted"},
			{Kind: turn.Call, Tool: "fetch_inbox", Text: "{}"}, {Kind: turn.Result, Tool: "fetch_inbox", Text: "NOT_FOUND", Failed: true},
			{Kind: turn.Call, Tool: "shell", Text: "ls"}, {Kind: turn.Result, Tool: "shell", Text: "\nexit code 1", Failed: true},
			{Kind: turn.Text, Text: "done"},
		}, Usage: &turn.Usage{InputTokens: 100, CachedTokens: 40, OutputTokens: 20}},
		"gemini-tools.jsonl": {Format: "gemini", Model: "gemini-2.5-pro", Steps: []turn.Step{
			{Kind: turn.Prompt, Text: "Go\n"}, {Kind: turn.Text, Text: "I submit."}, {Kind: turn.Call, Tool: "brenner_submit", Text: args},
			{Kind: turn.Result, Tool: "brenner_submit", Text: "NOT_FOUND", Failed: true}, {Kind: turn.Text, Text: "done"},
		}, Usage: &turn.Usage{InputTokens: 12, CachedTokens: 3, OutputTokens: 7}},
	} {
		got := read(t, name)
		if diff := cmp.Diff(want, got, cmp.FilterPath(func(p cmp.Path) bool {
			last := p.Last().String()
			return last == ".Session"
		}, cmp.Ignore()), cmpopts.IgnoreUnexported(turn.Turn{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	whole := turn.Of([]byte(`{"response": "Hi", "stats": {"models": {"g": {"tokens": {"prompt": 3, "candidates": 2}}}}}`))
	if whole.Said() != "Hi" || whole.Usage.Tokens() != 5 || whole.Format != "gemini" {
		t.Errorf("%+v", whole)
	}
	text := turn.Of([]byte("Hello\n```delta\n{\"operation\": \"ADD\"}\n```\n"))
	if text.Format != "text" || text.Said() != "Hello\n```delta\n{\"operation\": \"ADD\"}\n```\n" || text.Usage != nil {
		t.Errorf("%+v", text)
	}
}

// TestLimits: what the programs print when their services refuse, as they printed it.
func TestLimits(t *testing.T) {
	now := time.Date(2026, 11, 16, 8, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name, errs, reason string
		wait               time.Duration // 0: it does not say
	}{
		{name: "claude-429.jsonl", reason: "rate limit"},
		{name: "claude-over.jsonl", reason: "overload"},
		{name: "codex-429.jsonl", reason: "rate limit"},
		{name: "codex-over.jsonl", reason: "overload"},
		{name: "codex-usage.jsonl", reason: "usage limit", wait: -1}, // a date of its own clock
		{name: "gemini-429.err", reason: "usage limit", wait: 38200 * time.Millisecond},
		{name: "gemini-over.err", reason: "overload"},
		{errs: "Claude AI usage limit reached|1794819600", reason: "usage limit", wait: time.Hour},
		{errs: "You've hit your session limit · resets 10:30am (UTC)", reason: "usage limit", wait: 150 * time.Minute},
		{errs: "5-hour limit reached ∙ resets 7am (UTC)", reason: "usage limit", wait: 23 * time.Hour},
		{errs: "stream error: Rate limit reached for gpt-5. Please try again in 11.054s.", reason: "rate limit",
			wait: 11054 * time.Millisecond},
		{errs: "You've hit your usage limit. Try again in 3 days 4 hours 5 minutes.", reason: "usage limit",
			wait: 76*time.Hour + 5*time.Minute},
		{errs: `{"error":{"status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"38s"}]}}`, reason: "rate limit", wait: 38 * time.Second},
		{errs: "You have exhausted your capacity on this model. Your quota will reset after 3h2m5s.", reason: "usage limit",
			wait: 3*time.Hour + 2*time.Minute + 5*time.Second},
	} {
		errs := test.errs
		var got turn.Turn
		switch {
		case strings.HasSuffix(test.name, ".err"):
			data, err := os.ReadFile(filepath.Join("testdata", test.name))
			if err != nil {
				t.Fatal(err)
			}
			errs = string(data)
		case test.name != "":
			got = read(t, test.name)
		}
		limit, ok := got.Limit(errs, now)
		wait := time.Duration(0)
		if !limit.Until.IsZero() {
			wait = limit.Until.Sub(now)
		}
		if !ok || limit.Reason != test.reason || limit.Words == "" || wait != test.wait && (test.wait >= 0 || wait < 24*time.Hour) {
			t.Errorf("%s%s: %v, %+v, wait %s", test.name, test.errs, ok, limit, wait)
		}
	}
	talk := turn.Of([]byte(`{"type":"item.completed","item":{"type":"agent_message","text":"Their rate limit is 429."}}` + "\n" +
		`{"type":"turn.failed","error":{"message":"boom"}}`))
	if limit, ok := talk.Limit("no such file", now); ok {
		t.Errorf("an agent that talks about limits has met one: %+v", limit)
	}
}

// FuzzOf: whatever a program prints, there is a bounded turn of text that can be shown.
func FuzzOf(f *testing.F) {
	names, err := filepath.Glob("testdata/*.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"type":"result","stats":{"input_tokens":-9}}`))
	f.Add([]byte(`{"type":"message","content":{"a":1},"role":7}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got := turn.Of(data)
		for _, s := range got.Steps {
			if !utf8.ValidString(s.Text) || strings.ContainsRune(s.Text, 0) {
				t.Fatalf("%q", s.Text)
			}
		}
		if got.Usage != nil && got.Usage.Tokens() < 0 {
			t.Fatalf("%+v", got.Usage)
		}
		if _, err := json.Marshal(got); err != nil {
			t.Fatal(err)
		}
		_, _ = got.Limit(string(data), time.Unix(0, 0))
		_ = got.LastWords()
	})
}
