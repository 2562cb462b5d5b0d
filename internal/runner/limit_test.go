//go:build unix

package runner_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"brenner/internal/program"
	"brenner/internal/runner"
	"brenner/internal/turn"
)

// shell makes the program of all agents a shell script.
func shell(line string) *program.Catalog {
	return program.NewCatalog(map[string]program.Template{"scripted": {Headless: []string{"sh", "-c", line}}})
}

// stream writes a file with the lines of a program's stream: a template of a command takes no braces.
func stream(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stream")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// refusedByService is a program whose service takes no more.
func refusedByService(t *testing.T) string {
	return "cat " + stream(t, `{"type":"thread.started"}`,
		`{"type":"turn.failed","error":{"message":"exceeded retry limit, last status: 429 Too Many Requests"}}`) + "; exit 1"
}

// TestRests: an agent whose service takes no more rests and is started again; what it contributes then counts.
// Where no retry is left, the report says why it failed.
func TestRests(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	o := options(a, thread, 1)
	o.Retries, o.BackOff = 2, 50*time.Millisecond
	o.Programs = shell(fmt.Sprintf(`if ! test -f %[1]s/$AGENT_NAME.seen; then touch %[1]s/$AGENT_NAME.seen; %[2]s; fi; exec %[3]s `+
		`scripted-agent --script %[1]s/$AGENT_NAME.json`,
		a.Project.Root, refusedByService(t), self()))
	rested := 0
	o.Tell = func(e runner.Event) {
		if e.Kind == runner.AgentResting && strings.Contains(e.Text, "resting until") && strings.Contains(e.Text, "429") {
			rested++
		}
	}
	report, err := played(t, a, o)
	if err != nil || rested != 3 {
		t.Fatalf("%s: %s, %v; %d rested", report.Status, report.Reason, err, rested)
	}
	for _, agent := range expect(t, report, 1, runner.Contributed, runner.Contributed, runner.Contributed) {
		if agent.Attempts != 2 || agent.Rests != 1 {
			t.Errorf("%+v", agent)
		}
	}
	a, thread = project(t, whole())
	o = options(a, thread, 1)
	o.Retries, o.BackOff, o.Programs = 1, time.Millisecond, shell(refusedByService(t))
	report, _ = played(t, a, o)
	for _, agent := range expect(t, report, 1, runner.Failed, runner.Failed, runner.Failed) {
		if agent.Attempts != 2 || !strings.Contains(agent.Reason, "its service takes no more: rate limit: exceeded retry limit") {
			t.Errorf("%+v", agent)
		}
	}
}

// TestStill: a program that does not stir is ended long before its deadline; one that does is not.
func TestStill(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	o := options(a, thread, 1)
	o.StalledAfter, o.Grace = 1500*time.Millisecond, time.Second
	o.Programs = shell(`if test $AGENT_NAME = BlueLake; then for i in 1 2 3 4 5 6; do echo $i; sleep 0.4; done; else echo here; exec ` +
		`sleep 300; fi`)
	report, _ := played(t, a, o)
	agents := expect(t, report, 1, runner.Silent, runner.Late, runner.Late)
	if agents[1].End != runner.Still || agents[0].End != runner.Exited {
		t.Errorf("%+v", agents)
	}
}

// TestOutputIsBounded: of what a program prints without end, the beginning and the end are kept.
func TestOutputIsBounded(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	o := options(a, thread, 1)
	o.Programs = shell(`test $AGENT_NAME = BlueLake || exit 0; echo first; yes 0123456789abcdef0123456789abcdef | head -c 60000000; ` +
		`echo last`)
	report, _ := played(t, a, o)
	path := expect(t, report, 1, runner.Silent, runner.Silent, runner.Silent)[0].Output
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if len(text) > 17<<20 || !strings.HasPrefix(text, "first\n") || !strings.HasSuffix(text, "last\n") ||
		!strings.Contains(text, "bytes were left out here") {
		t.Errorf("%d bytes, %.20q … %q", len(text), text, text[max(0, len(text)-20):])
	}
}

// TestBudget: no agent is started once it is spent, and a higher one goes on.
func TestBudget(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	o := options(a, thread, 1)
	o.InTurn, o.Budget = true, runner.Budget{Tokens: 200}
	o.Programs = shell("cat " + stream(t, `{"type":"thread.started"}`,
		`{"type":"turn.completed","usage":{"input_tokens":90,"cached_input_tokens":80,"output_tokens":10}}`))
	report, err := played(t, a, o)
	if err != nil || report.Status != runner.Spent || report.Usage.Tokens() != 200 ||
		!strings.Contains(report.Reason, "200 tokens of 200 are spent") {
		t.Fatalf("%s: %s, %v, %+v", report.Status, report.Reason, err, report.Usage)
	}
	expect(t, report, 1, runner.Silent, runner.Silent, runner.Cut)
	o.Budget.Tokens = 1000
	report, _ = played(t, a, o)
	if report.Usage.Tokens() != 300 {
		t.Errorf("%+v", report.Usage)
	}
	for text, want := range map[string]runner.Budget{"200k": {Tokens: 200_000}, "1.5M tokens": {Tokens: 1_500_000}, "$5": {Dollars: 5},
		"2.50 USD": {Dollars: 2.5}} {
		if got, err := runner.ParseBudget(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "x", "-5", "$", "0", "NaN", "inf"} {
		if got, err := runner.ParseBudget(text); err == nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// TestPrintedInAStream: deltas in the text of a program's stream are posted, and the turn is kept with
// its prompt and what it cost.
func TestPrintedInAStream(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	for _, name := range names {
		stream := []map[string]any{
			{"type": "system", "subtype": "init", "model": "opus"},
			{"type": "assistant", "message": map[string]any{"content": []any{map[string]any{"type": "text",
				"text": whole()[name].Steps[0].Body}}}},
			{"type": "result", "subtype": "success", "result": whole()[name].Steps[0].Body, "total_cost_usd": 0.5,
				"usage": map[string]int{"input_tokens": 5, "output_tokens": 5}},
		}
		file, err := os.Create(filepath.Join(a.Project.Root, name+".stream"))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range stream {
			writeJSON(t, file.Name()+".line", line)
			data, err := os.ReadFile(file.Name() + ".line")
			if err == nil {
				_, err = file.Write(append(data, '\n'))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		_ = file.Close()
	}
	o := options(a, thread, 1)
	o.Programs = shell("cat " + a.Project.Root + "/$AGENT_NAME.stream")
	report, err := played(t, a, o)
	if err != nil || report.LintErrors != 0 || report.Usage.Dollars == nil || *report.Usage.Dollars != 1.5 {
		t.Fatalf("%s: %s, %v, %+v", report.Status, report.Reason, err, report)
	}
	for _, agent := range expect(t, report, 1, runner.Contributed, runner.Contributed, runner.Contributed) {
		if *agent.How != runner.ByOutput {
			t.Errorf("%+v", agent)
		}
		m, err := a.Mail.Message(t.Context(), agent.Messages[0])
		if err != nil {
			t.Fatal(err)
		}
		turns, err := runner.Turns(a.Project.Root, runner.TurnQuery{ThreadID: thread, Agent: agent.Agent, Message: m.CreatedAt})
		if err != nil || len(turns) != 1 || turns[0].Round != 1 || turns[0].Format != "claude" {
			t.Fatalf("%+v, %v", turns, err)
		}
		if steps := turns[0].Steps; len(steps) != 2 || steps[0].Kind != turn.Prompt || !strings.Contains(steps[0].Text, thread) ||
			steps[1].Kind != turn.Text {
			t.Errorf("%+v", steps)
		}
	}
}
