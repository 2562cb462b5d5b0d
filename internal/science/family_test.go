package science_test

import (
	"brenner/internal/science"
	"testing"
)

func TestFamily(t *testing.T) {
	more := map[string]string{"llama": "meta", "grok-cli": "xai"}
	for _, test := range []struct{ name, program, model, want string }{
		{"BlueLake", "claude-code", "", "anthropic"},
		{"BlueLake", "", "Opus 4.5", "anthropic"},
		{"BlueLake", "", "claude-sonnet-4", "anthropic"},
		{"BlueLake", "codex-cli", "", "openai"},
		{"BlueLake", "", "gpt-5.2", "openai"},
		{"BlueLake", "", "o4-mini", "openai"},
		{"BlueLake", "", "foo1", "foo1"},
		{"BlueLake", "", "gpt4", "gpt4"},
		{"BlueLake", "gemini-cli", "anything", "google"},
		{"BlueLake", "aider", "gemini-3-pro", "google"},
		{"Operator", "", "", "human"},
		{"operator", "claude-code", "", "human"},
		{"Alice", "operator", "", "human"},
		{"Alice", "human", "", "human"},
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
