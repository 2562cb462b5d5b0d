package science_test

import (
	"testing"

	"brenner/internal/science"
)

func TestFamily(t *testing.T) {
	more := map[string]string{"local": "inhouse", "grok-cli": "xai", "Bea": "human", "person": "human"}
	for _, test := range []struct{ name, program, model, want string }{
		{"BlueLake", "claude-code", "", "anthropic"},
		{"BlueLake", "", "Opus 4.5", "anthropic"},
		{"BlueLake", "", "claude-sonnet-4", "anthropic"},
		{"BlueLake", "codex-cli", "", "openai"},
		{"BlueLake", "", "gpt-5.2", "openai"},
		{"BlueLake", "", "o4-mini", "openai"},
		{"BlueLake", "", "foo1", "unknown"},
		{"BlueLake", "", "gpt4", "openai"},
		{"BlueLake", "gemini-cli", "anything", "google"},
		{"BlueLake", "gemini-cli", "claude-sonnet-4", "anthropic"},
		{"BlueLake", "", "qwen3", "alibaba"},
		{"BlueLake", "", "llama3.2", "meta"},
		{"BlueLake", "", "kimi-k2", "moonshot"},
		{"BlueLake", "", "local-7b", "inhouse"},
		{"bea", "aider", "gpt-5", "human"},
		{"BlueLake", "", "person", "unknown"},
		{"BlueLake", "", "human", "unknown"},
		{"BlueLake", "aider", "gemini-3-pro", "google"},
		{"Operator", "", "", "human"},
		{"operator", "claude-code", "", "human"},
		{"Alice", "operator", "", "unknown"},
		{"Alice", "human", "", "unknown"},
		{"BlueLake", "aider", "Llama-4", "meta"},
		{"BlueLake", "grok-cli", "", "xai"},
		{"BlueLake", "aider", "Mistral-large", "mistral"},
		{"BlueLake", "aider", "", "unknown"},
		{"BlueLake", "", "--", "unknown"},
	} {
		if got := (science.Agent{Name: test.name, Program: test.program, Model: test.model}).Family(more); got != test.want {
			t.Errorf("family of %+v is %s", test, got)
		}
	}
}
