//go:build unix

package runner_test

import (
	"context"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/runner"
	"brenner/internal/session"
)

// TestGateAnsweredElsewhere: while a person is asked here, a word on the thread is as good an answer, and the prompt is told
// to stop asking.
func TestGateAnsweredElsewhere(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	o := options(a, thread, 2)
	released := false
	o.Ask = func(ctx context.Context, _ runner.Report, next int) (bool, error) {
		state, ok, err := runner.Look(o.Root, thread)
		if err != nil || !ok || state.Gate == nil || state.Gate.Round != next {
			t.Errorf("somebody who looks sees %+v, %v", state.Gate, err)
		}
		if _, err := a.Sessions.TellRun(ctx, thread, mail.Operator, session.WordGo, ""); err != nil {
			t.Error(err)
		}
		<-ctx.Done()
		released = true
		return false, ctx.Err()
	}
	report, err := played(t, a, o)
	if err != nil || len(report.Rounds) != 2 || !released {
		t.Fatalf("%s: %s, %v, %d rounds; released %v", report.Status, report.Reason, err, len(report.Rounds), released)
	}
	if state, _, err := runner.Look(o.Root, thread); err != nil || state.Gate != nil {
		t.Errorf("after it somebody who looks sees %+v, %v", state.Gate, err)
	}
}

// TestGateLeftBehind: a run that is started again without its gate asks no more.
func TestGateLeftBehind(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	o := options(a, thread, 2)
	o.Ask = func(context.Context, runner.Report, int) (bool, error) {
		return false, protocol.Errorf(protocol.Waiting, "nobody is there")
	}
	if _, err := played(t, a, o); protocol.CodeOf(err) != protocol.Waiting {
		t.Fatal(err)
	}
	o.Ask = nil
	o.Tell = func(e runner.Event) {
		if state, _, err := runner.Look(o.Root, thread); e.Kind == runner.RoundBegun && e.Round == 2 && (err != nil || state.Gate != nil) {
			t.Errorf("in round 2 somebody who looks sees %+v, %v", state.Gate, err)
		}
	}
	if report, err := played(t, a, o); err != nil || len(report.Rounds) != 2 {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
}

// TestPause: a paused run starts no agent until a person lets it go on; its agents have no say in that.
func TestPause(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	o := options(a, thread, 1)
	tell := func(as string, word session.Word) {
		t.Helper()
		if _, err := a.Sessions.TellRun(t.Context(), thread, as, word, ""); err != nil {
			t.Error(err)
		}
	}
	tell(mail.Operator, session.WordPause)
	paused, started := false, false
	o.Tell = func(e runner.Event) {
		switch e.Kind {
		case runner.Paused:
			paused = true
			if state, _, err := runner.Look(o.Root, thread); err != nil || state.Paused == nil || state.Paused.By != mail.Operator {
				t.Errorf("somebody who looks sees %+v, %v", state.Paused, err)
			}
			time.AfterFunc(100*time.Millisecond, func() { tell(mail.Operator, session.WordGo) })
		case runner.AgentStarted:
			started = true
			if !paused {
				t.Error("an agent was started before the pause was over")
			}
		}
	}
	if report, err := played(t, a, o); err != nil || !started || len(report.Rounds) != 1 {
		t.Fatalf("%s: %s, %v; started %v", report.Status, report.Reason, err, started)
	}
	if _, err := a.Sessions.TellRun(t.Context(), thread, "GreenDog", session.WordStop, ""); err == nil {
		t.Error("an agent told the run to stop")
	}
}
