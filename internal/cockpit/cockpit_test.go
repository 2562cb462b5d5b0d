//go:build unix

package cockpit_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"brenner/internal/app"
	"brenner/internal/cockpit"
	"brenner/internal/liveness"
	"brenner/internal/mail"
	"brenner/internal/needs"
	"brenner/internal/proctree"
	"brenner/internal/program"
	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/tmux"
)

// TestMain lets the test binary stand in for brenner in a pane.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "cockpit" && os.Args[2] == "exec" {
		fmt.Fprintln(os.Stderr, cockpit.Exec(os.Args[3]))
		os.Exit(127)
	}
	os.Exit(m.Run())
}

// thread has a name that tmux cannot hold.
const thread = "brenner-5ai.16"

// stage is a project with a session of two agents, a tmux server of its own, and a cockpit.
type stage struct {
	*cockpit.Cockpit
	t      *testing.T
	app    *app.App
	dir    string
	socket string
}

// newStage opens it; script is what the agents' program runs: sh, with the agent, the role and the
// file of the prompt as $1, $2, $3, and the prompt as $4.
func newStage(t *testing.T, script string) *stage {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	short := t.TempDir()
	s := &stage{t: t, dir: filepath.Join(short, "it's #(touch pwned) a; project;"), socket: filepath.Join(short, "s")}
	if err := os.Mkdir(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	found, err := app.FindProject(t.Context(), s.dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if s.app, err = app.Open(t.Context(), app.Options{Project: found}); err != nil {
		t.Fatal(err)
	}
	needs.Program(t, "tmux")
	server, err := tmux.Open(tmux.Options{Socket: s.socket, Config: os.DevNull})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_, _ = s.Stop(context.Background(), thread) // it may have been stopped
		_ = exec.Command("tmux", "-S", s.socket, "kill-server").Run()
		_ = s.app.Close()
	})
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s.Cockpit = cockpit.New(cockpit.Settings{
		Sessions: s.app.Sessions, Tmux: server, Project: s.dir, Brenner: []string{self}, Grace: 300 * time.Millisecond,
		Catalog: program.NewCatalog(map[string]program.Template{
			"mine":   {Command: []string{"sh", "-c", script, "sh", "{agent}", "{role}", "{prompt_file}", "{prompt}"}},
			"silent": {Command: []string{"sh", "-c", script}},
			"absent": {Command: []string{"no-such-program-here", "{prompt}"}},
		}),
	})
	return s
}

