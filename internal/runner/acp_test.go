//go:build unix

package runner_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"brenner/internal/app"
	"brenner/internal/liveness"
	"brenner/internal/program"
	"brenner/internal/runner"
	"brenner/internal/session"
)

// overACP makes the program of all agents a scripted agent of the Agent Client Protocol.
func overACP(a *app.App) *program.Catalog {
	return program.NewCatalog(map[string]program.Template{"scripted": {ACP: []string{self(), "scripted-agent", "--acp", "--script",
		filepath.Join(a.Project.Root, "{agent}.json")}}})
}

// acting gives all scripts what an agent of the protocol does besides.
func acting(scripts map[string]script, act acpAct) map[string]script {
	for name, s := range scripts {
		s.ACP = act
		scripts[name] = s
	}
	return scripts
}

// TestACPRound: agents of the Agent Client Protocol contribute by the server that they are handed, and what they used is known.
func TestACPRound(t *testing.T) {
	t.Parallel()
	a, thread := project(t, acting(whole(), acpAct{Answers: 2, Tokens: 100, Dollars: 0.25}))
	o := options(a, thread, 1)
	o.Programs = overACP(a)
	report, err := played(t, a, o)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, report, 1, runner.Contributed, runner.Contributed, runner.Contributed)
	for _, agent := range report.Rounds[0].Agents {
		if u := agent.Usage; u == nil || u.Tokens() != 200 || u.Estimated || u.Dollars == nil || *u.Dollars != 0.5 {
			t.Errorf("%s used %+v: %s", agent.Agent, agent.Usage, agent.LastWords)
		}
	}
	turns, err := runner.TurnRefs(a.Project.Root, runner.TurnQuery{ThreadID: thread})
	if err != nil || len(turns) != 3 {
		t.Errorf("%v %+v", err, turns)
	}
}

// TestACPBudget: at its ceiling a turn is cancelled, and the program says itself how far it came.
func TestACPBudget(t *testing.T) {
	t.Parallel()
	a, thread := project(t, acting(whole(), acpAct{Answers: 1000, Tokens: 20000, Pace: "250ms"}))
	o := options(a, thread, 1)
	o.InTurn, o.Budget, o.Programs = true, runner.Budget{Tokens: 100_000}, overACP(a)
	report, err := played(t, a, o)
	if err != nil || report.Status != runner.Spent {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	agent := report.Rounds[0].Agents[0]
	if u := agent.Usage; agent.End != runner.OverBudget || u == nil || u.Tokens() < 100_000 || u.Tokens() > 160_000 || u.Estimated {
		t.Errorf("%+v %+v", agent, u)
	}
}

// TestACPConsent: what an agent asks for is refused at once unless the run says how long a person has; then it is told everywhere, and a
// key answers it.
func TestACPConsent(t *testing.T) {
	t.Parallel()
	a, thread := project(t, acting(whole(), acpAct{Asks: "make all"}))
	o := options(a, thread, 1)
	o.Programs = overACP(a)
	if _, err := played(t, a, o); err != nil {
		t.Fatal(err)
	}
	if text := acpSaid(t, a, thread, "BlueLake"); !strings.Contains(text, "It answered no.") {
		t.Errorf("it was not refused: %s", text)
	}
	b, thread := project(t, acting(whole(), acpAct{Asks: "make all"}))
	o = options(b, thread, 1)
	o.Programs, o.Consent, o.InTurn = overACP(b), time.Minute, true
	answered := make(chan error, 1)
	go func() { answered <- answerAll(b, thread) }()
	report, err := played(t, b, o)
	if err := errors.Join(err, <-answered); err != nil {
		t.Fatal(err)
	}
	expect(t, report, 1, runner.Contributed, runner.Contributed, runner.Contributed)
	if text := acpSaid(t, b, thread, "BlueLake"); !strings.Contains(text, "It answered yes.") {
		t.Errorf("the key was not heard: %s", text)
	}
}

// answerAll answers what the agents of a session ask, as its list of what waits says.
func answerAll(a *app.App, thread string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for left := slices.Clone(names); len(left) > 0 && ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
		of, err := a.Sessions.Session(ctx, thread)
		if err != nil {
			return err
		}
		todos, err := of.ToDos(ctx)
		if err != nil {
			return err
		}
		for _, todo := range todos {
			if todo.Kind != session.ToDoAsk || !slices.Contains(left, todo.Agent) {
				continue // what was answered may stand a moment longer
			}
			if todo.Agent != left[0] || todo.Command.Do != "nudge" || todo.Command.With.Key != "1" ||
				!strings.Contains(todo.What, "make all (1 Allow, 2 Reject, 3 Always allow)") {
				return errors.New(todo.What + " " + todo.Agent)
			}
			verdict, err := a.Sessions.Why(ctx, todo.Agent)
			if err != nil || verdict.State != liveness.Asks {
				return errors.Join(err, errors.New(string(verdict.State)))
			}
			if err := runner.Answer(a.Project.Root, thread, todo.Agent, "7"); err == nil {
				return errors.New("a key that answers nothing was taken")
			}
			if err := runner.Answer(a.Project.Root, thread, todo.Agent, todo.Command.With.Key); err != nil {
				return err
			}
			left = left[1:]
			break
		}
	}
	return ctx.Err()
}

