//go:build unix

package command_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"brenner/internal/command"
)

// TestMain lets the test run itself as the program that is killed.
func TestMain(m *testing.M) {
	if script := os.Getenv("RUN_SCRIPT"); script != "" {
		_, _ = command.Run(context.Background(), command.Spec{Words: []string{"/bin/sh", "-c", script}, Live: io.Discard})
		return
	}
	os.Exit(m.Run())
}

// If we are killed, the command ends too, with everything that it started, also in a session of its own.
func TestKilledLeavesNoChild(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pids")
	self := exec.Command(os.Args[0])
	self.Env = append(os.Environ(), "RUN_SCRIPT="+leaves(file)+"; wait")
	if err := self.Start(); err != nil {
		t.Fatal(err)
	}
	pids := waitFor(t, file)
	_ = self.Process.Kill()
	_ = self.Wait()
	gone(t, pids)
}

// A command whose time is over leaves nobody either, interrupted or not.
func TestEndedLeavesNoChild(t *testing.T) {
	for name, spec := range map[string]command.Spec{"timeout": {Timeout: time.Second}, "interrupt": {}} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "pids")
			spec.Words, spec.Live = []string{"/bin/sh", "-c", leaves(file) + "; wait"}, io.Discard
			ctx, interrupt := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() {
				r, err := command.Run(ctx, spec)
				if err == nil {
					r.Close()
				}
				done <- err
			}()
			pids := waitFor(t, file)
			if spec.Timeout == 0 {
				interrupt()
			}
			if err := <-done; (err != nil) != (spec.Timeout == 0) {
				t.Error(err)
			}
			interrupt()
			gone(t, pids)
		})
	}
}

// leaves is a script that starts a child, one in a session of its own, and one there whose parent is gone; it writes who they are.
func leaves(file string) string {
	return "sleep 60 & first=$!; setsid sleep 60 & second=$!; (setsid sh -c 'echo $$ > " + file + ".last; exec sleep 60' & ); " +
		"while [ ! -s " + file + ".last ]; do sleep 0.01; done; " +
		"echo $$ $first $second $(cat " + file + ".last) > " + file + ".new; mv " + file + ".new " + file
}

// gone waits until processes have ended.
func gone(t *testing.T, pids []int) {
	t.Helper()
	if len(pids) != 4 {
		t.Fatal(pids)
	}
	for _, pid := range pids {
		deadline := time.Now().Add(10 * time.Second)
		for alive(pid) {
			if time.Now().After(deadline) {
				_ = syscall.Kill(pid, syscall.SIGKILL)
				t.Errorf("process %d outlives the run", pid)
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

func waitFor(t *testing.T, file string) []int {
	t.Helper()
	for range 1000 {
		if data, err := os.ReadFile(file); err == nil {
			var pids []int
			for word := range strings.FieldsSeq(string(data)) {
				pid, _ := strconv.Atoi(word)
				pids = append(pids, pid)
			}
			return pids
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the command did not start")
	return nil
}

// alive reports whether a process runs; one that waits to be collected does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}
