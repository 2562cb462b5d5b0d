package merge_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
	"brenner/internal/message"
	"brenner/internal/protocol"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the expected reports in testdata")

// TestThreads folds the threads in testdata. Each file is a txtar archive: a section
// "ID FROM TIME [lenient]" is a message, its first line the subject, lines beginning with {
// are delta blocks; the section "want" is the expected report.
func TestThreads(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no vectors", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			thread, want := readThread(t, archive)
			got := fold(t, thread, func(s *merge.State) *merge.State { return s })
			if diff := cmp.Diff(got, fold(t, thread, resume(t))); diff != "" {
				t.Errorf("saved and loaded before each message (-whole +resumed):\n%s", diff)
			}
			if *update {
				setSection(archive, "want", got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
		})
	}
}

func setSection(archive *txtar.Archive, name, text string) {
	for i := range archive.Files {
		if archive.Files[i].Name == name {
			archive.Files[i].Data = []byte(text)
			return
		}
	}
	archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(text)})
}

func readThread(t *testing.T, archive *txtar.Archive) (thread []message.Message, want string) {
	t.Helper()
	for _, f := range archive.Files {
		if f.Name == "want" {
			want = string(f.Data)
			continue
		}
		thread = append(thread, readMessage(t, f))
	}
	return thread, want
}

func readMessage(t testing.TB, f txtar.File) message.Message {
	t.Helper()
	head := strings.Fields(f.Name)
	if len(head) < 3 {
		t.Fatalf("%q is not ID FROM TIME", f.Name)
	}
	id, err := strconv.ParseInt(head[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	at, err := time.Parse(time.RFC3339Nano, "2025-12-30T"+head[2]+"Z")
	if err != nil {
		t.Fatal(err)
	}
	subject, body, _ := strings.Cut(string(f.Data), "\n")
	m := message.Message{ID: id, ThreadID: "RS-20251230-cell-fate", From: head[1], Subject: subject, CreatedAt: at, Intake: protocol.Strict}
	if len(head) > 3 {
		m.Intake = protocol.Intake(head[3])
	}
	var b strings.Builder
	for line := range strings.Lines(body) {
		if strings.HasPrefix(line, "{") {
			line = "```delta\n" + line + "```\n"
		}
		b.WriteString(line)
	}
	m.Body = b.String()
	return m
}

// resume is a state that was saved and loaded.
func resume(t *testing.T) func(*merge.State) *merge.State {
	return func(s *merge.State) *merge.State {
		loaded, err := merge.Load(s.Save())
		if err != nil {
			t.Fatal(err)
		}
		return loaded
	}
}

// fold folds a thread and writes down everything there is to see.
func fold(t *testing.T, thread []message.Message, next func(*merge.State) *merge.State) string {
	t.Helper()
	s := merge.New("RS-20251230-cell-fate")
	var b bytes.Buffer
	for _, m := range thread {
		s = next(s)
		closing := s.Window()
		r := s.Fold(m)
		if r.Type == protocol.TypeCompiled {
			writeWindow(t, &b, closing)
		}
		writeReport(&b, r)
	}
	writeWindow(t, &b, s.Window())
	writeDocument(t, &b, s.Document())
	return b.String()
}

func writeReport(b *bytes.Buffer, r merge.MessageReport) {
	fmt.Fprintf(b, "message %d %s", r.MessageID, r.Type)
	if r.Receipt != nil {
		fmt.Fprintf(b, ": found %d accepted %d rejected %d applied %d skipped %d",
			r.Receipt.Found, r.Receipt.Accepted, r.Receipt.Rejected, r.Applied, r.Skipped)
	}
	b.WriteByte('\n')
	if r.Receipt != nil {
		for _, block := range r.Receipt.Blocks {
			fmt.Fprintf(b, "  %d %s %s %s %s\n", block.Index, block.Status, block.Operation, block.Section, block.ItemID)
			for _, f := range block.Findings {
				writeFinding(b, "    ", f)
			}
		}
	}
	for _, f := range r.Notes {
		writeFinding(b, "  ", f)
	}
	for _, c := range r.Changes {
		kind := []string{"add", "edit", "kill", "overruled"}[c.Kind]
		fmt.Fprintf(b, "  %s %s.%s: %s -> %s", kind, c.Item, c.Field, artifact.AppendValue(nil, c.Old), artifact.AppendValue(nil, c.New))
		if c.Against != nil {
			fmt.Fprintf(b, " (stands: #%d)", c.Against.MessageID)
		}
		b.WriteByte('\n')
	}
}

func writeFinding(b *bytes.Buffer, indent string, f protocol.Finding) {
	fmt.Fprintf(b, "%s%s %s", indent, f.Severity, f.Code)
	for _, text := range []string{f.Item, f.Path} {
		if text != "" {
			fmt.Fprintf(b, " [%s]", text)
		}
	}
	fmt.Fprintf(b, " line %d: %s\n", f.Line, f.Message)
}

func writeWindow(t *testing.T, b *bytes.Buffer, w merge.Window) {
	t.Helper()
	fmt.Fprintf(b, "window since v%d\n", w.Since)
	for _, part := range []struct {
		name  string
		value any
	}{{"deltas", w.Deltas}, {"changes", w.Changes}, {"contributors", w.Contributors}} {
		fmt.Fprintf(b, "  %s %s\n", part.name, toJSON(t, part.value))
	}
	for _, c := range w.Conflicts {
		fmt.Fprintf(b, "  conflict %s\n", toJSON(t, c))
	}
	codes := map[protocol.Code]int{}
	for _, f := range w.Findings {
		codes[f.Code]++
	}
	fmt.Fprintf(b, "  findings %s\n", toJSON(t, codes))
}

func writeDocument(t *testing.T, b *bytes.Buffer, d artifact.Document) {
	t.Helper()
	d.Metadata.ArtifactHash = ""
	fmt.Fprintf(b, "metadata %s\n", toJSON(t, d.Metadata))
	for _, section := range artifact.Sections() {
		for _, item := range d.Artifact.Items(section) {
			fmt.Fprintf(b, "%s\n", toJSON(t, item))
		}
	}
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
