//go:build unix && !linux

package proctree

import (
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// snapshot lists the living processes from ps. It shows no environments, so that nothing is marked;
// a group stands for the session.
func snapshot(string) ([]Process, error) {
	out, err := exec.Command("ps", "-A", "-o", "pid=,ppid=,pgid=,stat=,time=,lstart=").Output()
	if err != nil {
		return nil, err
	}
	var list []Process
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) < 10 || strings.HasPrefix(f[3], "Z") {
			continue
		}
		var p Process
		p.PID, _ = strconv.Atoi(f[0])
		p.Parent, _ = strconv.Atoi(f[1])
		p.Session, _ = strconv.Atoi(f[2])
		p.Stopped, p.CPU = strings.HasPrefix(f[3], "T"), readTime(f[4])
		if at, err := time.Parse("Mon Jan 2 15:04:05 2006", strings.Join(f[5:10], " ")); err == nil {
			p.Started = uint64(at.Unix())
		}
		list = append(list, p)
	}
	return list, nil
}
