package process

import (
	"context"
	"errors"
	"syscall"
	"time"
)

const (
	queryLimited     = 0x1000 // PROCESS_QUERY_LIMITED_INFORMATION
	stillActive      = 259
	invalidParameter = syscall.Errno(87) // there is no such process
)

// look opens the process and asks for its times.
func look(_ context.Context, pid int) (found bool, began time.Time, known bool) {
	handle, err := syscall.OpenProcess(queryLimited, false, uint32(pid))
	switch {
	case errors.Is(err, invalidParameter):
		return false, time.Time{}, true
	case errors.Is(err, syscall.ERROR_ACCESS_DENIED):
		return true, time.Time{}, true
	case err != nil:
		return false, time.Time{}, false
	}
	defer func() { _ = syscall.CloseHandle(handle) }() // it was only looked at
	var code uint32
	if err := syscall.GetExitCodeProcess(handle, &code); err == nil && code != stillActive {
		return false, time.Time{}, true
	}
	var created, exited, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(handle, &created, &exited, &kernel, &user); err != nil {
		return true, time.Time{}, true
	}
	return true, time.Unix(0, created.Nanoseconds()).UTC(), true
}

func room() string { return "" }

// Stopped: no process is stopped by a signal here.
func Stopped(context.Context, int) bool { return false }
