package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const benchThread = "RS-20260110-cells-turn"

// editLines are the lines of a thread: a kickoff, three hypotheses, and messages with ten EDITs each.
func editLines(messages int) string {
	var lines strings.Builder
	line := func(id int, from, subject, body string) {
		data, _ := json.Marshal(map[string]any{
			"id": id, "thread_id": benchThread, "from": from, "to": []string{"RedSky"}, "subject": subject, "body_md": body,
			"created_ts": time.Date(2026, 1, 10, 0, 0, id, 0, time.UTC).Format(time.RFC3339),
		})
		lines.Write(append(data, '\n'))
	}
	line(1, "Operator", "KICKOFF: ["+benchThread+"] Why",
		"# Kickoff\n\n## Research Question\n\nWhy do cells turn?\n\n## Context\n\nThey do.\n")
	var adds strings.Builder
	for n := range 3 {
		fmt.Fprintf(&adds, "```delta\n"+`{"operation":"ADD","section":"hypothesis_slate","target_id":null,"payload":{"name":"H `+
			`%d","claim":"It turns.","mechanism":"Somehow.",`+
			`"anchors":["inference"]},"rationale":"First."}`+"\n```\n\n", n)
	}
	line(2, "BlueLake", "DELTA[gpt]: three", "# Delta\n\n"+adds.String())
	for id := 3; id <= messages; id++ {
		var body strings.Builder
		for n := range 10 {
			body.WriteString(benchEdit(10*id + n))
		}
		line(id, "BlueLake", "DELTA[gpt]: edits", "# Delta\n\n"+body.String())
	}
	return lines.String()
}

func benchEdit(n int) string {
	return fmt.Sprintf("```delta\n"+`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H%d","payload":{"claim":"It turns %d `+
		`times."},"rationale":"Counted %d."}`+
		"\n```\n\n", 1+n%3, n, n)
}

// benchProject runs the command line as new processes in a project of its own.
type benchProject struct {
	b   *testing.B
	dir string
}

func newBenchProject(b *testing.B, messages int) *benchProject {
	p := &benchProject{b, b.TempDir()}
	p.write("thread.jsonl", editLines(messages))
	p.run("thread", "import", "thread.jsonl")
	p.run("compile", benchThread)
	p.run("session", "status", benchThread)
	return p
}

func (p *benchProject) write(name, text string) {
	if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o600); err != nil {
		p.b.Fatal(err)
	}
}

// run returns the processor time of a process.
func (p *benchProject) run(args ...string) time.Duration {
	c := exec.Command("brenner", args...)
	c.Dir = p.dir
	if out, err := c.CombinedOutput(); err != nil {
		p.b.Fatalf("%v: %v\n%.2000s", args, err, out)
	}
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime()
}

// BenchmarkNewProcess is a new process on a thread of 10,000 messages with 100,000 EDITs, in turns with one on a thread of ten
// messages. x-small is how many times the processor time the large one takes.
func BenchmarkNewProcess(b *testing.B) {
	small, large := newBenchProject(b, 10), newBenchProject(b, 10_000)
	n := 0
	send := func(p *benchProject) time.Duration {
		n++
		p.write("delta.md", "# Delta\n\n"+benchEdit(n))
		return p.run("mail", "send", "--as", "BlueLake", "--to", "RedSky", "--thread", benchThread, "--subject", "DELTA[gpt]: one more",
			"--body", "delta.md")
	}
	for _, c := range []struct {
		name string
		run  func(*benchProject) time.Duration
	}{
		{"status", func(p *benchProject) time.Duration { return p.run("session", "status", benchThread) }},
		{"send", send},
		{"compile", func(p *benchProject) time.Duration { send(p); return p.run("compile", benchThread) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			var took [2][]time.Duration
			for b.Loop() {
				for i, p := range []*benchProject{small, large} {
					took[i] = append(took[i], c.run(p))
				}
			}
			for i := range took {
				slices.Sort(took[i])
			}
			b.ReportMetric(float64(took[1][len(took[1])/2])/float64(took[0][len(took[0])/2]), "x-small")
			b.ReportMetric(float64(took[1][len(took[1])/2].Microseconds())/1000, "cpu-ms")
		})
	}
}
