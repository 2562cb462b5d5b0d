package lawtest

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestLaw plays every vector. A file of a vector is a question, by its name; its lines are what the answer must have:
//
//   - TEXT    the answer contains it
//   - TEXT    the answer does not contain it
//     exit N    the command ends with this code, or the server answers with this status
//
// Questions are "thread.jsonl" (messages to import), "fold READ" (of these messages alone, without a store), "cli ARGS", "mcp TOOL
// ARGUMENTS", "api METHOD PATH [BODY]" and "page PATH". A file "body NAME" is kept for commands to read.
func TestLaw(t *testing.T) {
	vectors, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(vectors) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	for _, path := range vectors {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			vector, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			w := newWorld(t)
			for _, file := range vector.Files {
				w.ask(file.Name, string(file.Data))
			}
		})
	}
}

// ask asks one question and compares the answer.
func (w *world) ask(question, expected string) {
	w.t.Helper()
	kind, rest, _ := strings.Cut(question, " ")
	var got answer
	switch kind {
	case "thread.jsonl":
		w.keep(question, expected)
		w.must("thread", "import", question)
		return
	case "body":
		w.keep(rest, expected)
		return
	case "fold":
		got = w.fold(rest)
	case "cli":
		got = w.cli(fields(rest)...)
	case "mcp":
		tool, arguments, _ := strings.Cut(rest, " ")
		got = w.mcp(tool, arguments)
	case "api":
		got = w.api(rest)
	case "page":
		got = w.page(rest)
	default:
		w.t.Fatalf("%q is no question", question)
	}
	got.compare(w.t, question, expected)
}

// answer is what a surface said.
type answer struct {
	code int // exit code of a command, status of a server
	text string
}

func (a answer) compare(t *testing.T, question, expected string) {
	t.Helper()
	for line := range strings.Lines(expected) {
		line = strings.TrimSpace(line)
		mark, text, _ := strings.Cut(line, " ")
		switch {
		case line == "":
		case mark == "+" && !strings.Contains(a.text, text):
			t.Errorf("%s: %q is missing in\n%s", question, text, a.text)
		case mark == "-" && strings.Contains(a.text, text):
			t.Errorf("%s: %q should not be in\n%s", question, text, a.text)
		case mark == "exit" && text != number(a.code):
			t.Errorf("%s: code %d, want %s\n%s", question, a.code, text, a.text)
		case mark != "+" && mark != "-" && mark != "exit":
			t.Fatalf("%s: %q is no expectation", question, line)
		}
	}
}

// fields splits a command line at spaces; quotes keep a word together.
func fields(line string) []string {
	var words []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
			continue
		}
		words = append(words, strings.Fields(part)...)
	}
	return words
}
