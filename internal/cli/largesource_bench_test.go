//go:build linux

package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
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

// writeLarge writes a text of 60 MiB, part by part: the memory of a process counts that of who started it.
func (p *benchProject) writeLarge(name, end string) {
	line := "Most of what is written about cells that turn says nothing about when they were moved.\n"
	part := []byte(strings.Repeat(line, 1<<20/len(line)))
	file, err := os.Create(filepath.Join(p.dir, name))
	for i := 0; i < 60 && err == nil; i++ {
		_, err = file.Write(part)
	}
	if err == nil {
		_, err = file.WriteString(end)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		p.b.Fatal(err)
	}
}

// BenchmarkLargeSource: a misquote of a source of 60 MiB whose nearest passage is at its end, in lint and at the door, in turns with a
// process that reads the source once: it judges a letter with a quotation that stands at the end. x-read and x-memory are how many times
// its processor time and memory they take.
func BenchmarkLargeSource(b *testing.B) {
	p := newBenchProject(b, 10)
	p.writeLarge("large.txt", "Cells that were moved late keep their fate.\n")
	p.run("evidence", "add", "large.txt")
	p.write("delta.md", "# Delta\n\n```delta\n"+`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1",`+
		`"payload":{"claim":"They say \"Cells that were moved late lose their fate\" (EV-001)."},"rationale":"They say so."}`+"\n```\n")
	p.write("letter.md", "# Letter\n\nThey say \"Cells that were moved late keep their fate\" (EV-001).\n")
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
				once = append(once, p.cost("", "validate", "message", "--subject", "INFO: a quotation", "--body", "letter.md"))
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
