//go:build unix

package runner_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/runner"
	"brenner/internal/session"
)

// TestPausedAfterARest: a pause that is said while an agent rests keeps it from being started until it is let go on.
func TestPausedAfterARest(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	o := options(a, thread, 1)
	o.Retries, o.InTurn = 1, true
	o.Programs = shell(fmt.Sprintf(`if mkdir %[1]s/seen 2>/dev/null; then cat %[2]s; exit 1; fi; exec %[3]s scripted-agent `+
		`--script %[1]s/$AGENT_NAME.json`, a.Project.Root, stream(t, `{"type":"thread.started"}`,
		`{"type":"turn.failed","error":{"message":"Rate limit reached. Please try again in 1s."}}`), self()))
	tell := func(word session.Word) {
		if _, err := a.Sessions.TellRun(t.Context(), thread, mail.Operator, word, ""); err != nil {
			t.Error(err)
		}
	}
	var mu sync.Mutex
	held, let := false, false
	o.Tell = func(e runner.Event) {
		mu.Lock()
		defer mu.Unlock()
		switch e.Kind {
		case runner.AgentResting:
			held = true
			tell(session.WordPause)
		case runner.Paused:
			time.AfterFunc(300*time.Millisecond, func() {
				mu.Lock()
				let = true
				mu.Unlock()
				tell(session.WordGo)
			})
		case runner.AgentStarted:
			if held && !let {
				t.Errorf("%s was started in a paused run", e.Agent)
			}
		}
	}
	if report, err := played(t, a, o); err != nil || !let {
		t.Fatalf("%s: %s, %v; let go on %v", report.Status, report.Reason, err, let)
	}
}

// TestCompletionEndsTheRun: programs of a session that somebody completes are ended, and no version is made after that.
func TestCompletionEndsTheRun(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	if _, err := played(t, a, options(a, thread, 1)); err != nil { // there is nothing to complete before
		t.Fatal(err)
	}
	o := options(a, thread, 3)
	o.Grace = time.Second
	o.Programs = shell("exec sleep 600")
	var once sync.Once
	o.Tell = func(e runner.Event) {
		if e.Kind == runner.AgentStarted {
			once.Do(func() {
				go func() {
					if _, err := a.Sessions.Complete(t.Context(), session.CompleteRequest{ThreadID: thread, As: mail.Operator,
						Force: "it is enough"}); err != nil {
						t.Error(err)
					}
				}()
			})
		}
	}
	report, err := played(t, a, o)
	if err != nil || report.Status != runner.Complete {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	last := report.Rounds[len(report.Rounds)-1]
	for _, agent := range last.Agents {
		if last.Number != 2 || agent.End != runner.CutOff {
			t.Errorf("round %d: %+v", last.Number, agent)
		}
	}
}

// TestRestartAtOnce: an agent whose program has ended is started again while the others are at work; where nobody is, it is told why not.
func TestRestartAtOnce(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	o := options(a, thread, 1)
	release := filepath.Join(t.TempDir(), "release")
	o.Programs = shell(`test $AGENT_NAME = BlueLake && exit 0; until test -f ` + release + `; do sleep 0.1; done`)
	again := make(chan runner.Again, 1)
	var once sync.Once
	o.Tell = func(e runner.Event) {
		if e.Kind == runner.AgentEnded && e.Agent == "BlueLake" {
			once.Do(func() {
				go func() {
					done, err := runner.Restart(t.Context(), runner.RestartOptions{Root: o.Root, ThreadID: thread, Agent: "BlueLake",
						Running: true})
					if err != nil {
						t.Error(err)
					}
					if err := os.WriteFile(release, nil, 0o600); err != nil {
						t.Error(err)
					}
					again <- done
				}()
			})
		}
	}
	report, _ := played(t, a, o)
	if done := <-again; !done.Running || done.Why != "" || report.Rounds[0].Agents[0].Attempts != 2 {
		t.Errorf("%+v, %+v", done, report.Rounds[0].Agents[0])
	}
	done, err := runner.Restart(t.Context(), runner.RestartOptions{Root: o.Root, ThreadID: thread, Agent: "BlueLake"})
	if err != nil || done.Running || done.Why != "no runner is at work" {
		t.Errorf("%v %+v", err, done)
	}
}

// TestNoHalfLine: what a program says last is never a piece of its stream, however long its events are.
func TestNoHalfLine(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	o := options(a, thread, 1)
	o.Programs = shell("cat " + stream(t, `{"type":"system","subtype":"init","model":"m"}`,
		`{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"I look."}]}}`,
		`{"type":"user","message":{"content":[{"type":"tool_result","content":"`+strings.Repeat("x", 20_000)+`"}]}}`) +
		`; printf '{"type":"ass'`)
	_, _ = played(t, a, o)
	state, _, err := runner.Look(o.Root, thread)
	if err != nil {
		t.Fatal(err)
	}
	for _, agent := range state.Agents {
		if agent.LastLine != "I look." {
			t.Errorf("%s says %.60q", agent.Agent, agent.LastLine)
		}
	}
}

// TestContributedElsewhere: a delta that went to the wrong session is told where it was asked for.
func TestContributedElsewhere(t *testing.T) {
	t.Parallel()
	a, thread := project(t, with(whole(), "BlueLake", func(s *script) { s.Fault, s.Slow = "silent", "1s" }))
	other := begin(t, a, "scripted", "scripted", "scripted")
	o := options(a, thread, 1)
	var sent int64
	o.Tell = func(e runner.Event) {
		if e.Kind != runner.AgentStarted || e.Agent != "BlueLake" {
			return
		}
		out, err := a.Mail.Send(t.Context(), mail.Outgoing{Draft: message.Draft{
			ThreadID: other, From: "BlueLake", To: []string{mail.Operator}, Subject: "DELTA[gpt]: Astray",
			Body: contribution(hypothesis(1)),
		}})
		if err != nil {
			t.Error(err)
		}
		sent = out.Message.ID
	}
	report, err := played(t, a, o)
	if err != nil {
		t.Fatal(err)
	}
	agents := expect(t, report, 1, runner.Silent, runner.Contributed, runner.Contributed)
	if want := fmt.Sprintf("contributed to %s (message %d) instead of here", other, sent); agents[0].Reason != want {
		t.Errorf("%q, want %q", agents[0].Reason, want)
	}
}