// acpSaid is what an agent printed.
func acpSaid(t *testing.T, a *app.App, thread, agent string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(a.Project.Root, ".brenner", "run", thread, "round-1", agent+".out"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestACPRefused: signed out, and resting.
func TestACPRefused(t *testing.T) {
	t.Parallel()
	a, thread := project(t, acting(whole(), acpAct{SignedOut: true}))
	o := options(a, thread, 1)
	o.InTurn, o.Programs = true, overACP(a)
	report, _ := played(t, a, o)
	agents := report.Rounds[0].Agents
	if agents[0].End != runner.SignedOut || agents[1].End != runner.SignedOut || agents[1].Attempts != 0 {
		t.Errorf("%+v", agents)
	}
	b, thread := project(t, acting(whole(), acpAct{Limited: "429 too many requests, try again in 1 seconds"}))
	o = options(b, thread, 1)
	o.Retries, o.Programs = 1, overACP(b)
	report, _ = played(t, b, o)
	if agent := report.Rounds[0].Agents[0]; agent.Attempts != 2 || !strings.Contains(agent.Reason, "rate limit") {
		t.Errorf("%+v", agent)
	}
}

// TestACPGoesOn: a program that was cut off goes on with its own session, and is not told everything again.
func TestACPGoesOn(t *testing.T) {
	t.Parallel()
	a, thread := project(t, acting(whole(), acpAct{Answers: 4, Tokens: 20000, Pace: "500ms"}))
	o := options(a, thread, 1)
	o.InTurn, o.Budget, o.Programs = true, runner.Budget{Tokens: 30_000}, overACP(a)
	report, err := played(t, a, o)
	if err != nil || report.Status != runner.Spent {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	first := acpSaid(t, a, thread, "BlueLake")
	o.Budget = runner.Budget{}
	if report, err = played(t, a, o); err != nil {
		t.Fatal(err)
	}
	expect(t, report, 1, runner.Contributed, runner.Contributed, runner.Contributed)
	again := acpSaid(t, a, thread, "BlueLake")
	if id := sessionOf(first); id == "" || sessionOf(again) != id || !strings.Contains(again, `"goes_on":true`) ||
		!strings.Contains(again, "You were cut off") || strings.Contains(again, "Your kickoff") {
		t.Errorf("%s\n%s", first, again)
	}
}

func sessionOf(stream string) string {
	_, after, _ := strings.Cut(stream, `"session_id":"`)
	id, _, _ := strings.Cut(after, `"`)
	return id
}

// TestTokensWhileATurnGoesOn: what a program at work has used is told before its turn is over.
func TestTokensWhileATurnGoesOn(t *testing.T) {
	t.Parallel()
	a, thread := project(t, acting(whole(), acpAct{Answers: 1000, Tokens: 20_000, Pace: "20ms"}))
	o := options(a, thread, 1)
	o.InTurn, o.Programs = true, overACP(a)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = runner.Run(ctx, o)
	}()
	for told := int64(0); told < 60_000 && ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
		state, _, err := runner.Look(a.Project.Root, thread)
		if err != nil {
			t.Fatal(err)
		}
		for _, agent := range state.Agents {
			if agent.Usage != nil && agent.AtWork() {
				told = agent.Usage.Tokens()
			}
		}
	}
	if ctx.Err() != nil {
		t.Error("nothing was told while the turn went on")
	}
	cancel()
	<-ended
}
