//go:build linux

package cli

import (
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// cost is what a process took.
type cost struct {
	cpu    time.Duration
	memory int64 // the most that it held, in bytes
}

// cost runs a process that may find fault with what it reads.
func (p *benchProject) cost(wants string, args ...string) cost {
	c := exec.Command("brenner", args...)
	c.Dir = p.dir
	out, err := c.CombinedOutput()
	if !strings.Contains(string(out), wants) {
		p.b.Fatalf("%v: %v\n%.2000s", args, err, out)
	}
	used, ok := c.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		p.b.Skip("this system does not say what a process took")
	}
	return cost{c.ProcessState.UserTime() + c.ProcessState.SystemTime(), used.Maxrss << 10}
}

// BenchmarkLargeSource: a misquote of a source of 60 MiB whose nearest passage is at its end, in lint and at the door, in turns with a
// process that reads the source once and compares its hash (a check of the pack). x-read and x-memory are how many times its processor
// time and memory they take.
func BenchmarkLargeSource(b *testing.B) {
	p := newBenchProject(b, 10)
	line := "Most of what is written about cells that turn says nothing about when they were moved.\n"
	p.write("large.txt", strings.Repeat(line, 60<<20/len(line))+"Cells that were moved late keep their fate.\n")
	p.run("evidence", "add", "large.txt")
	p.write("delta.md", "# Delta\n\n```delta\n"+`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"claim":"They say `+
		`\"Cells that were moved late lose their fate\" (EV-001)."},"rationale":"They say so."}`+"\n```\n")
	send := func() cost {
		return p.cost("EV-Q01", "mail", "send", "--as", "BlueLake", "--to", "RedSky", "--thread", benchThread, "--subject",
			"DELTA[gpt]: a misquote", "--body", "delta.md")
	}
	send()
	for name, run := range map[string]func() cost{
		"lint": func() cost { return p.cost("EV-Q01", "lint", benchThread) },
		"door": send,
	} {
		b.Run(name, func(b *testing.B) {
			var once, took []cost
			for b.Loop() {
				once = append(once, p.cost("", "evidence", "check"))
				took = append(took, run())
			}
			b.ReportMetric(float64(middle(took).cpu)/float64(middle(once).cpu), "x-read")
			b.ReportMetric(float64(middle(took).memory)/float64(middle(once).memory), "x-memory")
			b.ReportMetric(float64(middle(took).memory)/(1<<20), "MiB")
		})
	}
}

// middle is the one with the middle of the times.
func middle(costs []cost) cost {
	slices.SortFunc(costs, func(a, b cost) int { return int(a.cpu - b.cpu) })
	return costs[len(costs)/2]
}
