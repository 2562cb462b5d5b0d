//go:build unix

package runner_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/runner"
)

// threeRounds is a session in which every agent has something to say in every round: by mail, by print,
// and in answer to a critique. Agents of one round touch different items, so that the artifact does not
// depend on who was faster.
func threeRounds() map[string]script {
	scripts := whole()
	add := func(name string, steps ...step) {
		scripts = with(scripts, name, func(s *script) { s.Steps = append(s.Steps, steps...) })
	}
	edit := func(section, target, field, value string) string {
		return contribution(block("EDIT", section, target, map[string]any{field: value}))
	}
	add("BlueLake",
		step{Round: 2, On: &cue{Type: "CRITIQUE"}, Reply: true, Subject: "DELTA[gpt]: Answer",
			Body: edit("hypothesis_slate", "H1", "mechanism", "By pull")},
		step{Round: 3, Subject: "DELTA[gpt]: Fourth", Body: contribution(prediction("spring"))})
	scripts = with(scripts, "RedSky", func(s *script) { s.Fault = "prints" })
	scripts = with(scripts, "GreenDog", func(s *script) { s.Slow = "50ms" })
	add("RedSky",
		step{Round: 2, Subject: "DELTA[opus]: Sharper", Body: edit("discriminative_tests", "T1", "feasibility", "One night")},
		step{Round: 3, Subject: "DELTA[opus]: Third", Body: contribution(trial("Buoy"))})
	add("GreenDog",
		step{Round: 1, Subject: "CRITIQUE: No force", Body: critique, To: []string{"BlueLake"}},
		step{Round: 2, Subject: "DELTA[gemini]: Settled", Body: edit("adversarial_critique", "C1", "current_status", "resolved: pulled")},
		step{Round: 3, Subject: "DELTA[gemini]: Odd", Body: contribution(block("ADD", "anomaly_register", "", map[string]any{
			"name": "Still water", "observation": "It stood", "conflicts_with": []string{"H1"}, "status": "active",
			"resolution_plan": "Wait",
		}))})
	return scripts
}

const critique = "# Critique: No force\n\n## Target\n\n- **Item**: H1\n\n## Attack\n\nForce of what?\n\n## Evidence\n\n§1\n\n" +
	"## Proposed Resolution\n\nName it.\n\n## Severity\n\nCritical\n"

// TestCrashInEveryPhase kills the runner at steps of every round and starts it again: the artifact is
// that of a run without a crash, and nothing was done twice. A few steps share a run, so that together
// they are all there and the test is quick.
func TestCrashInEveryPhase(t *testing.T) {
	whole, thread := project(t, threeRounds())
	report, err := runner.Run(t.Context(), options(whole, thread, 3))
	if err != nil || report.Status != runner.Limit || report.Version != 3 || report.LintErrors != 0 {
		t.Fatalf("%+v, %v", report, err)
	}
	checkThread(t, whole, thread)
	for _, test := range []struct {
		phases  string
		crashes int
	}{
		{join(runner.RoundBegun, runner.AgentEnded, runner.Compiling, runner.Opening), 3 + 3 + 3 + 2},
		{join(runner.AgentStarting, runner.Posting, runner.Compiled, runner.Ended), 3 + 3 + 3 + 1},
		{join(runner.AgentStarted, runner.Posted, runner.RoundEnded), 3 + 3 + 3},
	} {
		t.Run(test.phases, func(t *testing.T) {
			t.Parallel()
			a, thread := project(t, threeRounds())
			if crashes := runToTheEnd(t, a, thread, test.phases); crashes != test.crashes {
				t.Errorf("killed %d times, not %d", crashes, test.crashes)
			}
			again, err := runner.Run(t.Context(), options(a, thread, 3))
			if err != nil || again.ArtifactHash != report.ArtifactHash {
				t.Errorf("%v, %+v", err, again)
			}
			checkThread(t, a, thread)
		})
	}
}

func join(phases ...runner.EventKind) string {
	names := make([]string, len(phases))
	for i, phase := range phases {
		names[i] = string(phase)
	}
	return strings.Join(names, ",")
}

// runToTheEnd starts a runner that is killed at certain steps until one ends by itself.
func runToTheEnd(t *testing.T, a *app.App, thread, phases string) int {
	t.Helper()
	for crashes := range 20 {
		var out bytes.Buffer
		cmd := exec.CommandContext(t.Context(), self(), a.Project.Root, thread, phases)
		cmd.Env = append(os.Environ(), actAs+"=doomed")
		cmd.Stdout, cmd.Stderr = &out, &out
		err := cmd.Run()
		if err == nil {
			return crashes
		}
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("%v\n%s", err, out.String())
		}
	}
	t.Fatal("it is killed again and again")
	return 0
}

// checkThread looks whether everything is on the thread once, and can be proven.
func checkThread(t *testing.T, a *app.App, thread string) {
	t.Helper()
	proof, err := a.Sessions.Verify(t.Context(), thread)
	if err != nil || proof.FirstBad != nil || proof.Versions != 3 {
		t.Errorf("%+v, %v", proof, err)
	}
	messages, err := a.Mail.ThreadMessages(t.Context(), thread)
	if err != nil {
		t.Fatal(err)
	}
	kickoffs, deltas := map[string]int{}, map[string]int{}
	for _, m := range messages {
		switch m.Type {
		case protocol.TypeKickoff:
			kickoffs[m.To[0]]++
		case protocol.TypeDelta:
			deltas[m.From]++
		}
	}
	for _, name := range names {
		if kickoffs[name] != 3 || deltas[name] != 3 {
			t.Errorf("%s: %d kickoffs, %d contributions", name, kickoffs[name], deltas[name])
		}
	}
	leases, err := a.Mail.Leases(t.Context())
	if err != nil || len(leases) != 0 {
		t.Errorf("%v leases are left, %v", leases, err)
	}
	present, err := a.Mail.Presences(t.Context(), names...)
	if err != nil {
		t.Fatal(err)
	}
	runs := map[string]int{} // fewer than rounds where a runner was killed before it knew the process
	for _, p := range present {
		if p.Source == mail.SourceRun {
			runs[p.Agent]++
			if p.EndedAt.IsZero() {
				t.Errorf("%s is said to be at work: %+v", p.Agent, p)
			}
		}
	}
	if len(runs) != len(names) {
		t.Errorf("the programs of %v are remembered", runs)
	}
}
