package science_test

import (
	"strings"
	"testing"

	"brenner/internal/science"
)

// kick posts a KICKOFF with a roster; an entry is "name program model", - for what is not given.
func (th *thread) kick(from string, entries ...string) {
	var b strings.Builder
	b.WriteString("# Kickoff\n\n## Session Configuration\n\n**Roster Mode**: role_separated\n\n| Agent | Role | Program | Model " +
		"|\n|---|---|---|---|\n")
	for _, e := range entries {
		f := strings.Fields(e)
		b.WriteString("| " + f[0] + " | hypothesis_generator | " + f[1] + " | " + f[2] + " |\n")
	}
	th.post(from, "KICKOFF: why", b.String())
}

func compiled(version string, rows ...string) (subject, body string) {
	return "COMPILED: " + version + " more", "# Compiled Artifact " + version +
		"\n\n## Contributors\n\n| Agent | Delta Count | Items Added/Modified | Program | Model |\n|---|---|---|---|---|\n" +
		strings.Join(rows, "\n") + "\n"
}

// TestPeople: the latest of a convener's KICKOFFs that gives program or model; for senders whom no roster names the table of the
// latest COMPILED; else the registry (SCIENCE 8, family).
func TestPeople(t *testing.T) {
	th := newThread(t)
	th.kick("Ada", "Blue codex-cli gpt-5", "Green - -")
	th.kick("Ada", "Blue - -", "Red claude-code opus")
	th.kick("Blue", "Blue claude-code opus") // convenes nothing: a claim
	th.kick("Operator", "Red gemini-cli -")
	th.post(compiledFrom("Operator", "v1", "| Green | 1 | H1 | codex-cli | gpt-5 |", "| Free | 1 | H1 | codex-cli | gpt-5 |",
		"| Late | 0 | - | codex-cli | gpt-5 |"))
	th.post(compiledFrom("Operator", "v2", "| Free | 1 | H1 | - | gemini-3 |", "| Green | 1 | H1 | codex-cli | gpt-5 |"))
	registered := []science.Agent{
		{Name: "Blue", Model: "opus"}, {Name: "green", Model: "opus"}, {Name: "Free", Model: "opus"}, {Name: "Late", Model: "opus"},
		{Name: "Hollow"},
	}
	people := th.state.People(registered, func(a science.Agent) string { return a.Family(map[string]string{"Zoe": "human"}) })
	for name, want := range map[string]string{
		"Blue": "openai", "Red": "google", "Green": "anthropic", "Free": "google", "Late": "anthropic", "free": "google",
		"Hollow": "unknown", "Nobody": "unknown", "Operator": "human", "Zoe": "human",
	} {
		if got := people.Family(name); got != want {
			t.Errorf("%s is of %s, want %s", name, got, want)
		}
	}
}

func compiledFrom(from, version string, rows ...string) (sender, subject, body string) {
	subject, body = compiled(version, rows...)
	return from, subject, body
}
