//go:build linux

package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"brenner/internal/artifact/delta"
)

// maxMemory is what a file may cost (PROTOCOL 16).
const maxMemory = 256 << 20

// heavy is a thread with large files.
const heavy = "RS-20260110-large-files"

// TestMemoryOfLargeFiles: a thread of 60 MB, its crate, report and export, a source of 60 MB that is quoted and searched, and an
// index of 40,000 sources cost a process no more than any file may; what would cost more is refused.
func TestMemoryOfLargeFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes half a gigabyte")
	}
	m := newMeasured(t)
	words := m.words()
	m.write("thread.jsonl", func(w *bufio.Writer) { m.thread(w, words, 60<<20) })
	m.run(0, "thread", "import", "thread.jsonl")
	m.run(0, "compile", heavy)
	m.run(0, "verify", heavy)
	m.run(0, "thread", "export", heavy, "-o", "export.jsonl")
	m.run(0, "verify", "export.jsonl")
	m.run(0, "compile", "--dry-run", "--thread-file", "thread.jsonl")
	m.run(0, "export", heavy, "--html", "report.html")
	m.run(0, "export", heavy, "--crate", "thread.zip")
	m.run(0, "verify", "thread.zip")
	m.run(0, "thread", "import", "thread.zip", "--project", m.folder("other"))

	m.write("too-large.jsonl", func(w *bufio.Writer) { m.thread(w, words, 90<<20) })
	m.run(3, "thread", "import", "too-large.jsonl", "--project", m.folder("third"))
	m.run(3, "verify", "too-large.jsonl")

	m.source(words)
	m.index()
}

// source adds a large source that a letter quotes.
func (m *measured) source(words []string) {
	dir := m.folder("quoted")
	m.write("source.txt", func(w *bufio.Writer) { m.text(w, words, 60<<20) })
	m.run(0, "evidence", "add", "source.txt", "--project", dir)
	m.run(0, "session", "start", "--question", "Why?", "--context", "So.", "--thread", heavy, "--to", "BlueLake", "--project", dir)
	block, err := json.Marshal(map[string]any{"operation": "ADD", "section": "hypothesis_slate", "rationale": "r",
		"payload": map[string]any{
			"name": "one", "mechanism": "m",
			"claim":   fmt.Sprintf("“%s” (EV-001), and “%s” (EV-001)", words[1], "words that nobody has written"),
			"anchors": []string{"inference"},
		}})
	if err != nil {
		m.Fatal(err)
	}
	m.write("delta.md", func(w *bufio.Writer) { fmt.Fprintf(w, "# D\n\n```delta\n%s\n```\n", block) })
	m.run(0, "mail", "send", "--from", "BlueLake", "--to", "Operator", "--thread", heavy,
		"--subject", "DELTA[gpt]: x", "--body", "delta.md", "--project", dir)
	m.run(0, "compile", heavy, "--project", dir)
	m.run(3, "evidence", "check", heavy, "--project", dir)
	m.run(0, "evidence", "search", words[2], "--project", dir)
	m.run(0, "export", heavy, "--crate", "quoted.zip", "--project", dir)
	m.run(3, "verify", "quoted.zip") // nobody has written those words
}

// index reads an index of many sources.
func (m *measured) index() {
	dir := m.folder("indexed")
	if err := os.MkdirAll(filepath.Join(dir, "evidence"), 0o755); err != nil {
		m.Fatal(err)
	}
	m.write("indexed/evidence/index.yaml", func(w *bufio.Writer) {
		fmt.Fprintln(w, "evidence:")
		for i := range 40_000 {
			fmt.Fprintf(w, "  - id: EV-%06d\n    title: %q\n    kind: source\n    file: null\n    sha256: %064d\n    status: current\n",
				i+1, fmt.Sprint("The source with number ", i), i)
		}
	})
	m.run(-1, "evidence", "list", "--project", dir) // an answer has a bound of its own
	m.write("indexed/evidence/index.yaml", func(w *bufio.Writer) { fmt.Fprintf(w, "evidence: [%s]\n", strings.Repeat("a,", 6<<20)) })
	m.run(3, "evidence", "list", "--project", dir)
}

// measured runs the program as a process of its own and looks at what it took.
type measured struct {
	*testing.T
	program, dir string
	random       *rand.Rand
}

func newMeasured(t *testing.T) *measured {
	program, err := exec.LookPath("brenner") // TestMain put this test binary there under that name
	if err != nil {
		t.Fatal(err)
	}
	m := &measured{t, program, t.TempDir(), rand.New(rand.NewPCG(1, 2))}
	m.folder(".git")
	return m
}

