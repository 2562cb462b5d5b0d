package tmux_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"brenner/internal/needs"
	"brenner/internal/protocol"
	"brenner/internal/tmux"
)

// server is a real tmux on a socket of its own, gone after the test.
func server(t *testing.T) (*tmux.Server, string) {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "s")
	needs.Program(t, "tmux")
	s, err := tmux.Open(tmux.Options{Socket: socket, Config: os.DevNull})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = exec.Command("tmux", "-S", socket, "kill-server").Run() // it may have ended already
	})
	return s, socket
}

// eventually polls until a condition holds.
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

func create(t *testing.T, s *tmux.Server, w tmux.Wish) tmux.Session {
	t.Helper()
	if w.Dir == "" {
		w.Dir = t.TempDir()
	}
	got, err := s.Create(context.Background(), w)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func panes(t *testing.T, s *tmux.Server, id string) []tmux.Pane {
	t.Helper()
	list, err := s.Panes(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestNoServer(t *testing.T) {
	s, _ := server(t)
	ctx := context.Background()
	if list, err := s.Sessions(ctx); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	if err := s.Kill(ctx, "$0"); err != nil {
		t.Error(err)
	}
	if _, err := s.Panes(ctx, "$0"); protocol.CodeOf(err) != protocol.NotFound {
		t.Errorf("%v", err)
	}
}

// TestNames: thread ids that tmux cannot hold, ids that collide there, and ids made to run
// something all get sessions of their own.
func TestNames(t *testing.T) {
	s, _ := server(t)
	ctx := context.Background()
	dir := t.TempDir()
	ids := []string{
		"brenner-5ai.16", "brenner-5ai:16", "brenner-5ai_16", "#(touch pwned)", "$(touch pwned)", "`touch pwned`", "; touch pwned;", "a;",
		";", `it's "b"`,
		"$0", "=x", "%1", "@1", "#{pid}", "größe 細胞", "{x}", "x y", "!", "+1", "~",
	}
	names := map[string]bool{}
	for _, id := range ids {
		got := create(t, s, tmux.Wish{Thread: id, Owner: "p", Dir: dir})
		if strings.ContainsAny(got.Name, ".:") || names[got.Name] {
			t.Errorf("%q is called %q", id, got.Name)
		}
		names[got.Name] = true
		if err := s.Fill(ctx, got.ID, []tmux.Tenant{{Agent: "A", Role: "r", Program: "p", Dir: dir,
			Args: []string{"sleep", "60"}}}); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.Sessions(ctx)
	if err != nil || len(list) != len(ids) {
		t.Fatalf("%d sessions for %d threads: %v", len(list), len(ids), err)
	}
	for _, id := range ids {
		found, ok := tmux.Find(list, "p", id)
		if !ok || !names[found.Name] {
			t.Errorf("%q is not there", id)
			continue
		}
		if _, err := s.Create(ctx, tmux.Wish{Thread: id, Owner: "p", Dir: dir}); protocol.CodeOf(err) != protocol.Conflict {
			t.Errorf("%q again: %v", id, err)
		}
		if got := panes(t, s, found.ID); len(got) != 1 || got[0].Dead {
			t.Errorf("%q has %v", id, got)
		}
	}
	if _, ok := tmux.Find(list, "other", "$0"); ok {
		t.Error("found the session of another owner")
	}
	if got := create(t, s, tmux.Wish{Thread: "$0", Owner: "other", Dir: dir}); names[got.Name] {
		t.Errorf("two owners share %q", got.Name)
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "*")); len(found) > 0 {
		t.Errorf("something ran: %v", found)
	}
}

// TestPanes: one pane for each tenant, whatever its words hold; a program that ends at once leaves
// its pane and its exit code behind.
func TestPanes(t *testing.T) {
	s, socket := server(t)
	ctx := context.Background()
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	hostile := []string{"#{pid}", "#(touch pwned)", "$(touch pwned)", "a;", ";", "x\ny", "'", "--", "-d"}
	session := create(t, s, tmux.Wish{Thread: "T-1.2", Owner: "p", Dir: dir})
	tenants := []tmux.Tenant{
		{Agent: "BlueLake", Role: "test_designer", Program: "mine", Dir: dir,
			Args: append([]string{"sh", "-c", `printf '%s\n' "$@" >` + out + `.new; pwd >>` + out + `.new; mv ` + out + `.new ` + out +
				`; sleep 60`, "sh"}, hostile...)},
		{Agent: "RedFox", Role: "r", Program: "x", Dir: dir, Args: []string{"sh", "-c", "exit 7"}},
		{Agent: "GrayOwl", Role: "r", Program: "x", Dir: dir, Args: []string{"sh", "-c", "kill -9 $$"}},
	}
	for i := range 9 {
		tenants = append(tenants, tmux.Tenant{Agent: "Agent" + strconv.Itoa(i), Role: "r", Program: "x", Dir: dir,
			Args: []string{"sleep", "60"}})
	}
	if err := s.Fill(ctx, session.ID, tenants); err != nil {
		t.Fatal(err)
	}
	eventually(t, 10*time.Second, "the programs run and end", func() bool {
		list := panes(t, s, session.ID)
		_, err := os.Stat(out)
		return err == nil && len(list) == len(tenants) && find(list, "RedFox").ExitCode != nil && find(list, "GrayOwl").ExitCode != nil
	})
	list := panes(t, s, session.ID)
	for i, p := range list {
		if p.Agent != tenants[i].Agent {
			t.Errorf("pane %d is %s, not %s: they stand in the order of the roster", i, p.Agent, tenants[i].Agent)
		}
	}
	if p := find(list, "RedFox"); !p.Dead || *p.ExitCode != 7 {
		t.Errorf("%+v", p)
	}
	if p := find(list, "GrayOwl"); !p.Dead || *p.ExitCode != 128+9 {
		t.Errorf("%+v, exit code %d", p, *p.ExitCode)
	}
	lake := find(list, "BlueLake")
	if lake.Dead || lake.Role != "test_designer" || lake.Program != "mine" || lake.Ref != lake.ID+":"+strconv.Itoa(lake.PID)+"@"+socket {
		t.Errorf("%+v", lake)
	}
	got, err := os.ReadFile(out)
	if want := strings.Join(append(hostile, dir), "\n") + "\n"; err != nil || string(got) != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "pwned")); len(found) > 0 {
		t.Error("something ran")
	}
	if life := tmux.Ask(ctx, lake.Ref); life != tmux.Alive {
		t.Errorf("a living pane is %v", life)
	}
	for _, ref := range []string{lake.ID + ":1@" + socket, find(list, "RedFox").Ref, "%99:1@" + socket} {
		if life := tmux.Ask(ctx, ref); life != tmux.Dead {
			t.Errorf("%s is %v", ref, life)
		}
	}
	if life := tmux.Ask(ctx, "nonsense"); life != tmux.Unknown {
		t.Errorf("nonsense is %v", life)
	}
	if err := s.Kill(ctx, session.ID); err != nil {
		t.Fatal(err)
	}
	if life := tmux.Ask(ctx, lake.Ref); life != tmux.Dead {
		t.Errorf("after the end it is %v", life)
	}
}

func find(list []tmux.Pane, agent string) tmux.Pane {
	i := slices.IndexFunc(list, func(p tmux.Pane) bool { return p.Agent == agent })
	if i < 0 {
		return tmux.Pane{}
	}
	return list[i]
}

// TestType: text is typed as one line, and only into the pane that is named.
func TestType(t *testing.T) {
	s, _ := server(t)
	ctx := context.Background()
	dir := t.TempDir()
	session := create(t, s, tmux.Wish{Thread: "T", Owner: "p", Dir: dir})
	read := func(name string) tmux.Tenant {
		return tmux.Tenant{Agent: name, Role: "r", Program: "x", Dir: dir,
			Args: []string{"sh", "-c", `IFS= read -r line; printf %s "$line" >$0.new; mv $0.new $0; sleep 60`, name}}
	}
	if err := s.Fill(ctx, session.ID, []tmux.Tenant{read("One"), read("Two")}); err != nil {
		t.Fatal(err)
	}
	if err := s.Type(ctx, find(panes(t, s, session.ID), "Two").ID, "hello\nworld; #(touch pwned) $x;"); err != nil {
		t.Fatal(err)
	}
	eventually(t, 10*time.Second, "the line arrives", func() bool { _, err := os.Stat(filepath.Join(dir, "Two")); return err == nil })
	if got, _ := os.ReadFile(filepath.Join(dir, "Two")); string(got) != "hello world; #(touch pwned) $x;" {
		t.Errorf("%q", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "One")); err == nil {
		t.Error("the other pane got it too")
	}
}