// kickOff starts the session; entries name agent and program.
func (s *stage) kickOff(entries ...protocol.RosterEntry) {
	s.t.Helper()
	if len(entries) == 0 {
		entries = []protocol.RosterEntry{
			{AgentName: "BlueLake", Role: protocol.RoleHypothesisGenerator, Program: "mine"},
			{AgentName: "RedFox", Role: protocol.RoleAdversarialCritic, Program: "mine"},
		}
	}
	_, err := s.app.Sessions.Start(s.t.Context(), session.StartRequest{
		ThreadID: thread, From: mail.Operator, Question: "Do $(touch pwned) cells `touch pwned` remember?", Context: "Two; fates.",
		Roster: session.RosterRequest{Sources: []session.RosterSource{{Origin: "test", Entries: entries}}},
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) begin() (cockpit.Running, error) {
	plan, err := s.Plan(s.t.Context(), cockpit.Request{ThreadID: thread})
	if err != nil {
		return cockpit.Running{}, err
	}
	return s.Start(s.t.Context(), plan, cockpit.NeverType)
}

func (s *stage) mustStart() cockpit.Running {
	s.t.Helper()
	r, err := s.begin()
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

// read waits for a file that an agent moves into place.
func (s *stage) read(name string) string {
	s.t.Helper()
	var text []byte
	eventually(s.t, 20*time.Second, name+" is written", func() bool {
		var err error
		text, err = os.ReadFile(filepath.Join(s.dir, name))
		return err == nil
	})
	return string(text)
}

// left lists the processes that came from the session.
func (s *stage) left() []proctree.Process {
	s.t.Helper()
	list, err := proctree.Family{Mark: s.Mark(thread)}.Members()
	if err != nil {
		s.t.Fatal(err)
	}
	return list
}

func eventually(t *testing.T, within time.Duration, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(within); !holds(); <-tick.C {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", within, what)
		}
	}
}

// report is an agent that tells what it was given and stays.
const report = `{ env; echo "cwd=$PWD"; echo "role=$2"; echo prompt=; cat "$3"; } >"$1.new"; printf %s "$4" >"$1.word"; mv "$1.new" ` +
	`"$1"; exec sleep 300`

// TestStart: each roster entry gets a pane with its program, its identity, its role and the kickoff.
func TestStart(t *testing.T) {
	s := newStage(t, report)
	s.kickOff()
	r := s.mustStart()
	if r.Session != "brenner-5ai_16" || r.ThreadID != thread || len(r.Panes) != 2 {
		t.Errorf("%+v", r)
	}
	for agent, role := range map[string]string{"BlueLake": "hypothesis_generator", "RedFox": "adversarial_critic"} {
		got := s.read(agent)
		for _, want := range []string{
			"AGENT_NAME=" + agent + "\n", "BRENNER_THREAD=" + thread + "\n", "cwd=" + s.dir + "\n", "role=" + role + "\n", "TMUX_PANE=%",
			"You are " + agent, "cells `touch pwned` remember?", "### Your part", "acknowledge_message",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("%s was not told %q:\n%s", agent, want, got)
			}
		}
		if word := s.read(agent + ".word"); !strings.HasSuffix(got, "prompt=\n"+word) {
			t.Errorf("%s: the prompt as a word is not the prompt in the file:\n%s", agent, word)
		}
	}
	if found, _ := filepath.Glob(filepath.Join(s.dir, "pwned")); len(found) > 0 {
		t.Error("something ran that was only a name")
	}
	list, err := s.List(t.Context())
	if err != nil || len(list) != 1 || len(list[0].Panes) != 2 || !list[0].Panes[0].Alive || list[0].Panes[1].Agent != "RedFox" {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := s.begin(); protocol.CodeOf(err) != protocol.Conflict {
		t.Errorf("twice: %v", err)
	}
	if left := s.left(); len(left) != 2 {
		t.Errorf("a refused start changed what runs: %v", left)
	}
	if words, err := s.AttachCommand(t.Context(), thread, ""); err != nil || !slices.Contains(words, "attach-session") {
		t.Errorf("%q, %v", words, err)
	}
}

// TestDeathIsNoticed: the verdict about an agent whose program died says so, within ten seconds.
func TestDeathIsNoticed(t *testing.T) {
	s := newStage(t, report)
	s.kickOff()
	r := s.mustStart()
	s.read("BlueLake")
	state := func(agent string) liveness.State {
		v, err := s.app.Sessions.Why(t.Context(), agent)
		if err != nil {
			t.Fatal(err)
		}
		return v.State
	}
	if got := state("BlueLake"); got == liveness.Dead || got == liveness.Unknown {
		t.Errorf("a living agent is %s", got)
	}
	if err := syscall.Kill(r.Panes[0].PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	eventually(t, 10*time.Second, "BlueLake is called dead", func() bool { return state("BlueLake") == liveness.Dead })
	t.Logf("noticed after %v", time.Since(began))
	if got := state("RedFox"); got == liveness.Dead {
		t.Error("its neighbour is blamed")
	}
	eventually(t, 10*time.Second, "the list says so", func() bool {
		list, err := s.List(t.Context())
		return err == nil && len(list) == 1 && !list[0].Panes[0].Alive && list[0].Panes[0].ExitCode != nil &&
			*list[0].Panes[0].ExitCode == 128+9
	})
	if _, err := s.Stop(t.Context(), thread); err != nil {
		t.Fatal(err)
	}
	if got := state("RedFox"); got != liveness.Dead {
		t.Errorf("after the end RedFox is %s", got)
	}
}

// stubborn starts what is hard to end: a child and, in a process session of its own, a grandchild, both deaf.
const stubborn = `trap '' HUP TERM INT
(trap '' HUP TERM INT; while :; do sleep 1; done) &
setsid sh -c '(trap "" HUP TERM INT; : >"$1.deep"; while :; do sleep 1; done) & exit 0' sh "$1"
: >"$1"; while :; do sleep 1; done`

func TestStopLeavesNothing(t *testing.T) {
	s := newStage(t, stubborn)
	s.kickOff()
	s.mustStart()
	for _, name := range []string{"BlueLake", "BlueLake.deep", "RedFox.deep"} {
		s.read(name)
	}
	if n := len(s.left()); n < 6 {
		t.Fatalf("only %d processes", n)
	}
	stopped, err := s.Stop(t.Context(), thread)
	if err != nil || stopped.Ended < 6 || len(stopped.Agents) != 2 {
		t.Fatalf("%+v, %v", stopped, err)
	}
	if left := s.left(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if list, err := s.List(t.Context()); err != nil || len(list) > 0 {
		t.Errorf("%v, %v", list, err)
	}
	if files, _ := filepath.Glob(filepath.Join(s.dir, ".brenner/cockpit/*")); len(files) > 0 {
		t.Errorf("files stay: %v", files)
	}
	if _, err := s.Stop(t.Context(), thread); protocol.CodeOf(err) != protocol.NotFound {
		t.Errorf("again: %v", err)
	}
}

// TestStopAfterOthers: a person ended the tmux session by hand; what that left is ended.
func TestStopAfterOthers(t *testing.T) {
	s := newStage(t, stubborn)
	s.kickOff()
	s.mustStart()
	s.read("BlueLake.deep")
	s.read("RedFox.deep")
	if out, err := exec.Command("tmux", "-S", s.socket, "kill-server").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if len(s.left()) == 0 {
		t.Fatal("nothing was left, so that this tests nothing")
	}
	if _, err := s.Stop(t.Context(), thread); err != nil {
		t.Fatal(err)
	}
	if left := s.left(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestNothingHalfDone: what cannot start entirely does not start.
func TestNothingHalfDone(t *testing.T) {
	s := newStage(t, report)
	s.kickOff(protocol.RosterEntry{AgentName: "BlueLake", Role: protocol.RoleTestDesigner, Program: "mine"},
		protocol.RosterEntry{AgentName: "RedFox", Role: protocol.RoleTestDesigner, Program: "absent"},
		protocol.RosterEntry{AgentName: "GrayOwl", Role: protocol.RoleTestDesigner})
	nothing := func(err error) {
		t.Helper()
		if protocol.CodeOf(err) != protocol.ProgramMissing {
			t.Errorf("%v", err)
		}
		if list, err := s.List(t.Context()); err != nil || len(list) > 0 || len(s.left()) > 0 {
			t.Errorf("%v, %v", list, err)
		}
	}
	_, err := s.begin()
	nothing(err)
	plan, err := s.Plan(t.Context(), cockpit.Request{ThreadID: thread, Programs: map[string]string{"grayowl": "mine"}})
	if err != nil || len(plan.Panes) != 3 || len(plan.Missing) != 1 || plan.Missing[0].Executable != "no-such-program-here" {
		t.Fatalf("%+v, %v", plan, err)
	}
	_, err = s.Start(t.Context(), plan, cockpit.NeverType)
	nothing(err)
	plan.Missing = nil // it goes missing after the look
	_, err = s.Start(t.Context(), plan, cockpit.NeverType)
	nothing(err)
	if _, err := s.Plan(t.Context(), cockpit.Request{ThreadID: thread, Programs: map[string]string{"Nobody": "mine"}}); protocol.CodeOf(
		err) != protocol.UnknownAgent {
		t.Errorf("%v", err)
	}
	if _, err := s.Plan(t.Context(), cockpit.Request{ThreadID: "RS-20260110-not-there"}); protocol.CodeOf(err) != protocol.NotFound {
		t.Errorf("%v", err)
	}
}

// TestTwoStarts: however many start a session at once, one does.
func TestTwoStarts(t *testing.T) {
	s := newStage(t, report)
	s.kickOff()
	const n = 4
	errs := make([]error, n)
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() { _, errs[i] = s.begin() })
	}
	wait.Wait()
	started := 0
	for _, err := range errs {
		switch {
		case err == nil:
			started++
		case protocol.CodeOf(err) != protocol.Conflict:
			t.Errorf("%v", err)
		}
	}
	if list, err := s.List(t.Context()); started != 1 || err != nil || len(list) != 1 {
		t.Errorf("%d started, %v, %v", started, list, err)
	}
}

// TestTypedPrompt: a program that is not handed its prompt hears of it only if that was asked for.
func TestTypedPrompt(t *testing.T) {
	s := newStage(t, `IFS= read -r line; printf %s "$line" >heard.new; mv heard.new heard; exec sleep 300`)
	s.kickOff(protocol.RosterEntry{AgentName: "BlueLake", Role: protocol.RoleTestDesigner, Program: "silent"})
	plan, err := s.Plan(t.Context(), cockpit.Request{ThreadID: thread})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Start(t.Context(), plan, cockpit.TypePrompts); err != nil {
		t.Fatal(err)
	}
	if got := s.read("heard"); got != plan.Panes[0].Typed || !strings.Contains(got, "prompt.md") {
		t.Errorf("heard %q, want %q", got, plan.Panes[0].Typed)
	}
}

// TestHands: the pane of one agent is looked at, gets a key, and is started again without a touch to the other, whose name
// begins the same.
func TestHands(t *testing.T) {
	s := newStage(t, `echo "ready $1 $$"; read line; echo "heard $line"; sleep 600 & wait`)
	s.kickOff(
		protocol.RosterEntry{AgentName: "Blue", Role: protocol.RoleHypothesisGenerator, Program: "mine"},
		protocol.RosterEntry{AgentName: "BlueLake", Role: protocol.RoleAdversarialCritic, Program: "mine"},
	)
	before := s.mustStart()
	shows := func(agent, text string) {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			screen, err := s.Screen(t.Context(), thread, agent, 100)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(screen, text) {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%q is not to be seen: %s", text, screen)
			}
		}
	}
	shows("blue", "ready Blue ")
	for _, key := range []string{"y", ";", "Enter"} {
		if err := s.Press(t.Context(), thread, "Blue", key); err != nil {
			t.Fatal(err)
		}
	}
	shows("Blue", "heard y;")
	ended, err := s.Restart(t.Context(), thread, "Blue")
	if err != nil || ended < 2 {
		t.Fatalf("%d processes ended, %v", ended, err)
	}
	list, err := s.List(t.Context())
	if err != nil || len(list) != 1 || len(list[0].Panes) != 2 {
		t.Fatalf("%v %+v", err, list)
	}
	for i, p := range list[0].Panes {
		if old := before.Panes[i]; p.Agent != old.Agent || !p.Alive || p.Pane != old.Pane || (p.PID == old.PID) != (p.Agent == "BlueLake") {
			t.Errorf("%+v, before %+v", p, old)
		}
	}
	glimpses, err := s.Glimpses(t.Context())
	if err != nil || len(glimpses) != 2 || glimpses[1].LastLine == "" || glimpses[1].Printed.IsZero() {
		t.Errorf("%v %+v", err, glimpses)
	}
	if _, err := s.Restart(t.Context(), thread, "Nobody"); protocol.CodeOf(err) != protocol.NotFound {
		t.Errorf("nobody: %v", err)
	}
}
