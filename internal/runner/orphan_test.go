//go:build unix

package runner_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/program"
	"brenner/internal/runner"
)

// silentPrograms do nothing, and end at once.
func silentPrograms() *program.Catalog {
	return program.NewCatalog(map[string]program.Template{"scripted": {Headless: []string{"true"}}})
}

// doomedWith makes the configured program of the agents a shell script, and kills a runner when it has started
// the last of the three. The script of each agent notes its process in a file of its own.
func doomedWith(t *testing.T, line string) (*app.App, string) {
	t.Helper()
	a, thread := project(t, whole())
	script := fmt.Sprintf("echo $$ >> %s/$AGENT_NAME.pids; %s", a.Project.Root, line)
	writeJSON(t, filepath.Join(a.Project.Root, "brenner.config.json"), map[string]any{"agents": map[string]any{
		"scripted": map[string]any{"headless": []string{"sh", "-c", script}},
	}})
	for started := 0; started < 3; { // killed after each start, until all three were started
		cmd := exec.CommandContext(t.Context(), self(), a.Project.Root, thread, string(runner.RoundEnded))
		cmd.Env = append(os.Environ(), actAs+"=doomed")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			started = 0
			for _, name := range names {
				if noted(t, a.Project.Root, thread, name) {
					started++
				}
			}
			if started == 3 {
				break
			}
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	return a, thread
}

// noted tells whether the runner noted the process of an agent in the first round.
func noted(t *testing.T, root, thread, agent string) bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, ".brenner", "run", thread, "round-1", agent+".json"))
	return err == nil && !strings.Contains(string(text), `"pid": 0`)
}

func pids(t *testing.T, a *app.App, agent string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(a.Project.Root, agent+".pids"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
}

// reopened is the project with the programs as its file has them now.
func reopened(t *testing.T, a *app.App) *app.App {
	t.Helper()
	again, err := app.Open(t.Context(), app.Options{Project: a.Project})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = again.Close() })
	return again
}

// TestRedirectedOrphans: programs that send their output elsewhere are not started a second time while they
// live.
func TestRedirectedOrphans(t *testing.T) {
	t.Parallel()
	a, thread := doomedWith(t, "exec sleep 600 >/dev/null 2>&1")
	a = reopened(t, a)
	o := options(a, thread, 1)
	o.Deadline, o.Grace = 2*time.Second, time.Second
	report, _ := played(t, a, o)
	for _, agent := range expect(t, report, 1, runner.Late, runner.Late, runner.Late) {
		if started := pids(t, a, agent.Agent); len(started) != 1 || agent.Attempts != 1 {
			t.Errorf("%s was started %d times: %+v", agent.Agent, len(started), agent)
		}
		expectGone(t, report, agent.Agent)
	}
}

// TestGrandchildHoldsTheOutput: a program is over when its process is, even if another has its output.
func TestGrandchildHoldsTheOutput(t *testing.T) {
	t.Parallel()
	a, thread := doomedWith(t, "setsid sleep 600 & sleep 1; exit 0")
	a = reopened(t, a)
	o := options(a, thread, 1)
	o.Programs = silentPrograms()
	o.Deadline = 30 * time.Second
	began := time.Now()
	report, _ := played(t, a, o)
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("it took %s", took)
	}
	expect(t, report, 1, runner.Silent, runner.Silent, runner.Silent)
}

// TestStopWhileNobodyRuns: it ends the programs that outlived their runner, and the next start heeds it before
// it waits for anything; the one after that plays on.
func TestStopWhileNobodyRuns(t *testing.T) {
	t.Parallel()
	a, thread := doomedWith(t, "exec sleep 600")
	orphans, err := runner.Orphans(t.Context(), a.Mail, a.Project.Root, thread)
	if err != nil || len(orphans) != 3 {
		t.Fatalf("%+v, %v", orphans, err)
	}
	if _, err := runner.Stop(t.Context(), a.Sessions, thread, mail.Operator, "Enough"); err != nil {
		t.Fatal(err)
	}
	a = reopened(t, a)
	report, err := played(t, a, options(a, thread, 3))
	if err != nil || report.Status != runner.Stopped {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	expect(t, report, 1, runner.Cut, runner.Cut, runner.Cut)
	for _, name := range names {
		expectGone(t, report, name)
	}
	o := options(a, thread, 1)
	o.Programs = silentPrograms()
	report, _ = played(t, a, o)
	expect(t, report, 1, runner.Silent, runner.Silent, runner.Silent)

	// The same by the command: no one waits for a start.
	a, thread = doomedWith(t, "exec sleep 600")
	n, err := runner.EndOrphans(t.Context(), a.Mail, a.Project.Root, thread, time.Second)
	if err != nil || n != 3 {
		t.Errorf("%d, %v", n, err)
	}
	if left, err := runner.Orphans(t.Context(), a.Mail, a.Project.Root, thread); err != nil || len(left) != 0 {
		t.Errorf("%+v, %v", left, err)
	}
}
