//go:build unix

package runner_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"brenner/internal/app"
	"brenner/internal/protocol"
	"brenner/internal/runner"
)

// played runs a session and proves that nothing of it is lost.
func played(t *testing.T, a *app.App, o runner.Options) (runner.Report, error) {
	t.Helper()
	report, err := runner.Run(t.Context(), o)
	proof, verifyErr := a.Sessions.Verify(t.Context(), o.ThreadID)
	if verifyErr != nil || proof.FirstBad != nil {
		t.Errorf("%+v, %v", proof, verifyErr)
	}
	return report, err
}

// expect compares the verdicts of a round, in the order of the roster.
func expect(t *testing.T, report runner.Report, round int, want ...runner.Verdict) []runner.Agent {
	t.Helper()
	if len(report.Rounds) < round {
		t.Fatalf("%d rounds: %+v", len(report.Rounds), report)
	}
	agents := report.Rounds[round-1].Agents
	for i, w := range want {
		if agents[i].Verdict != w {
			t.Errorf("round %d: %s is %s (%s), want %s", round, agents[i].Agent, agents[i].Verdict, agents[i].Reason, w)
		}
	}
	return agents
}

// TestFaults: agents fail in every way there is. What they did contribute is taken, the run ends as it
// should, and the report says of each what it did, no more and no less.
func TestFaults(t *testing.T) {
	const did = runner.Contributed
	for _, test := range []struct {
		faults   [3]string // of the agents, in the order of the roster
		verdicts [3]runner.Verdict
		code     protocol.Code
		check    func(t *testing.T, blue, red, green runner.Agent)
	}{
		{[3]string{"prints", "never_ack", "silent"}, [3]runner.Verdict{did, did, runner.Silent}, "",
			func(t *testing.T, prints, never, silent runner.Agent) {
				if prints.How == nil || *prints.How != runner.ByOutput || prints.Output == "" {
					t.Errorf("%+v", prints)
				}
				if never.Acked || *never.How != runner.ByMail {
					t.Errorf("%+v", never)
				}
				if !silent.Acked || *silent.ExitCode != 0 {
					t.Errorf("%+v", silent)
				}
			}},
		{[3]string{"duplicated", "malformed", "garbage"}, [3]runner.Verdict{did, runner.Refused, runner.Refused}, "",
			func(t *testing.T, twice, malformed, garbage runner.Agent) {
				if len(twice.Messages) != 2 {
					t.Errorf("messages %v", twice.Messages)
				}
				if r := malformed.Refusals; len(r) != 1 || r[0].Source != "mail" || len(r[0].Findings) == 0 {
					t.Errorf("%+v", r)
				}
				sources := map[string]bool{}
				for _, r := range garbage.Refusals {
					sources[r.Source] = len(r.Findings) > 0
				}
				if !sources["mail"] || !sources["output"] {
					t.Errorf("%+v", garbage.Refusals)
				}
			}},
		{[3]string{"crash", "dead", "hang"}, [3]runner.Verdict{runner.Failed, runner.Failed, runner.Late}, protocol.RunStalled,
			func(t *testing.T, crash, dead, hang runner.Agent) {
				if *crash.ExitCode != 1 || !strings.Contains(crash.LastWords, "crashes here") {
					t.Errorf("exit code %d, last words %q", *crash.ExitCode, crash.LastWords)
				}
				if dead.ExitCode != nil || !strings.Contains(dead.Reason, "killed") {
					t.Errorf("%+v", dead)
				}
				if hang.End != runner.AtDeadline {
					t.Errorf("%+v", hang)
				}
			}},
	} {
		t.Run(strings.Join(test.faults[:], " "), func(t *testing.T) {
			t.Parallel()
			scripts := whole()
			for i, name := range names {
				scripts = with(scripts, name, func(s *script) { s.Fault = test.faults[i] })
			}
			a, thread := project(t, scripts)
			o := options(a, thread, 1)
			if test.code != "" {
				o.Deadline = 12 * time.Second // long enough for the others to fail
			}
			report, err := played(t, a, o)
			if test.code == "" && (err != nil || report.Status != runner.Limit) || test.code != "" && protocol.CodeOf(err) != test.code {
				t.Errorf("%s: %s, %v", report.Status, report.Reason, err)
			}
			agents := expect(t, report, 1, test.verdicts[:]...)
			test.check(t, agents[0], agents[1], agents[2])
		})
	}
}

