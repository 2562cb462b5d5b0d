//go:build unix && !linux

package process

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// look asks with a signal that does nothing, and ps for the rest.
func look(ctx context.Context, pid int) (found bool, began time.Time, known bool) {
	err := syscall.Kill(pid, 0)
	if errors.Is(err, syscall.ESRCH) {
		return false, time.Time{}, true
	}
	if err != nil && !errors.Is(err, syscall.EPERM) {
		return false, time.Time{}, false
	}
	cmd := exec.CommandContext(ctx, "ps", "-o", "state=,lstart=", "-p", strconv.Itoa(pid))
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	out, err := cmd.Output()
	state, start, ok := strings.Cut(strings.TrimSpace(string(out)), " ")
	if err != nil || !ok {
		return true, time.Time{}, true
	}
	if strings.HasPrefix(state, "Z") {
		return false, time.Time{}, true
	}
	at, err := time.ParseInLocation("Mon Jan _2 15:04:05 2006", strings.TrimSpace(start), time.Local)
	if err != nil {
		return true, time.Time{}, true
	}
	return true, at.UTC(), true
}

func room() string { return "" }

// Stopped tells whether a process was stopped by a signal and waits to be let go on.
func Stopped(ctx context.Context, pid int) bool {
	out, err := exec.CommandContext(ctx, "ps", "-o", "state=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && strings.HasPrefix(strings.TrimSpace(string(out)), "T")
}
