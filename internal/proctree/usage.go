package proctree

import (
	"strconv"
	"strings"
	"time"
)

// Usage is what a family has used by now.
type Usage struct {
	Processes int
	CPU       time.Duration
	Stopped   bool // all of them are
}

// Usages measures families given by their roots, with one look at the machine. A root that does not live
// has a usage of no processes.
func Usages(roots []int) (map[int]Usage, error) {
	all, err := snapshot("")
	if err != nil {
		return nil, err
	}
	children := map[int][]Process{}
	byPID := map[int]Process{}
	for _, p := range all {
		byPID[p.PID] = p
		children[p.Parent] = append(children[p.Parent], p)
	}
	usages := make(map[int]Usage, len(roots))
	for _, root := range roots {
		u := Usage{}
		first, alive := byPID[root]
		if !alive {
			usages[root] = u
			continue
		}
		seen, left := map[int]bool{}, []Process{first}
		for u.Stopped = true; len(left) > 0; left = left[1:] {
			p := left[0]
			if seen[p.PID] {
				continue
			}
			seen[p.PID] = true
			u.Processes, u.CPU, u.Stopped = u.Processes+1, u.CPU+p.CPU, u.Stopped && p.Stopped
			left = append(left, children[p.PID]...)
		}
		usages[root] = u
	}
	return usages, nil
}

// Pause suspends all members; Resume lets them go on. Both tell how many there are.
func (f Family) Pause() (int, error) { return f.each(pause) }

// Resume is the opposite of Pause.
func (f Family) Resume() (int, error) { return f.each(resume) }

func (f Family) each(do func(pid int) error) (int, error) {
	members, err := f.Members()
	if err != nil {
		return 0, err
	}
	for _, p := range members {
		if err := do(p.PID); err != nil {
			return 0, err
		}
	}
	return len(members), nil
}

// readTime reads a time as ps prints it: [[days-]hours:]minutes:seconds[.hundredths].
func readTime(text string) time.Duration {
	days, rest, found := strings.Cut(text, "-")
	if !found {
		days, rest = "0", text
	}
	seconds := 0.0
	for part := range strings.SplitSeq(rest, ":") {
		n, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return 0
		}
		seconds = 60*seconds + n
	}
	n, _ := strconv.Atoi(days)
	return time.Duration(seconds*float64(time.Second)) + time.Duration(n)*24*time.Hour
}
