//go:build unix

package runner_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"brenner/internal/app"
	"brenner/internal/cli"
	"brenner/internal/config"
	"brenner/internal/mail"
	"brenner/internal/program"
	"brenner/internal/protocol"
	"brenner/internal/runner"
	"brenner/internal/session"
)

// actAs says what a process of this test binary is: the program itself, or a runner that is killed at
// a certain step.
const actAs = "RUNNER_TEST_AS"

func TestMain(m *testing.M) {
	role := os.Getenv(actAs)
	for name, value := range map[string]string{actAs: "brenner", "GORACE": "atexit_sleep_ms=0"} { // for the processes it starts
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	if slices.ContainsFunc(os.Args, func(arg string) bool { return strings.HasPrefix(arg, "-test.fuzzworker") }) {
		role = "" // go test started it, with what was meant for others
	}
	switch role {
	case "brenner":
		os.Exit(cli.Main(os.Args[1:], cli.System()))
	case "queue":
		os.Exit(queueProcess(os.Args[1], os.Args[2], os.Args[3:]))
	case "machine":
		os.Exit(machineProcess(os.Args[1], os.Args[2], os.Args[3], os.Args[4:]))
	case "doomed":
		os.Exit(doomedRun(os.Args[1], os.Args[2], os.Args[3]))
	case "budgeted":
		os.Exit(budgetedRun(os.Args[1], os.Args[2]))
	}
	goleak.VerifyTestMain(m)
}

// doomedRun plays three rounds and kills itself the first time that one of its steps comes in a round.
func doomedRun(root, thread, at string) int {
	a, err := app.Open(context.Background(), app.Options{Project: app.Project{Root: root, WorkDir: root}})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	o := options(a, thread, 3)
	o.Tell = func(e runner.Event) {
		marker := filepath.Join(root, fmt.Sprintf("crash-%s-%d", e.Kind, e.Round))
		steps := strings.Split(at, ",")
		mine := slices.Contains(steps, string(e.Kind)) || slices.Contains(steps, string(e.Kind)+":"+e.Agent)
		if _, err := os.Stat(marker); err != nil && mine {
			if err := os.WriteFile(marker, nil, 0o600); err != nil {
				panic(err)
			}
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	if _, err := runner.Run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// self is this test binary.
func self() string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return path
}

func options(a *app.App, thread string, rounds int) runner.Options {
	return runner.Options{
		Sessions: a.Sessions, Programs: catalog(a), ThreadID: thread, As: mail.Operator, Root: a.Project.Root,
		Brenner: []string{self(), "--project", a.Project.Root},
		Kept:    runner.Kept{Rounds: rounds, Deadline: time.Minute, Grace: 5 * time.Second},
	}
}

// catalog has the programs of the settings. The tests wrote these themselves and need no trust.
func catalog(a *app.App) *program.Catalog {
	own := a.Config
	own.Templates = config.Templates{}
	return app.Catalog(own, a.Project.Root)
}

// script is the JSON of a scripted agent.
type script struct {
	Fault string `json:"fault,omitempty"`
	Slow  string `json:"slow,omitempty"`
	Steps []step `json:"steps"`
	ACP   acpAct `json:"acp"`
}

// acpAct is what a scripted agent of the Agent Client Protocol does besides.
type acpAct struct {
	SignedOut bool    `json:"signed_out,omitempty"`
	Limited   string  `json:"limited,omitempty"`
	Asks      string  `json:"asks,omitempty"`
	Answers   int     `json:"answers,omitempty"`
	Tokens    int     `json:"tokens,omitempty"`
	Pace      string  `json:"pace,omitempty"`
	Dollars   float64 `json:"dollars,omitempty"`
}

type step struct {
	On      *cue     `json:"on,omitempty"`
	Round   int      `json:"round,omitempty"`
	Subject string   `json:"subject"`
	Body    string   `json:"body"`
	To      []string `json:"to,omitempty"`
	Reply   bool     `json:"reply,omitempty"`
	Fault   string   `json:"fault,omitempty"`
}

type cue struct {
	Type string `json:"type"`
	From string `json:"from,omitempty"`
}

// The agents, in the order of the roster.
var names = []string{"BlueLake", "RedSky", "GreenDog"}

// project makes a project with a session of three scripted agents.
func project(t testing.TB, scripts map[string]script) (*app.App, string) {
	t.Helper()
	return projectWith(t, scripts, "scripted", "scripted", "scripted")
}

// projectWith makes a project with a session whose agents have these programs.
func projectWith(t testing.TB, scripts map[string]script, programs ...string) (*app.App, string) {
	t.Helper()
	return projectOn(t, "", scripts, programs...)
}

// projectOn is projectWith on a store; empty: the project's own.
func projectOn(t testing.TB, store string, scripts map[string]script, programs ...string) (*app.App, string) {
	t.Helper()
	root := t.TempDir()
	for name, s := range scripts {
		writeJSON(t, filepath.Join(root, name+".json"), s)
	}
	writeJSON(t, filepath.Join(root, "brenner.config.json"), map[string]any{"agents": map[string]any{
		"scripted": map[string]any{"headless": []string{self(), "--project", root, "scripted-agent", "--script",
			filepath.Join(root, "{agent}.json")}},
		"absent": map[string]any{"headless": []string{filepath.Join(root, "not-there")}},
	}})
	a, err := app.Open(t.Context(), app.Options{Project: app.Project{Root: root, WorkDir: root}, Store: store})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	return a, begin(t, a, programs...)
}

// begin starts a session with the programs of the three agents.
func begin(t testing.TB, a *app.App, programs ...string) string {
	t.Helper()
	var entries []protocol.RosterEntry
	for i, role := range protocol.Roles() {
		entries = append(entries, protocol.RosterEntry{AgentName: names[i], Role: role, Program: programs[i],
			Model: []string{"gpt", "opus", "gemini"}[i]})
	}
	started, err := a.Sessions.Start(t.Context(), session.StartRequest{
		From: mail.Operator, Question: "Why does the tide turn?", Context: "Notes of a harbour.", Excerpt: "> it turns (§1)",
		Roster: session.RosterRequest{Sources: []session.RosterSource{{Origin: "test", Entries: entries}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return started.ThreadID
}

func writeJSON(t testing.TB, path string, v any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// contribution is a body with these blocks.
func contribution(blocks ...string) string {
	return "# Delta Contribution\n\n## Deltas\n\n" + strings.Join(blocks, "\n")
}

// block writes one delta.
func block(operation, section, target string, payload map[string]any) string {
	object := map[string]any{"operation": operation, "section": section, "payload": payload, "rationale": "The notes say so."}
	if target != "" {
		object["target_id"] = target
	}
	text, err := json.MarshalIndent(object, "", "  ")
	if err != nil {
		panic(err)
	}
	return "```delta\n" + string(text) + "\n```\n"
}

func hypothesis(n int) string {
	return block("ADD", "hypothesis_slate", "", map[string]any{
		"name": "Cause " + strconv.Itoa(n), "claim": fmt.Sprintf("Cause %d turns it", n), "mechanism": "By force",
		"anchors": []string{"§1"}, "third_alternative": n == 3,
	})
}

func prediction(condition string) string {
	return block("ADD", "predictions_table", "",
		map[string]any{"condition": condition, "predictions": map[string]string{"H1": "up", "H2": "down", "H3": "flat"}})
}

func trial(name string) string {
	return block("ADD", "discriminative_tests", "", map[string]any{
		"name": name, "procedure": "Look", "discriminates": "H1 vs H2", "expected_outcomes": map[string]string{"H1": "up", "H2": "down"},
		"potency_check": "A bucket", "score": map[string]int{"likelihood_ratio": 2, "cost": 2, "speed": 2, "ambiguity": 1},
	})
}

func assumption(n int) string {
	return block("ADD", "assumption_ledger", "", map[string]any{
		"name": "Ground " + strconv.Itoa(n), "statement": "It holds", "load": "All of it", "test": "Look", "status": "unchecked",
		"scale_check": n == 1, "calculation": "2 × 3 m = 6 m",
	})
}

func attack(n int) string {
	return block("ADD", "adversarial_critique", "", map[string]any{
		"name": "Attack " + strconv.Itoa(n), "attack": "It does not", "evidence": "§1", "current_status": "open",
		"real_third_alternative": n == 1,
	})
}

// whole are the contributions that make an artifact without lint errors.
func whole() map[string]script {
	return map[string]script{
		"BlueLake": {Steps: []step{{Round: 1, Subject: "DELTA[gpt]: Causes", Body: contribution(
			hypothesis(1), hypothesis(2), hypothesis(3), prediction("calm"), prediction("storm"), prediction("night"))}}},
		"RedSky": {Steps: []step{{Round: 1, Subject: "DELTA[opus]: Tests", Body: contribution(
			trial("Lamp"), trial("Cloth"), assumption(1), assumption(2), assumption(3))}}},
		"GreenDog": {Steps: []step{{Round: 1, Subject: "DELTA[gemini]: Attacks", Body: contribution(attack(1), attack(2))}}},
	}
}

// with changes the script of one agent.
func with(scripts map[string]script, name string, change func(*script)) map[string]script {
	s := scripts[name]
	change(&s)
	scripts[name] = s
	return scripts
}
