//go:build unix

package runner_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/runner"
	"brenner/internal/store/postgres/pgtest"
)

// leaseOf is the variable that says how long the leases of a machine hold.
const leaseOf = "RUNNER_TEST_LEASE"

// machineProcess is the queue of one machine of several that share a store: its folder for runs is its own. When it is about
// to open a second round it says so, and goes on when it is told to.
func machineProcess(root, store, folder string, threads []string) int {
	a, err := app.Open(context.Background(), app.Options{Project: app.Project{Root: root, WorkDir: root}, Store: store})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer a.Close()
	ttl, err := time.ParseDuration(cmp.Or(os.Getenv(leaseOf), "2s"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	q := runner.Queue{Mail: a.Mail, Root: folder, Jobs: 1, Now: time.Now}
	q.Play = func(ctx context.Context, thread string, _ runner.Kept) (runner.Report, error) {
		o := options(a, thread, 2)
		o.Root, o.Store, o.LeaseTTL = folder, store, ttl
		o.Tell = func(e runner.Event) {
			if e.Kind == runner.Opening {
				fmt.Println("opening")
				_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
			}
		}
		return runner.Run(ctx, o)
	}
	list, err := q.Run(context.Background(), threads...)
	if err == nil {
		err = runner.Failure(list)
	}
	for _, e := range list {
		fmt.Fprintln(os.Stderr, e.ThreadID, e.State, e.Code, e.Reason)
	}
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, err)
	if protocol.CodeOf(err) == protocol.Conflict {
		return 6
	}
	return 1
}

// machine makes the process of a machine.
func machine(t *testing.T, a *app.App, store, folder string, threads ...string) (cmd *exec.Cmd, errs *bytes.Buffer) {
	t.Helper()
	cmd = exec.CommandContext(t.Context(), self(), append([]string{a.Project.Root, store, folder}, threads...)...)
	cmd.Env = append(os.Environ(), actAs+"=machine")
	errs = &bytes.Buffer{}
	cmd.Stderr = errs
	return cmd, errs
}

// opening starts a machine and waits until it is about to open a round. What is returned tells it to go on.
func opening(t *testing.T, cmd *exec.Cmd) (goOn func()) {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "opening\n" {
		_ = cmd.Wait()
		t.Fatalf("%q, %v: %s", line, err, cmd.Stderr)
	}
	return sync.OnceFunc(func() {
		_, _ = io.WriteString(in, "\n") // it may be dead
		in.Close()
	})
}

// TestQueueOfAMachineThatDies: while a machine plays a session no other does, which is told who has it. When the machine
// is killed, another plays what it left: nothing is missing, and nothing twice.
func TestQueueOfAMachineThatDies(t *testing.T) {
	t.Parallel()
	store := pgtest.DSN(t)
	a, first := projectOn(t, store, whole(), "scripted", "scripted", "scripted")
	second := begin(t, a, "scripted", "scripted", "scripted")
	one, two := t.TempDir(), t.TempDir()
	victim, _ := machine(t, a, store, one, first, second)
	opening(t, victim)

	time.Sleep(3 * time.Second) // longer than a lease that is not renewed
	refused, errs := machine(t, a, store, two, first)
	if err := refused.Run(); refused.ProcessState.ExitCode() != 6 ||
		!strings.Contains(errs.String(), fmt.Sprintf("process %d on ", victim.Process.Pid)) {
		t.Fatalf("beside a machine at work: %v\n%s", err, errs)
	}
	if err := victim.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = victim.Wait()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
		heir, errs := machine(t, a, store, two)
		err := heir.Run()
		if err == nil {
			break
		}
		if heir.ProcessState.ExitCode() != 6 || time.Now().After(deadline) {
			t.Fatalf("%v\n%s", err, errs)
		}
	}
	for _, thread := range []string{first, second} {
		checkPlayed(t, a, thread)
	}
	list, err := runner.LoadQueue(t.Context(), a.Mail)
	if err != nil || len(list) != 2 || list[0].Status != runner.Converged || list[1].Status != runner.Converged {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestQueueOfAMachineThatLostItsLease: a machine whose lease is over without its knowledge, as after a long pause, and that
// is about to open a round, opens none where another has taken the session over.
func TestQueueOfAMachineThatLostItsLease(t *testing.T) {
	t.Parallel()
	store := pgtest.DSN(t)
	a, thread := projectOn(t, store, whole(), "scripted", "scripted", "scripted")
	late, lateErrs := machine(t, a, store, t.TempDir(), thread)
	late.Env = append(late.Env, leaseOf+"=10m") // it does not look after its lease while the test runs
	goOn := opening(t, late)
	endLeases(t, a)
	heir, errs := machine(t, a, store, t.TempDir(), thread)
	heirGoesOn := opening(t, heir) // both have passed their gates
	goOn()
	if _ = late.Wait(); late.ProcessState.ExitCode() != 6 {
		t.Errorf("the late one: %v\n%s", late.ProcessState, lateErrs)
	}
	heirGoesOn()
	if err := heir.Wait(); err != nil {
		t.Errorf("%v\n%s", err, errs)
	}
	checkPlayed(t, a, thread)
}

// endLeases ends the leases of a project.
func endLeases(t *testing.T, a *app.App) {
	t.Helper()
	now := a.Mail.Now()
	_, err := a.Store.Reservations(t.Context(), a.Mail.Project().ID, now, func(standing []mail.Reservation) ([]mail.Reservation, error) {
		for i := range standing {
			standing[i].ExpiresAt = now
		}
		return standing, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
