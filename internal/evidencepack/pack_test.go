package evidencepack

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"brenner/internal/evidence"
	"brenner/internal/protocol"
)

var noon = time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC)

// TestMain lets the test be its own child that dies at a step of a run being kept.
func TestMain(m *testing.M) {
	root, step := os.Getenv("EVIDENCE_ROOT"), os.Getenv("EVIDENCE_STEP")
	if root == "" {
		os.Exit(m.Run())
	}
	last, _ := strconv.Atoi(step)
	p, n := At(root), 0
	p.steps = func(string) {
		if n++; n > last {
			os.Exit(9) // as a kill would: nothing deferred runs
		}
	}
	if err := addRun(p); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func addRun(p *Pack) error {
	out, err := os.CreateTemp("", "out")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	_, _ = out.WriteString("outcome: kept\n")
	code := 0
	_, err = p.AddRun(context.Background(), FinishedRun{
		Run: evidence.Run{Command: []string{"true"}, ExitCode: &code}, Out: out, Err: out, Title: "Run", By: "Operator", At: noon,
	})
	return err
}

// A run that is killed at any step leaves nothing, or a complete run.
func TestKilledRunIsNothingOrComplete(t *testing.T) {
	complete := 0
	for step := 0; ; step++ {
		root := t.TempDir()
		if _, err := At(root).Add(t.Context(), Addition{Name: "a.txt", Data: []byte("A first source."), At: noon}); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir(), "EVIDENCE_ROOT="+root, "EVIDENCE_STEP="+strconv.Itoa(step))
		err := cmd.Run()
		code := cmd.ProcessState.ExitCode()
		if code != 0 && code != 9 {
			t.Fatalf("step %d: %v", step, err)
		}
		pack, err := At(root).Load()
		if err != nil {
			t.Fatalf("step %d: %v", step, err)
		}
		if findings := pack.Check(); len(findings) > 0 {
			t.Errorf("step %d leaves %v", step, findings)
		}
		names := folder(t, root)
		switch s := pack.Source("EV-002"); {
		case s == nil && len(names) > 3: // .staged is swept by the next writer
			t.Errorf("step %d leaves %v", step, names)
		case s != nil:
			complete++
			if s.Kind != evidence.KindRun || s.Open().Raw != "outcome: kept\n" {
				t.Errorf("step %d leaves %+v", step, s)
			}
		}
		// The next writer finds the folder in order.
		if added, err := At(root).Add(t.Context(), Addition{Name: "b.txt", Data: []byte("Another source."), At: noon}); err != nil ||
			!added.New {
			t.Fatalf("step %d: %v", step, err)
		}
		for _, name := range folder(t, root) {
			if strings.HasPrefix(name, ".") {
				t.Errorf("step %d leaves %s for good", step, name)
			}
		}
		if code == 0 {
			break
		}
	}
	if complete < 2 {
		t.Errorf("only %d runs were complete: the steps after the commit were not tried", complete)
	}
}

