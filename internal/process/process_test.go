package process_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"brenner/internal/process"
)

const childEnv = "BRENNER_PROCESS_TEST_CHILD"

// TestMain lets the test binary play the process that is looked at: it lives until its input ends.
func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		fmt.Println("here")
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
		return
	}
	os.Exit(m.Run())
}

func TestAlive(t *testing.T) {
	began := time.Now()
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), childEnv+"=1")
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	pid := child.Process.Pid
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	started := process.Started(t.Context(), pid)
	if d := started.Sub(began).Abs(); d > 5*time.Second {
		t.Errorf("it began at %s by the machine, %s by our clock", started, began)
	}
	expect := func(what string, at time.Time, want bool) {
		t.Helper()
		if alive, known := process.Alive(t.Context(), pid, at); !known || alive != want {
			t.Errorf("%s: alive %v, known %v", what, alive, known)
		}
	}
	expect("living", started, true)
	expect("living, begun whenever", time.Time{}, true)
	expect("another one with its number, before it", started.Add(-time.Hour), false)

	if err := in.Close(); err != nil { // it ends, and its parent has not looked yet
		t.Fatal(err)
	}
	deadline := time.Now().Add(10 * time.Second)
	for alive := true; alive; alive, _ = process.Alive(t.Context(), pid, started) {
		if time.Now().After(deadline) {
			t.Fatal("a process that ended still lives")
		}
	}
	if err := child.Wait(); err != nil {
		t.Fatal(err)
	}
	expect("ended", started, false)
	expect("ended, begun whenever", time.Time{}, false)
}

func TestSelf(t *testing.T) {
	self := process.Self()
	if alive, known := process.Alive(t.Context(), self.PID, self.Started); !known || !alive || self.Host == "" || self.Started.IsZero() {
		t.Errorf("this process lives: %v, %v, %+v", alive, known, self)
	}
	if _, known := process.Alive(t.Context(), 0, time.Time{}); known {
		t.Error("process 0 is known")
	}
}
