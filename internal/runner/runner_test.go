//go:build unix

package runner_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/program"
	"brenner/internal/protocol"
	"brenner/internal/runner"
)

// TestTwoRunners: the second finds the first at work, on this machine by its lock and on others by its
// lease, and plays nothing.
func TestTwoRunners(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	first := options(a, thread, 1)
	var here, elsewhere error
	first.Tell = func(e runner.Event) {
		if e.Kind != runner.Compiling {
			return
		}
		_, here = runner.Run(t.Context(), options(a, thread, 1))
		other := options(a, thread, 1)
		other.Root = t.TempDir() // another clone: only the store is shared
		_, elsewhere = runner.Run(t.Context(), other)
	}
	report, err := played(t, a, first)
	if err != nil || report.Status != runner.Limit {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	for where, err := range map[string]error{"here": here, "elsewhere": elsewhere} {
		if protocol.CodeOf(err) != protocol.Conflict || !strings.Contains(err.Error(), "process") {
			t.Errorf("%s: %v", where, err)
		}
	}
	expect(t, report, 1, runner.Contributed, runner.Contributed, runner.Contributed)
}

// TestLeaseOfACrashedRunner: on another machine it is in the way until it expires.
func TestLeaseOfACrashedRunner(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	hold := func(until time.Time) {
		_, err := a.Store.Reservations(t.Context(), a.Mail.Project().ID, a.Mail.Now(),
			func([]mail.Reservation) ([]mail.Reservation, error) {
				return []mail.Reservation{{
					Project: a.Mail.Project().ID, Agent: "Operator", Path: "brenner-run/" + thread, CreatedAt: a.Mail.Now(),
					ExpiresAt: until,
					Reason:    `{"token":"x","host":"elsewhere","folder":"/srv/x","pid":7}`,
				}}, nil
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	end := time.Now().Add(time.Second)
	hold(end)
	if _, err := runner.Run(t.Context(), options(a, thread, 1)); protocol.CodeOf(err) != protocol.Conflict ||
		!strings.Contains(err.Error(), "elsewhere") {
		t.Fatalf("%v", err)
	}
	for tick := time.NewTicker(50 * time.Millisecond); ; <-tick.C {
		report, err := runner.Run(t.Context(), options(a, thread, 1))
		if protocol.CodeOf(err) == protocol.Conflict && time.Now().Before(end.Add(10*time.Second)) {
			continue
		}
		if err != nil || time.Now().Before(end) {
			t.Errorf("%+v, %v", report, err)
		}
		return
	}
}

// TestInterrupted: what was under way is ended, whatever it started too, and the run goes on later
// without asking those again who contributed.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	a, thread := project(t, with(whole(), "GreenDog", func(s *script) { s.Steps[0].Fault = "hang" }))
	ctx, interrupt := context.WithCancel(t.Context())
	o, ended := options(a, thread, 1), 0
	o.Tell = func(e runner.Event) {
		if e.Kind == runner.AgentEnded {
			if ended++; ended == 2 {
				interrupt()
			}
		}
	}
	report, err := runner.Run(ctx, o)
	if !errors.Is(err, context.Canceled) || report.Status != runner.Interrupted {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	expect(t, report, 1, runner.Contributed, runner.Contributed, runner.Cut)
	expectGone(t, report, "GreenDog")
	writeJSON(t, filepath.Join(a.Project.Root, "GreenDog.json"), whole()["GreenDog"])
	report, err = played(t, a, options(a, thread, 1))
	if err != nil || report.Status != runner.Limit {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	agents := expect(t, report, 1, runner.Contributed, runner.Contributed, runner.Contributed)
	if agents[0].Attempts != 1 || agents[2].Attempts != 2 {
		t.Errorf("%+v", agents)
	}
}

// expectGone waits until nothing is left of the program of an agent in the first round.
func expectGone(t *testing.T, report runner.Report, agent string) {
	t.Helper()
	var record struct{ PID int }
	data, err := os.ReadFile(filepath.Join(report.Folder, "round-1", agent+".json"))
	if err == nil {
		err = json.Unmarshal(data, &record)
	}
	if err != nil || record.PID == 0 {
		t.Fatalf("%s: %v", data, err)
	}
	tick := time.NewTicker(5 * time.Millisecond) // who is killed takes a moment to be gone
	defer tick.Stop()
	for end := time.Now().Add(10 * time.Second); !errors.Is(syscall.Kill(-record.PID, 0), syscall.ESRCH); <-tick.C {
		if time.Now().After(end) {
			t.Fatal("its processes are left behind")
		}
	}
}

// TestAdopted: a program that outlived its runner is neither started again nor forgotten: the next runner
// waits for it, and ends it when its time is over.
func TestAdopted(t *testing.T) {
	t.Parallel()
	a, thread := project(t, with(whole(), "GreenDog", func(s *script) { s.Steps[0].Fault = "hang" }))
	cmd := exec.CommandContext(t.Context(), self(), a.Project.Root, thread, string(runner.AgentStarted)+":GreenDog")
	cmd.Env = append(os.Environ(), actAs+"=doomed")
	if err := cmd.Run(); err == nil {
		t.Fatal("the first runner was not killed")
	}
	o, adopted := options(a, thread, 1), map[string]bool{}
	o.Deadline = 10 * time.Second
	o.Tell = func(e runner.Event) {
		if e.Kind == runner.AgentAdopted {
			adopted[e.Agent] = true
		}
	}
	report, err := played(t, a, o)
	if err != nil || report.Status != runner.Limit || !adopted["GreenDog"] {
		t.Fatalf("%s: %s, %v; adopted %v", report.Status, report.Reason, err, adopted)
	}
	agents := report.Rounds[0].Agents
	if last := agents[2]; last.Verdict != runner.Late || last.Attempts != 1 || last.End != runner.AtDeadline {
		t.Errorf("%+v", last)
	}
	expectGone(t, report, "GreenDog")
}

// TestGate: a person is asked before each further round, and may say no or be away.
func TestGate(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	o := options(a, thread, 3)
	o.Ask = func(_ context.Context, r runner.Report, next int) (bool, error) {
		if next != 2 || r.Version != 1 {
			t.Errorf("asked about round %d at %+v", next, r)
		}
		return false, protocol.Errorf(protocol.Waiting, "nobody is there")
	}
	report, err := played(t, a, o)
	if protocol.CodeOf(err) != protocol.Waiting || report.Status != runner.Waiting {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	o.Ask = func(context.Context, runner.Report, int) (bool, error) { return false, nil }
	report, err = played(t, a, o)
	if err != nil || report.Status != runner.Stopped || len(report.Rounds) != 1 {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	o.Ask = func(ctx context.Context, _ runner.Report, _ int) (bool, error) {
		_, err := runner.Stop(ctx, a.Sessions, thread, mail.Operator, "") // a person says so meanwhile
		return true, err
	}
	report, err = played(t, a, o)
	if err != nil || report.Status != runner.Stopped || len(report.Rounds) != 1 {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	o.Ask = func(context.Context, runner.Report, int) (bool, error) { return true, nil }
	report, err = played(t, a, o)
	if err != nil || report.Status != runner.Converged {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
}

// TestInTurn: agents that work one after the other can answer each other within a round.
func TestInTurn(t *testing.T) {
	t.Parallel()
	scripts := with(whole(), "RedSky", func(s *script) { s.Steps[0].On = &cue{"DELTA", "BlueLake"} })
	scripts = with(scripts, "GreenDog", func(s *script) { s.Steps[0].On = &cue{"DELTA", "RedSky"} })
	a, thread := project(t, scripts)
	o := options(a, thread, 1)
	o.InTurn = true
	report, err := played(t, a, o)
	if err != nil || report.Status != runner.Limit {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	expect(t, report, 1, runner.Contributed, runner.Contributed, runner.Contributed)
}

// TestByHand: an agent without a program is waited for; it is run elsewhere.
func TestByHand(t *testing.T) {
	t.Parallel()
	a, thread := projectWith(t, whole(), "scripted", "scripted", "")
	o := options(a, thread, 1)
	sent := make(chan error, 1)
	o.Tell = func(e runner.Event) {
		if e.Kind == runner.RoundBegun {
			_, err := a.Mail.Send(t.Context(), outgoing(thread, "GreenDog", whole()["GreenDog"].Steps[0]))
			sent <- err
		}
	}
	report, err := played(t, a, o)
	if sendErr := <-sent; err != nil || sendErr != nil || report.Status != runner.Limit {
		t.Fatalf("%s: %s, %v, %v", report.Status, report.Reason, err, sendErr)
	}
	if by := expect(t, report, 1, runner.Contributed, runner.Contributed, runner.Contributed)[2]; by.End != runner.ByHand {
		t.Errorf("%+v", by)
	}
}

// TestNobodyElseUsesUpKeys: an agent that guesses the form of the runner's idempotency keys cannot keep
// another agent's words or the next kickoff away.
func TestNobodyElseUsesUpKeys(t *testing.T) {
	t.Parallel()
	a, thread := project(t, with(whole(), "GreenDog", func(s *script) { s.Fault = "prints" }))
	for _, key := range []string{"run:" + thread + ":1:greendog:output", "run::1:greendog:output", "run::2:kickoff:greendog"} {
		out := outgoing(thread, "RedSky", step{Subject: "INFO: x", Body: "x"})
		out.Key = key
		if _, err := a.Mail.Send(t.Context(), out); err != nil {
			t.Fatal(err)
		}
	}
	report, err := played(t, a, options(a, thread, 2))
	if err != nil || report.Status != runner.Converged {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	expect(t, report, 1, runner.Contributed, runner.Contributed, runner.Contributed)
}

func outgoing(thread, from string, s step) mail.Outgoing {
	return mail.Outgoing{Draft: message.Draft{ThreadID: thread, From: from, To: []string{mail.Operator}, Subject: s.Subject, Body: s.Body}}
}

// TestOverHTTP: agents that use a server instead of a process of their own contribute just so, and what
// the server refuses them is known to the runner.
func TestOverHTTP(t *testing.T) {
	t.Parallel()
	a, thread := project(t, with(whole(), "GreenDog", func(s *script) { s.Fault = "malformed" }))
	ctx, stop := context.WithCancel(t.Context())
	address, served := make(chan net.Addr, 1), make(chan error, 1)
	go func() {
		served <- a.Serve(ctx, app.ServeOptions{Addr: "127.0.0.1:0", Listening: func(at net.Addr) { address <- at }})
	}()
	defer func() {
		stop()
		<-served
	}()
	o := options(a, thread, 1)
	o.Programs = program.NewCatalog(map[string]program.Template{"scripted": {Headless: []string{
		self(), "scripted-agent", "--script", filepath.Join(a.Project.Root, "{agent}.json"), "--url", "http://" + (<-address).String() +
			"/mcp/",
	}}})
	report, err := played(t, a, o)
	if err != nil || report.Status != runner.Limit {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	expect(t, report, 1, runner.Contributed, runner.Contributed, runner.Refused)
}
