//go:build unix

package runner_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"brenner/internal/app"
	"brenner/internal/runner"
)

// What one turn takes in TestBudgetUnderKills, and what a run may take.
const (
	tokensOfAnAnswer = 20_000
	answersOfATurn   = 8
	ceiling          = 250_000
)

// budgetedRun plays a round of agents that cost something, one after the other, under a budget. It is killed.
func budgetedRun(root, thread string) int {
	a, err := app.Open(context.Background(), app.Options{Project: app.Project{Root: root, WorkDir: root}})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	o := options(a, thread, 1)
	o.InTurn, o.Budget, o.Programs = true, runner.Budget{Tokens: ceiling}, overACP(a)
	report, err := runner.Run(context.Background(), o)
	if err != nil && report.Status != runner.Stalled {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// TestBudgetUnderKills: whatever the moment at which runners are killed, fifty times, what was really used is never more than one turn
// above the ceiling, and it is what the run tells.
func TestBudgetUnderKills(t *testing.T) {
	t.Parallel()
	const wanted = 50
	var kills atomic.Int32
	for project := 0; kills.Load() < wanted; project++ {
		if project == wanted {
			t.Fatal("runs end before they can be killed")
		}
		t.Run(fmt.Sprint(project), func(t *testing.T) {
			a, thread := costly(t)
			for killedRun(t, a, thread) {
				kills.Add(1)
			}
			o := options(a, thread, 1)
			o.InTurn, o.Budget, o.Programs = true, runner.Budget{Tokens: ceiling}, overACP(a)
			report, err := runner.Run(t.Context(), o)
			if err != nil && report.Status != runner.Stalled {
				t.Fatal(err)
			}
			used := reallyUsed(t, a, thread)
			if used < ceiling || used > ceiling+answersOfATurn*tokensOfAnAnswer {
				t.Errorf("%d tokens were used of %d", used, ceiling)
			}
			if told := report.Usage.Tokens(); told != used {
				t.Errorf("%d tokens are told, %d were used", told, used)
			}
		})
	}
}

// costly is a project of three agents whose turns cost alike.
func costly(t *testing.T) (*app.App, string) {
	return project(t, acting(map[string]script{"BlueLake": {}, "RedSky": {}, "GreenDog": {}},
		acpAct{Answers: answersOfATurn, Tokens: tokensOfAnAnswer, Pace: "60ms"}))
}

// killedRun starts a runner and kills it at some moment; false: it ended before.
func killedRun(t *testing.T, a *app.App, thread string) bool {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.Command(self(), a.Project.Root, thread)
	cmd.Env, cmd.Stderr = append(os.Environ(), actAs+"=budgeted"), &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(time.Duration(50+rand.IntN(350))*time.Millisecond, func() { _ = cmd.Process.Kill() })
	err := cmd.Wait()
	if !timer.Stop() && err != nil {
		return true
	}
	if err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	return false
}

// reallyUsed sums up what the agents of a run told in all their attempts.
func reallyUsed(t *testing.T, a *app.App, thread string) int64 {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(a.Project.Root, ".brenner", "run", thread, "round-1", "*.out*"))
	if err != nil {
		t.Fatal(err)
	}
	sum := int64(0)
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			var e struct {
				Update struct {
					Kind string `json:"sessionUpdate"`
					Used int64  `json:"used"`
				} `json:"update"`
			}
			if json.Unmarshal([]byte(line), &e) == nil && e.Update.Kind == "usage_update" {
				sum += e.Update.Used
			}
		}
	}
	return sum
}
