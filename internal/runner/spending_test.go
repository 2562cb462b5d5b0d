//go:build unix

package runner_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"brenner/internal/app"
	"brenner/internal/liveness"
	"brenner/internal/program"
	"brenner/internal/protocol"
	"brenner/internal/runner"
	"brenner/internal/session"
)

// streaming makes the program of all agents a shell script that prints a stream.
func streaming(line string) *program.Catalog {
	return program.NewCatalog(map[string]program.Template{"scripted": {Headless: []string{"sh", "-c", line}}})
}

// answer is an event of Claude Code's stream with what one answer of its service took.
func answer(id string, input, output int) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"id":%q,"content":[{"type":"text","text":"Hm."}],`+
		`"usage":{"input_tokens":%d,"output_tokens":%d}}}`, id, input, output)
}

// TestBudgetIsACeiling: a program is ended in the middle of its turn when the budget is spent, what it used is kept, and the run waits
// for a person. With a higher budget it goes on.
func TestBudgetIsACeiling(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	o := options(a, thread, 1)
	o.InTurn, o.Budget, o.Grace = true, runner.Budget{Tokens: 500}, time.Second
	// An answer comes in two pieces and counts once; 4 answers of 150 are over 500 before the program would end.
	o.Programs = streaming(fmt.Sprintf(`cat %s; for n in 1 2 3 4 5 6 7 8 9; do cat %s | sed s/ID/$n/; sleep 0.5; done; exec sleep 600`,
		stream(t, `{"type":"system","subtype":"init","model":"m","session_id":"s"}`),
		stream(t, answer("mID", 100, 50), answer("mID", 100, 50))))
	report, err := played(t, a, o)
	if err != nil || report.Status != runner.Spent {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	if used := report.Usage.Tokens(); used < 500 || used > 500+2*150 {
		t.Errorf("%d tokens are used", used)
	}
	agents := report.Rounds[0].Agents
	if agents[0].End != runner.OverBudget || agents[0].Usage == nil || agents[1].Attempts != 0 {
		t.Errorf("%+v", agents)
	}
	todos, err := sessionTodos(t, a, thread)
	if err != nil || !slices.ContainsFunc(todos, func(t session.ToDo) bool {
		return t.Kind == session.ToDoRun && strings.Contains(t.What, "500 are spent") && t.Command.Do == "run.edit" &&
			t.Command.Give == "budget"
	}) {
		t.Errorf("%v %+v", err, todos)
	}
	o.Budget, o.Programs = runner.Budget{Tokens: 100000}, catalog(a)
	report, err = played(t, a, o)
	if err != nil || report.Status == runner.Spent {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	expect(t, report, 1, runner.Contributed, runner.Contributed, runner.Contributed)
}

// TestBudgetOfAScript: a program that only prints and tells its tokens on lines of its own is ended at the ceiling too, and what it used is
// told while it works and afterwards.
func TestBudgetOfAScript(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	o := options(a, thread, 1)
	o.InTurn, o.Budget, o.Grace = true, runner.Budget{Tokens: 500}, time.Second
	o.Programs = streaming("for n in 1 2 3 4 5 6 7 8 9; do cat " +
		stream(t, `{"type": "usage", "usage": {"input_tokens": 100, "output_tokens": 50}}`) + "; sleep 0.5; done; exec sleep 600")
	used := func(atWork bool) int64 {
		t.Helper()
		works, err := a.Programs.Work(t.Context(), thread)
		if err != nil {
			t.Error(err)
		}
		for _, w := range works {
			if w.Usage != nil && (w.PID > 0 || !atWork) {
				return w.Usage.InputTokens + w.Usage.OutputTokens
			}
		}
		return 0
	}
	ended := make(chan struct{})
	told := make(chan bool, 1)
	go func() {
		for seen := int64(0); ; time.Sleep(20 * time.Millisecond) {
			select {
			case <-ended:
				told <- seen > 0
				return
			default:
				seen = max(seen, used(true))
			}
		}
	}()
	report, err := played(t, a, o)
	close(ended)
	if err != nil || report.Status != runner.Spent {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	if !<-told {
		t.Error("nothing was told while it worked")
	}
	first := report.Rounds[0].Agents[0]
	if u := first.Usage; first.End != runner.OverBudget || u == nil || u.Estimated || u.Tokens() < 500 || u.Tokens() > 500+2*150 ||
		used(false) != u.Tokens() {
		t.Errorf("%+v %+v, and %d are shown", first, first.Usage, used(false))
	}
}

// TestBudgetOfAnAgentAndOfADay: each has a ceiling of its own; that of the day counts what other runs spent.
func TestBudgetOfAnAgentAndOfADay(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	o := options(a, thread, 1)
	o.InTurn, o.AgentBudget = true, runner.Budget{Tokens: 100}
	o.Programs = streaming("cat " + stream(t, answer("m1", 90, 20), answer("m2", 90, 20)) + "; exec sleep 600")
	report, _ := played(t, a, o)
	for _, agent := range report.Rounds[0].Agents {
		if agent.End != runner.OverBudget || agent.Usage.Tokens() != 220 || !strings.Contains(agent.Reason, "of "+agent.Agent) {
			t.Errorf("%+v", agent)
		}
	}
	other := options(a, thread, 1)
	other.DayBudget = runner.Budget{Tokens: 600}
	report, err := played(t, a, other)
	if err != nil || report.Status != runner.Spent || !strings.Contains(report.Reason, "of today") {
		t.Errorf("%s: %s, %v", report.Status, report.Reason, err)
	}
}

// TestDollars: a budget in dollars is refused before anything is started where a program tells none and has no price; with a price
// what it used is worth dollars.
func TestDollars(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	o := options(a, thread, 1)
	o.Budget = runner.Budget{Dollars: 1}
	_, err := played(t, a, o)
	if protocol.CodeOf(err) != protocol.InvalidInput || !strings.Contains(err.Error(), "scripted tells no dollars") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(filepath.Join(a.Project.Root, ".brenner", "run", thread, "round-1", "BlueLake.json")); err == nil {
		t.Error("an agent was started")
	}
	o.InTurn, o.Prices = true, map[string]runner.Price{"scripted": {Input: 1000, Output: 10000}}
	o.Programs = streaming("cat " + stream(t, answer("m1", 500, 100)) + "; exec sleep 600")
	report, err := played(t, a, o)
	if err != nil || report.Status != runner.Spent || report.Usage.Dollars == nil || *report.Usage.Dollars != 1.5 {
		t.Errorf("%s: %s, %v %+v", report.Status, report.Reason, err, report.Usage)
	}
}

// TestEstimates: what a program tells only at the end is estimated for a turn that was cut off, and marked as that; the notes that
// Codex keeps of its session are better.
func TestEstimates(t *testing.T) {
	a, thread := project(t, whole())
	t.Setenv("CODEX_HOME", t.TempDir())
	o := options(a, thread, 1)
	o.InTurn, o.StalledAfter, o.Grace = true, time.Second, time.Second
	codex := stream(t, `{"type":"thread.started","thread_id":"0199aaaa-bbbb-cccc-dddd-eeeeffff0000"}`,
		`{"type":"item.completed","item":{"type":"agent_message","text":"`+strings.Repeat("word ", 80)+`"}}`)
	o.Programs = streaming("cat " + codex + "; exec sleep 600")
	report, _ := played(t, a, o)
	if u := report.Rounds[0].Agents[0].Usage; u == nil || !u.Estimated || u.OutputTokens != 100 || u.InputTokens < 100 {
		t.Errorf("%+v", u)
	}
	day := filepath.Join(os.Getenv("CODEX_HOME"), "sessions", "2026", "11", "18")
	if err := os.MkdirAll(day, 0o700); err != nil {
		t.Fatal(err)
	}
	noted := `{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":700,` +
		`"cached_input_tokens":600,` +
		`"output_tokens":40}}}}` + "\n"
	if err := os.WriteFile(filepath.Join(day, "rollout-2026-11-18T00-00-00-0199aaaa-bbbb-cccc-dddd-eeeeffff0000.jsonl"), []byte(noted),
		0o600); err != nil {
		t.Fatal(err)
	}
	a, thread = projectWith(t, whole(), "codex-cli", "codex-cli", "codex-cli")
	o = options(a, thread, 1)
	o.InTurn, o.StalledAfter, o.Grace = true, time.Second, time.Second
	o.Programs = program.NewCatalog(map[string]program.Template{"codex-cli": {Headless: []string{"sh", "-c",
		"cat " + codex + "; exec sleep 600"}}})
	report, _ = played(t, a, o)
	if u := report.Rounds[0].Agents[0].Usage; u == nil || u.Estimated || u.Tokens() != 740 || u.CachedTokens != 600 {
		t.Errorf("%+v", u)
	}
}