func folder(t *testing.T, root string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(root, Dir))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Many writers at once get ids of their own, and nothing is lost.
func TestAddsAtOnce(t *testing.T) {
	root := t.TempDir()
	const n = 12
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			data := []byte("Source number " + strconv.Itoa(i/2)) // each twice
			if _, err := At(root).Add(t.Context(), Addition{Name: "a.txt", Data: data, At: noon}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	pack, err := At(root).Load()
	if err != nil || len(pack.Sources) != n/2 || len(pack.Check()) > 0 {
		t.Fatalf("%d sources, %v, %v", len(pack.Sources), pack.Check(), err)
	}
}

func TestHostileNamesStayInside(t *testing.T) {
	root := t.TempDir()
	for i, name := range []string{"../../etc/passwd", "a\nb.TXT", "x.<script>", "…", "con.verylongextension", ".", "-rf.txt", "a.tar.gz"} {
		added, err := At(root).Add(t.Context(), Addition{Name: filepath.Base(name), Title: name + "\x00\x1b[31m",
			Data: []byte("Source " + strconv.Itoa(i)), At: noon})
		if err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		if !ownFile(added.ID, added.File) || strings.ContainsAny(added.Title, "\n\x00\x1b") {
			t.Errorf("%q becomes %q, %q", name, added.File, added.Title)
		}
	}
	outside := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("secret words of somebody else"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(root, Dir, "EV-050.txt")); err != nil {
		t.Fatal(err)
	}
	pack, err := At(root).Load()
	if err != nil || pack.Source("EV-050") != nil {
		t.Errorf("a link is a source: %v", err)
	}
	if added, err := At(root).Add(t.Context(), Addition{Name: "a.txt", Data: []byte("The next one."), At: noon}); err != nil ||
		added.ID != "EV-051" {
		t.Errorf("%+v, %v", added, err)
	}
}

func TestTexts(t *testing.T) {
	for name, c := range map[string]struct {
		data string
		text []byte
		file string
		code protocol.Code
	}{
		"a.txt":  {data: "words", file: "EV-001.txt"},
		"b.txt":  {data: "\xff\xfe\x00w"},
		"c.bin":  {data: "words"},
		"d.txt":  {data: "scan", text: []byte("words"), file: "EV-001.text"},
		"e.png":  {data: "scan", text: []byte("words"), file: "EV-001.txt"},
		"f.png":  {data: "scan", text: []byte("\xff"), code: protocol.InvalidInput},
		"g.html": {data: "<p>words", file: "EV-001.txt"},
		"h.txt":  {data: "", code: protocol.InvalidInput},
	} {
		added, err := At(t.TempDir()).Add(t.Context(), Addition{Name: name, Data: []byte(c.data), Text: c.text, At: noon})
		switch {
		case c.code != "":
			if err == nil || protocol.CodeOf(err) != c.code {
				t.Errorf("%s: %v, want %s", name, err, c.code)
			}
		case err != nil || added.Text != c.file:
			t.Errorf("%s: text in %q, %v; want %q", name, added.Text, err, c.file)
		case c.file != "" && added.Open().Text == nil:
			t.Errorf("%s: its text is not read", name)
		}
	}
}

// An excerpt that is changed in the index is told at once, though the files are the same.
func TestChangedExcerpt(t *testing.T) {
	dir := t.TempDir()
	p := At(dir)
	if _, err := p.Add(t.Context(), Addition{Name: "a.txt", Data: []byte("Cells keep\ntheir fate.\n"), At: noon}); err != nil {
		t.Fatal(err)
	}
	s, _, err := p.Excerpt("EV-001", Passage{Quote: "keep their fate"})
	if err != nil || len(s.Open().Wrong) > 0 {
		t.Fatalf("%v, %v", err, s.Open().Wrong)
	}
	index := filepath.Join(dir, Dir, IndexName)
	data, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(index, bytes.Replace(data, []byte("keep their fate"), []byte("lose their fate"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	pack, err := p.Load()
	if err != nil {
		t.Fatal(err)
	}
	if wrong := pack.Source("EV-001").Open().Wrong; len(wrong) != 1 || wrong[0].Code != protocol.EVQ02 {
		t.Errorf("%v, want EV-Q02 of the excerpt", wrong)
	}
	if _, err := p.Select([]string{"EV-001"}); protocol.CodeOf(err) != protocol.EVQ02 {
		t.Errorf("it is carried out: %v", err)
	}
}

// The words of a source are read once and kept with its text, until the file changes.
func TestWordsAreKeptWithTheText(t *testing.T) {
	root := t.TempDir()
	p := At(root)
	if _, err := p.Add(t.Context(), Addition{Name: "a.txt", Data: []byte("Cells keep their fate."), At: noon}); err != nil {
		t.Fatal(err)
	}
	words := func() *evidence.WordIndex {
		pack, err := p.Load()
		if err != nil {
			t.Fatal(err)
		}
		if c := pack.Sources[0].Open(); c.Words != nil {
			return c.Words()
		}
		return nil
	}
	first := words()
	if first == nil || words() != first {
		t.Error("the words were read again")
	}
	if err := os.WriteFile(filepath.Join(root, Dir, "EV-001.txt"), []byte("Cells change it."), 0o600); err != nil {
		t.Fatal(err)
	}
	if words() != nil {
		t.Error("a text that is not what the index names has words")
	}
}

// TestLargeTextIsReadOnce: what a judgement asks of a text that is too large to be kept is known after it was read once, until its
// file changes.
func TestLargeTextIsReadOnce(t *testing.T) {
	dir := t.TempDir()
	p := At(dir)
	text := strings.Repeat("Cells keep their fate when they are moved late.\n", 17<<20/48)
	if _, err := p.Add(t.Context(), Addition{Name: "large.txt", Data: []byte(text), At: noon}); err != nil {
		t.Fatal(err)
	}
	pack, err := p.Load()
	if err != nil {
		t.Fatal(err)
	}
	source := pack.Source("EV-001")
	if source.Open().Text == nil {
		t.Fatal("the text is not there")
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	facts := source.Look()
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; facts.Size != len(text) || len(facts.Wrong) > 0 || allocated > 1<<20 {
		t.Errorf("%d bytes, %v; it took %d bytes to know", facts.Size, facts.Wrong, allocated)
	}
	if err := os.WriteFile(filepath.Join(dir, "evidence", "EV-001.txt"), []byte("Another text.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if facts = source.Look(); len(facts.Wrong) != 1 || facts.Wrong[0].Code != protocol.EVQ02 {
		t.Errorf("a file that changed: %v", facts.Wrong)
	}
}
