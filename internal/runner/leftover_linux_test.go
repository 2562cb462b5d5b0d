package runner_test

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"brenner/internal/process"
	"brenner/internal/program"
	"brenner/internal/runner"
)

// TestNothingIsLeftBehind: a program leaves a process that has left its group and its session; it does
// not outlive the round.
func TestNothingIsLeftBehind(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	o := options(a, thread, 1)
	o.Programs = program.NewCatalog(map[string]program.Template{"scripted": {Headless: []string{"sh", "-c", "setsid sleep 600 >/dev/null " +
		"2>&1 & echo $!"}}})
	report, _ := played(t, a, o)
	for _, agent := range expect(t, report, 1, runner.Silent, runner.Silent, runner.Silent) {
		text, err := os.ReadFile(agent.Output)
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		if alive, known := process.Alive(t.Context(), pid, time.Time{}); alive || !known {
			t.Errorf("%s left process %d behind", agent.Agent, pid)
		}
	}
}
