package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

const proposedThread = "RS-20251230-cell-fate-memory"

// proposal is a text that runs a program wherever a shell reads it, with the folder where the program would
// leave a file.
type proposal struct{ text, folder string }

func newProposal(t *testing.T) proposal {
	folder := t.TempDir()
	file := func(n int) string { return filepath.Join(folder, fmt.Sprint(n)) }
	return proposal{fmt.Sprintf("x'\"$(touch %s)\"'; touch %s; `touch %s` | touch %s & touch %s\ntouch %s", file(1), file(2), file(3),
		file(4), file(5), file(6)), folder}
}

func (p proposal) ran(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(p.folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestProposedCommandsAreNeverRun: an agent that proposes a command in every field of every type of message, and in every
// argument of every tool, gets none executed, whatever a person then does with the thread.
func TestProposedCommandsAreNeverRun(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the proposals are written for a POSIX shell")
	}
	works := newProposal(t)
	_ = exec.CommandContext(t.Context(), "sh", "-c", works.text).Run() // only some of it need work
	if len(works.ran(t)) == 0 {
		t.Fatal("a shell that reads the proposal runs nothing: this test could not fail")
	}
	example, err := os.ReadFile("../../examples/thread.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", ".").CombinedOutput(); err != nil {
		t.Fatalf("git init: %s", out)
	}
	p := newProposal(t)
	if code, out := runHere(t, append(example, p.messages(t)...), "thread", "import", "-"); code != 0 {
		t.Fatalf("import: exit code %d: %s", code, out)
	}
	p.callTools(t)
	for _, command := range p.commands() {
		code, out := runHere(t, nil, command...)
		if code == 2 || strings.Contains(out, string(protocol.Internal)) {
			t.Errorf("%q: %s", command, out)
		}
		if ran := p.ran(t); len(ran) > 0 {
			t.Fatalf("%q ran a proposed command: %q", command, ran)
		}
	}
}

// runHere runs a command in the project of the current folder.
func runHere(t *testing.T, in []byte, args ...string) (int, string) {
	t.Helper()
	streams, out, errs := terminal(nil)
	streams.In = bytes.NewReader(in)
	code := Run(t.Context(), append([]string{"--project", "."}, args...), streams)
	return code, out.String() + errs.String()
}

// commands are what a person does with a thread. What is typed here may be run, but only as it is typed.
func (p proposal) commands() [][]string {
	var all [][]string
	for _, words := range []string{
		"compile T", "lint T", "session status T", "thread show T", "artifact show T", "artifact support T", "artifact history T",
		"predictions T", "beliefs T", "next T", "review T",
		"result list T", "evidence check T", "diagnose T", "diagnose T --fix --apply", "critique list T", "cockpit start T --dry-run",
		"persist T --commit", "genealogy",
		"session complete T --force --commit", "artifact diff T", "verify T", "export T --html report.html", "export T --crate crate.zip",
		"verify crate.zip",
	} {
		all = append(all, strings.Fields(strings.ReplaceAll(words, "T", proposedThread)))
	}
	return append(all,
		[]string{"result", "run", proposedThread, "T1", "--", "echo", "outcome: " + p.text},
		[]string{"result", "run", proposedThread, "T1", "--outcome", p.text, "--", "git", "--version"},
		[]string{"result", "run", proposedThread, "T1", "--", p.text},
		[]string{"result", "record", proposedThread, "T1", "--outcome", p.text, "--note", p.text},
		[]string{"compile", proposedThread},
	)
}

// messages are lines of mail: one of each type, each with a delta for every field of every section.
func (p proposal) messages(t *testing.T) []byte {
	t.Helper()
	var lines bytes.Buffer
	lines.WriteByte('\n')
	write := json.NewEncoder(&lines)
	for i, kind := range protocol.MessageTypes() {
		subject := string(kind)
		if kind == protocol.TypeDelta {
			subject += "[gpt]"
		}
		err := write.Encode(map[string]any{
			"thread_id": proposedThread, "from": "BlueLake", "to": []string{"Operator"}, "subject": subject + ": " +
				strings.ReplaceAll(p.text, "\n", " "),
			"created_ts": fmt.Sprintf("2026-01-02T10:00:%02d.000000Z", i), "body_md": p.body(t),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return lines.Bytes()
}

func (p proposal) body(t *testing.T) string {
	t.Helper()
	body := "# " + p.text + "\n\n## Research Question\n" + p.text + "\n\n## Target\n\n- **Item**: H1\n\n## Severity\n\nMajor\n\n" + p.text +
		"\n\n"
	for _, section := range artifact.Sections() {
		block := map[string]any{"operation": "ADD", "section": section.String(), "target_id": nil, "payload": p.payload(section),
			"rationale": p.text}
		if section == artifact.ResearchThread {
			block["operation"], block["target_id"] = "EDIT", "RT"
		}
		data, err := json.MarshalIndent(block, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		body += "```delta\n" + string(data) + "\n```\n\n"
	}
	belief, err := json.Marshal(map[string]any{"credences": map[string]any{"H1": 0.5}, "rationale": p.text})
	if err != nil {
		t.Fatal(err)
	}
	return body + "```belief\n" + string(belief) + "\n```\n"
}

func (p proposal) payload(section artifact.Section) map[string]any {
	payload := map[string]any{"command": []string{"sh", "-c", p.text}, "run": p.text}
	for _, f := range section.Fields() {
		switch {
		case f.Kind == artifact.KindList:
			payload[f.Name] = []string{p.text}
		case f.Kind == artifact.KindMap:
			payload[f.Name] = map[string]string{"H1": p.text, "H2": p.text + "!"}
		case f.Kind == artifact.KindText && len(f.Values) == 0:
			payload[f.Name] = p.text
		}
	}
	if section == artifact.DiscriminativeTests {
		payload["last_run"] = map[string]any{"outcome": p.text, "command": []string{"sh", "-c", p.text}, "note": p.text}
	}
	return payload
}
