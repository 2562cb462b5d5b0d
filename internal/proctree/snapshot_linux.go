package proctree

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// ticks is in what Linux counts times for programs, on all machines that Go runs on.
const ticks = 100

// snapshot lists the living processes from /proc. What ends meanwhile is left out.
func snapshot(mark string) ([]Process, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var list []Process
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile(filepath.Join("/proc", e.Name(), "stat"))
		if err != nil {
			continue
		}
		if p, ok := readStat(pid, string(stat)); ok {
			p.marked = mark != "" && marked(e.Name(), mark)
			list = append(list, p)
		}
	}
	return list, nil
}

// readStat takes a line of /proc/PID/stat apart: pid (name) state parent group session … The name
// may hold anything.
func readStat(pid int, line string) (Process, bool) {
	const state, parent, session, cpu, started = 0, 1, 3, 11, 19 // behind the name
	f := strings.Fields(line[strings.LastIndexByte(line, ')')+1:])
	if len(f) <= started || f[state] == "Z" || f[state] == "X" { // a zombie is dead
		return Process{}, false
	}
	p := Process{PID: pid, Stopped: f[state] == "T"}
	for _, field := range f[cpu : cpu+4] { // its own and its dead children's, for the program and for the system
		n, _ := strconv.ParseInt(field, 10, 64)
		p.CPU += time.Duration(n) * time.Second / ticks
	}
	p.Parent, _ = strconv.Atoi(f[parent])
	p.Session, _ = strconv.Atoi(f[session])
	p.Started, _ = strconv.ParseUint(f[started], 10, 64)
	return p, true
}

// marked looks at the environment that a process started with; of other people's nothing is shown.
func marked(pid, mark string) bool {
	env, err := os.ReadFile(filepath.Join("/proc", pid, "environ"))
	if err != nil {
		return false
	}
	return bytes.HasPrefix(env, []byte(mark)) || bytes.Contains(env, []byte("\x00"+mark))
}