// folder makes a folder, which is a project of its own.
func (m *measured) folder(name string) string {
	m.Helper()
	dir := filepath.Join(m.dir, name)
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
		m.Fatal(err)
	}
	return dir
}

// run expects an exit code, -1 any, and no more memory than a file may cost.
func (m *measured) run(code int, args ...string) {
	m.Helper()
	cmd := exec.CommandContext(m.Context(), m.program, args...)
	cmd.Dir = m.dir
	status := filepath.Join(m.dir, "status")
	cmd.Env = append(os.Environ(), "HOME="+m.dir, "XDG_CONFIG_HOME="+m.dir, statusFile+"="+status)
	out, _ := cmd.CombinedOutput()
	took := m.peak(status)
	m.Logf("%4d MiB  %s", took>>20, strings.Join(args, " "))
	if got := cmd.ProcessState.ExitCode(); code >= 0 && got != code {
		m.Fatalf("%v: exit %d, want %d\n%.2000s", args, got, code, out)
	}
	if took > maxMemory {
		m.Errorf("%v took %d MiB", args, took>>20)
	}
}

func (m *measured) write(name string, content func(w *bufio.Writer)) {
	m.Helper()
	f, err := os.Create(filepath.Join(m.dir, name))
	if err != nil {
		m.Fatal(err)
	}
	w := bufio.NewWriter(f)
	content(w)
	if err := w.Flush(); err != nil {
		m.Fatal(err)
	}
	if err := f.Close(); err != nil {
		m.Fatal(err)
	}
}

func (m *measured) words() []string {
	list := make([]string, 20_000)
	for i := range list {
		list[i] = fmt.Sprintf("w%05d", i)
	}
	return list
}

// text writes lines of random words.
func (m *measured) text(w *bufio.Writer, words []string, size int) {
	for n := 0; n < size; {
		for range 12 {
			k, _ := w.WriteString(words[m.random.IntN(len(words))] + " ")
			n += k
		}
		_ = w.WriteByte('\n')
		n++
	}
}

// thread writes message lines: a question, an answer, edits and long letters.
func (m *measured) thread(w *bufio.Writer, words []string, size int) {
	n := 0
	line := func(from, subject, body string) {
		n++
		text, err := json.Marshal(map[string]any{
			"id": n, "thread_id": heavy, "from": from, "to": []string{"Operator"}, "subject": subject, "body_md": body,
			"created_ts": fmt.Sprintf("2026-01-10T10:%02d:%02d.%06dZ", n/60%60, n%60, n), "ack_required": false,
		})
		if err != nil {
			m.Fatal(err)
		}
		_, _ = w.Write(append(text, '\n'))
		size -= len(text)
	}
	block := func(operation delta.Operation, target any, mechanism string) string {
		payload := map[string]any{"name": "one", "claim": "It does.", "mechanism": mechanism, "anchors": []string{"inference"}}
		text, err := json.Marshal(map[string]any{"operation": operation, "section": "hypothesis_slate", "target_id": target,
			"payload": payload, "rationale": "r"})
		if err != nil {
			m.Fatal(err)
		}
		return "```delta\n" + string(text) + "\n```\n"
	}
	some := func(size int) string {
		var b strings.Builder
		out := bufio.NewWriter(&b)
		m.text(out, words, size)
		_ = out.Flush()
		return b.String()
	}
	line("Operator", "KICKOFF: large", "# S\n\n## Research Question\nWhy?\n\n## Context\nSome.\n\n## Excerpt\n> x (§1)\n")
	line("BlueLake", "DELTA[gpt]: one", block(delta.Add, nil, "m"))
	for size > 0 {
		for range 20 {
			line("BlueLake", "DELTA[gpt]: more", block(delta.Edit, "H1", some(8_000)))
		}
		line("BlueLake", "INFO: notes", some(900_000))
	}
}

// peak is the most memory that a process held, by the status that it left.
func (m *measured) peak(file string) int64 {
	m.Helper()
	status, err := os.ReadFile(file)
	if err != nil {
		m.Fatal(err)
	}
	if err := os.Remove(file); err != nil {
		m.Fatal(err)
	}
	_, line, _ := strings.Cut(string(status), "VmHWM:")
	var kilobytes int64
	if _, err := fmt.Sscan(line, &kilobytes); err != nil {
		m.Fatalf("%v in %q", err, status)
	}
	return kilobytes << 10
}
