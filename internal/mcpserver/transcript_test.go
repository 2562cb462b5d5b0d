package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestTranscripts plays each file below testdata/transcripts on every wire. A file is a
// conversation: sections "call TOOL" hold arguments, "request" a whole message or "read" an
// address; the section behind each holds the answer.
func TestTranscripts(t *testing.T) {
	found := 0
	err := filepath.WalkDir("testdata/transcripts", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		found++
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { playFile(t, path) })
		return nil
	})
	if err != nil || found == 0 {
		t.Fatalf("%d transcripts, %v", found, err)
	}
}

// TestTranscriptsAreComplete: each tool is called in one of them.
func TestTranscriptsAreComplete(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	called := map[string]bool{}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			called[f.Name] = true
		}
	}
	for _, tool := range catalog(All) {
		if !called["call "+tool.name] {
			t.Errorf("no transcript calls %s", tool.name)
		}
	}
}

func playFile(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range wires {
		t.Run(w.name, func(t *testing.T) {
			played := play(t, w.open(t, newServer(t, Options{})), archive)
			if *update && i == 0 {
				if err := os.WriteFile(path, txtar.Format(played), 0o644); err != nil {
					t.Fatal(err)
				}
				archive = played
			}
			if diff := cmp.Diff(string(txtar.Format(archive)), string(txtar.Format(played))); diff != "" {
				t.Errorf("%s over %s (-want +got):\n%s", path, w.name, diff)
			}
		})
	}
}

// play sends what a transcript says and puts the answers behind it.
func play(t *testing.T, w wire, script *txtar.Archive) *txtar.Archive {
	played := &txtar.Archive{Comment: script.Comment}
	for _, f := range script.Files {
		verb, name, _ := strings.Cut(f.Name, " ")
		var request string
		switch verb {
		case "call":
			request = fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, name, f.Data)
		case "read":
			request = fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":%q}}`,
				strings.TrimSpace(string(f.Data)))
		case "request":
			request = string(f.Data)
		default:
			continue // an answer of last time
		}
		answer := w.send(t, request)
		if verb == "call" {
			checkSchema(t, name, answer)
		}
		played.Files = append(played.Files, f, txtar.File{Name: "answer", Data: []byte(show(t, answer))})
	}
	return played
}

// show writes an answer for a reader. The text of a tool's result is the JSON of its structured
// content, which is checked and then left out.
func show(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	if answer.Error != nil {
		return "fault " + indent(t, answer.Error)
	}
	var read struct {
		Contents []struct {
			MIMEType string `json:"mimeType"`
			Text     string `json:"text"`
		} `json:"contents"`
	}
	if json.Unmarshal(answer.Result, &read) == nil && len(read.Contents) == 1 {
		text := read.Contents[0].Text
		if read.Contents[0].MIMEType == "application/json" {
			return indent(t, json.RawMessage(text))
		}
		return read.Contents[0].MIMEType + "\n" + strings.Join(headings.FindAllString(text, -1), "\n") + "\n"
	}
	var result callResult
	if err := json.Unmarshal(answer.Result, &result); err != nil || len(result.Content) == 0 {
		return indent(t, answer.Result)
	}
	text := result.Content[0].Text
	if result.IsError {
		checkText(t, text, result.Structured)
		return "failed " + indent(t, result.Structured)
	}
	var array struct {
		Result json.RawMessage `json:"result"`
	}
	same := result.Structured
	if json.Unmarshal(same, &array) == nil && array.Result != nil {
		same = array.Result
	}
	if !sameJSON(same, []byte(text)) {
		t.Errorf("the text is not the structured content:\n%s\n%s", text, same)
	}
	return indent(t, result.Structured)
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && cmp.Equal(x, y)
}

// checkText sees that a failure can be read: the text names every code.
func checkText(t *testing.T, text string, structured json.RawMessage) {
	t.Helper()
	var f failure
	if err := json.Unmarshal(structured, &f); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(text, string(f.Error.Code)+": "+f.Error.Message) {
		t.Errorf("the text %q does not begin with the error", text)
	}
	for _, finding := range f.Error.Findings {
		if !strings.Contains(text, string(finding.Code)) || !strings.Contains(text, finding.Message) {
			t.Errorf("the text %q lacks %s", text, finding.Code)
		}
	}
}

// What the words of other packages are is their own tests' business: transcripts show findings
// by code and place, and of documents only that they are there.
var (
	headings = regexp.MustCompile(`(?m)^(?:version: .*|#{1,2} .*)$`)
	aFinding = regexp.MustCompile(`\{\s*(?:"id": "[^"]*",\s*)?"code": "([^"]+)",\s*"severity": "([^"]+)",\s*"message": .*\s*"item": ` +
		`(.*),\s*"path": (.*),\s*"line": (.*),\s*"column": .*,\s*"fix": .*\s*\}`)
	violations = regexp.MustCompile(`"violations": \[[^\]]*\]`)
	documents  = regexp.MustCompile(`"(artifact_hash|artifact_md|markdown)": ".*"`)
	lists      = regexp.MustCompile(`\[\s*("[^"]*"(?:,\s*"[^"]*")*)\s*\]`)
)

// indent lays JSON out, with what only HTML would need unescaped.
func indent(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	text := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(b.String())
	text = aFinding.ReplaceAllString(text, "{$2 $1, item $3, path $4, line $5}")
	text = violations.ReplaceAllString(text, `"violations": […]`)
	text = documents.ReplaceAllString(text, `"$1": "…"`)
	return lists.ReplaceAllStringFunc(text, func(list string) string { return strings.Join(strings.Fields(list), " ") }) + "\n"
}