// TestRepetitionIsNothingNew: an agent that says the same in every round does not keep the run going.
func TestRepetitionIsNothingNew(t *testing.T) {
	t.Parallel()
	scripts := with(whole(), "GreenDog", func(s *script) {
		again := s.Steps[0]
		again.Round = 2
		s.Steps = append(s.Steps, again)
	})
	a, thread := project(t, scripts)
	report, err := played(t, a, options(a, thread, 5))
	if err != nil || report.Status != runner.Converged || len(report.Rounds) != 2 {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	expect(t, report, 2, runner.Silent, runner.Silent, runner.Repeated)
}

// TestStalls: where no agent contributes although something is missing, the run does not end as if all
// were well, and it can be taken up again when the trouble is over.
func TestStalls(t *testing.T) {
	t.Parallel()
	scripts := whole()
	for _, name := range names {
		scripts = with(scripts, name, func(s *script) { s.Fault = "crash" })
	}
	a, thread := project(t, scripts)
	report, err := played(t, a, options(a, thread, 3))
	if protocol.CodeOf(err) != protocol.RunStalled || report.Status != runner.Stalled || len(report.Rounds) != 1 {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	expect(t, report, 1, runner.Failed, runner.Failed, runner.Failed)
	for name, s := range whole() {
		writeJSON(t, a.Project.Root+"/"+name+".json", s)
	}
	report, err = played(t, a, options(a, thread, 3))
	if err != nil || report.Status != runner.Converged {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	agents := expect(t, report, 1, runner.Contributed, runner.Contributed, runner.Contributed)
	if agents[0].Attempts != 2 {
		t.Errorf("%d attempts", agents[0].Attempts)
	}
}

// TestEverybodyLate: a round in which all agents ran out of time timed out.
func TestEverybodyLate(t *testing.T) {
	t.Parallel()
	scripts := whole()
	for _, name := range names {
		scripts = with(scripts, name, func(s *script) { s.Fault = "hang" })
	}
	a, thread := project(t, scripts)
	o := options(a, thread, 1)
	o.Deadline = 100 * time.Millisecond
	report, err := played(t, a, o)
	if protocol.CodeOf(err) != protocol.TimedOut || report.Status != runner.Stalled {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	expect(t, report, 1, runner.Late, runner.Late, runner.Late)
}

// TestMissingProgram: no agent is started while a program is missing, unless that is wanted; and who was
// not started is neither silent nor dead.
func TestMissingProgram(t *testing.T) {
	t.Parallel()
	a, thread := projectWith(t, whole(), "scripted", "absent", "scripted")
	report, err := played(t, a, options(a, thread, 1))
	if protocol.CodeOf(err) != protocol.ProgramMissing {
		t.Fatalf("%v", err)
	}
	if head := report.Rounds[0].Agents[0]; head.Attempts != 0 {
		t.Errorf("%+v was started", head)
	}
	o := options(a, thread, 1)
	o.SkipMissing = true
	report, err = played(t, a, o)
	if err != nil || report.Status != runner.Limit {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	expect(t, report, 1, runner.Contributed, runner.NotStarted, runner.Contributed)

	a, thread = projectWith(t, whole(), "absent", "absent", "absent")
	o = options(a, thread, 1)
	o.SkipMissing = true
	if _, err = played(t, a, o); protocol.CodeOf(err) != protocol.ProgramMissing {
		t.Errorf("nobody is left to play without: %v", err)
	}
}

// TestStopByAPerson: a message from a sender that is not an agent of the run ends it, and the programs
// with it. One from an agent does not.
func TestStopByAPerson(t *testing.T) {
	t.Parallel()
	scripts := with(whole(), "GreenDog", func(s *script) {
		s.Steps = []step{{Subject: "INFO: Stop the run", Body: "# Stop\n\nI want to go home.\n"},
			{Subject: "DELTA[gemini]: Late", Body: "# x", Fault: "hang"}}
	})
	a, thread := project(t, scripts)
	o := options(a, thread, 3)
	others := make(chan struct{}, 2)
	o.Tell = func(e runner.Event) {
		if e.Kind == runner.AgentEnded && e.Agent != "GreenDog" {
			others <- struct{}{}
		}
	}
	stopped := make(chan error, 1)
	go func() {
		<-others
		<-others
		_, err := runner.Stop(context.WithoutCancel(t.Context()), a.Sessions, thread, "Operator", "Enough")
		stopped <- err
	}()
	report, err := played(t, a, o)
	if stopErr := <-stopped; err != nil || stopErr != nil || report.Status != runner.Stopped ||
		!strings.Contains(report.Reason, "Operator") {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	agents := expect(t, report, 1, runner.Contributed, runner.Contributed, runner.Cut)
	if agents[2].End != runner.CutOff || report.Version != 1 {
		t.Errorf("%+v", report)
	}
}