// TestSignedOut: a program whose service does not know it is ended at once, nobody of its program is started a second time, and the
// verdict says how to sign in.
func TestSignedOut(t *testing.T) {
	t.Parallel()
	a, thread := projectWith(t, whole(), "claude-code", "claude-code", "claude-code")
	starts := filepath.Join(t.TempDir(), "starts")
	o := options(a, thread, 2)
	o.InTurn, o.Grace = true, time.Second
	o.Programs = program.NewCatalog(map[string]program.Template{"claude-code": {Headless: []string{"sh", "-c",
		"echo x >>" + starts + "; cat " + stream(t, `{"type":"system","subtype":"init","model":"m"}`,
			`{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"error_status":401,"error":"authentication_failed"}`) +
			"; exec sleep 600"}}})
	report, err := played(t, a, o)
	if protocol.CodeOf(err) != protocol.RunStalled {
		t.Errorf("%v", err)
	}
	for _, agent := range expect(t, report, 1, runner.Failed, runner.Failed, runner.Failed) {
		if agent.End != runner.SignedOut || !strings.Contains(agent.Reason, "/login") {
			t.Errorf("%+v", agent)
		}
	}
	if text, _ := os.ReadFile(starts); string(text) != "x\n" {
		t.Errorf("started %d times", strings.Count(string(text), "x"))
	}
	of, err := a.Sessions.Session(t.Context(), thread)
	if err != nil {
		t.Fatal(err)
	}
	verdicts, err := of.Liveness(t.Context())
	if err != nil || verdicts[0].State != liveness.SignedOut || !strings.Contains(verdicts[0].Reason, "/login") {
		t.Errorf("%v %+v", err, verdicts)
	}
	todos, err := sessionTodos(t, a, thread)
	if err != nil || len(todos) == 0 || todos[0].Kind != session.ToDoSignIn {
		t.Errorf("%v %+v", err, todos)
	}
}

