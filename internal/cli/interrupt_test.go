//go:build unix

package cli

import (
	"errors"
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestInterruptSignal: Ctrl-C while the program waits for input ends it with 130.
func TestInterruptSignal(t *testing.T) {
	program, err := exec.LookPath("brenner") // TestMain put this test binary there under that name
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "validate", "delta", "-")
	stdin, err := cmd.StdinPipe() // stays open: the read waits
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	// The handler is installed some time after the start; a signal before that kills the
	// process, so the first one comes only when the program has taken its first byte.
	if _, err := stdin.Write(make([]byte, 1<<17)); err != nil { // more than a pipe holds: returns once it is being read
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	select {
	case err = <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("the program goes on waiting")
	}
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok || exit.ExitCode() != 130 {
		t.Errorf("ended with %v, want exit code 130", err)
	}
}
