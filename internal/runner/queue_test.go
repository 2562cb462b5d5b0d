//go:build unix

package runner_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"brenner/internal/app"
	"brenner/internal/protocol"
	"brenner/internal/runner"
)

// queueProcess plays what is left of a project's queue. It kills itself at a certain event; 0: never. At its end it
// tells how much memory it holds.
func queueProcess(root, killAt string, threads []string) int {
	a, err := app.Open(context.Background(), app.Options{Project: app.Project{Root: root, WorkDir: root}})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	at, _ := strconv.Atoi(killAt)
	var events atomic.Int64
	slots := runner.NewSlots(map[string]int{"scripted": 4})
	q := runner.Queue{Mail: a.Mail, Root: root, Jobs: 3, Now: time.Now}
	q.Play = func(ctx context.Context, thread string, _ runner.Kept) (runner.Report, error) {
		o := options(a, thread, 2)
		o.Slots = slots
		o.Tell = func(runner.Event) {
			if int(events.Add(1)) == at {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
		}
		return runner.Run(ctx, o)
	}
	list, err := q.Run(context.Background(), threads...)
	if err == nil {
		err = runner.Failure(list)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	_ = a.Close()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Println(m.HeapAlloc)
	return 0
}

// queueSize is how many sessions the test of the queue plays: a few, or as many as `make queue` says.
func queueSize(t *testing.T) int {
	n, err := strconv.Atoi(os.Getenv("QUEUE_SESSIONS"))
	if err != nil {
		return 4
	}
	t.Logf("%d sessions", n)
	return n
}

// TestQueue plays sessions through a queue whose process is killed again and again: everything is on each
// thread once, nothing is missing, nothing runs on, and the process holds no more for many sessions than for few.
func TestQueue(t *testing.T) {
	t.Parallel()
	scripts := with(whole(), "RedSky", func(s *script) { s.Fault = "prints" })
	a, first := project(t, scripts)
	threads := []string{first}
	for range queueSize(t) - 1 {
		threads = append(threads, begin(t, a, "scripted", "scripted", "scripted"))
	}
	heap := playToTheEnd(t, a, threads)
	if heap > 64<<20 {
		t.Errorf("%d MiB are held at the end", heap>>20)
	}
	for _, thread := range threads {
		checkPlayed(t, a, thread)
	}
	list, err := runner.LoadQueue(t.Context(), a.Mail)
	if err != nil || len(list) != len(threads) {
		t.Fatalf("%d in the queue, %v", len(list), err)
	}
	for _, e := range list {
		if e.State != runner.Over || e.Status != runner.Converged || e.Version != 1 {
			t.Errorf("%+v", e)
		}
	}
	q := runner.Queue{Mail: a.Mail, Root: a.Project.Root, Now: time.Now}
	if _, err := q.Run(t.Context()); protocol.CodeOf(err) != protocol.NotFound {
		t.Errorf("a queue that is over goes on: %v", err)
	}
}

// playToTheEnd starts queues that are killed, each a little later, until one ends.
func playToTheEnd(t *testing.T, a *app.App, threads []string) int {
	t.Helper()
	kills := 2 + len(threads)
	for n := range kills + 1 {
		at := 5 + 7*n
		if n == kills {
			at = 0
		}
		args := []string{a.Project.Root, strconv.Itoa(at)}
		if n == 0 {
			args = append(args, threads...) // the others go on with what is left
		}
		var out, errs bytes.Buffer
		cmd := exec.CommandContext(t.Context(), self(), args...)
		cmd.Env = append(os.Environ(), actAs+"=queue")
		cmd.Stdout, cmd.Stderr = &out, &errs
		err := cmd.Run()
		if err == nil {
			var heap int
			if err := json.Unmarshal(out.Bytes(), &heap); err != nil {
				t.Fatalf("%v: %s", err, out.String())
			}
			t.Logf("%d sessions: killed %d times, %d KiB held at the end", len(threads), n, heap>>10)
			return heap
		}
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("%v\n%s", err, errs.String())
		}
	}
	t.Fatal("no queue came to its end")
	return 0
}

// checkPlayed looks whether a session of two rounds is on its thread as if no process had been killed.
func checkPlayed(t *testing.T, a *app.App, thread string) {
	t.Helper()
	proof, err := a.Sessions.Verify(t.Context(), thread)
	if err != nil || proof.FirstBad != nil || proof.Versions != 1 {
		t.Errorf("%s: %+v, %v", thread, proof, err)
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
		if kickoffs[name] != 2 || deltas[name] != 1 {
			t.Errorf("%s: %s has %d kickoffs and %d contributions", thread, name, kickoffs[name], deltas[name])
		}
	}
	orphans, err := runner.Orphans(t.Context(), a.Mail, a.Project.Root, thread)
	if err != nil || len(orphans) != 0 {
		t.Errorf("%s: %+v, %v", thread, orphans, err)
	}
}

// TestSlots: no more of a program run than there are slots for; one that runs already counts.
func TestSlots(t *testing.T) {
	t.Parallel()
	s := runner.NewSlots(map[string]int{"x": 1})
	running := s.Claim("x")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := s.Take(ctx, "x"); err == nil {
		t.Error("two run at once")
	}
	got := make(chan func())
	go func() {
		release, err := s.Take(t.Context(), "x")
		if err != nil {
			t.Error(err)
		}
		got <- release
	}()
	running()
	running() // once is enough
	(<-got)()
	if release, err := s.Take(t.Context(), "y"); err != nil {
		t.Error(err)
	} else {
		release()
	}
}