// TestRestsAsTold: a service's own time holds also if it is shorter than ours, and for all agents of the program.
func TestRestsAsTold(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	o := options(a, thread, 1)
	o.BackOff, o.Retries = 10*time.Minute, 1
	o.Programs = shell(fmt.Sprintf(`if mkdir %[1]s/seen 2>/dev/null; then cat %[2]s; exit 1; fi; exec %[3]s scripted-agent `+
		`--script %[1]s/$AGENT_NAME.json`, a.Project.Root, stream(t, `{"type":"thread.started"}`,
		`{"type":"turn.failed","error":{"message":"Rate limit reached. Please try again in 1s."}}`), self()))
	begun := time.Now()
	report, err := played(t, a, o)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, report, 1, runner.Contributed, runner.Contributed, runner.Contributed)
	if time.Since(begun) > 5*time.Minute {
		t.Error("the time that the service told was not heeded")
	}
	slots := runner.NewSlots(nil)
	until := time.Now().Add(300 * time.Millisecond)
	slots.Rest("claude-code", until)
	if _, err := slots.Take(t.Context(), "codex-cli"); err != nil {
		t.Error(err)
	}
	if _, err := slots.Take(t.Context(), "claude-code"); err != nil || time.Now().Before(until) {
		t.Errorf("one that rests was let begin: %v", err)
	}
}

// sessionTodos is what waits for a person in a session, as todo lists it, without what lint and the merge leave.
func sessionTodos(t *testing.T, a *app.App, thread string) ([]session.ToDo, error) {
	t.Helper()
	of, err := a.Sessions.Session(t.Context(), thread)
	if err != nil {
		t.Fatal(err)
	}
	return of.ToDos(t.Context())
}
