package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ticks is in what Linux counts times for programs, on all machines that Go runs on.
const ticks = 100

// look reads /proc/PID/stat: number, name in brackets, state, and as the 22nd value when it began,
// in ticks since the machine did.
func look(_ context.Context, pid int) (found bool, began time.Time, known bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if errors.Is(err, fs.ErrNotExist) {
		return false, time.Time{}, mounted() // without /proc no process would be found
	}
	if err != nil { // it ended while it was read, or is none of our business
		return false, time.Time{}, errors.Is(err, syscall.ESRCH)
	}
	_, rest, ok := bytes.Cut(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" ")) // the name may hold anything
	fields := bytes.Fields(rest)
	if !ok || len(fields) < 20 {
		return false, time.Time{}, false
	}
	if state := string(fields[0]); state == "Z" || state == "X" {
		return false, time.Time{}, true
	}
	after, err := strconv.ParseInt(string(fields[19]), 10, 64)
	boot, ok := bootTime()
	if err != nil || !ok {
		return true, time.Time{}, true
	}
	return true, boot.Add(time.Duration(after) * time.Second / ticks), true
}

// Stopped tells whether a process was stopped by a signal and waits to be let go on.
func Stopped(_ context.Context, pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	rest := bytes.TrimSpace(stat[bytes.LastIndexByte(stat, ')')+1:]) // the name may hold anything
	return len(rest) > 0 && rest[0] == 'T'
}

func mounted() bool {
	_, err := os.Stat("/proc/self/stat")
	return err == nil
}

// bootTime reads when the machine began, in whole seconds.
func bootTime() (time.Time, bool) {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return time.Time{}, false
	}
	_, rest, ok := bytes.Cut(stat, []byte("\nbtime "))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	seconds, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 10, 64)
	return time.Unix(seconds, 0).UTC(), ok && err == nil
}

// firstRoom is the name space of processes that a machine begins with.
const firstRoom = "pid:[4026531836]"

// room names the name space of processes that this one lives in, unless it is the first.
func room() string {
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil || space == firstRoom {
		return ""
	}
	return "/" + strings.Trim(strings.TrimPrefix(space, "pid:"), "[]")
}
