package repair

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"brenner/internal/artifact/delta"
	"brenner/internal/markup"
	"brenner/internal/protocol"
)

// Vectors of repairs are messages in testdata/*.txtar: NAME.md, followed by NAME.fixed,
// the repaired body (left out if it stays as it is), and NAME.repairs, what was done and what
// each block then is.

var update = flag.Bool("update", false, "write what the vectors give into their golden parts")

func eachArchive(t testing.TB, pattern string, visit func(path string, archive *txtar.Archive)) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		visit(path, archive)
	}
}

// unfold puts in what a text file does not show well: ␍ is a carriage return, ␉ a tab, ␄ at
// the end takes the last line ending away.
func unfold(body string) string {
	return strings.NewReplacer("␍\n", "\r\n", "␉", "\t", "␄\n", "").Replace(body)
}

func TestFixVectors(t *testing.T) {
	eachArchive(t, "testdata/*.txtar", func(path string, archive *txtar.Archive) {
		if *update {
			updateFixes(t, path, archive)
		}
		parts := map[string]string{}
		for _, f := range archive.Files {
			parts[f.Name] = unfold(string(f.Data))
		}
		for _, f := range archive.Files {
			name, ok := strings.CutSuffix(f.Name, ".md")
			if !ok {
				continue
			}
			t.Run(filepath.Base(path)+"/"+name, func(t *testing.T) {
				body := parts[f.Name]
				got := Fix(body)
				want, changed := parts[name+".fixed"]
				if !changed {
					want = body
				}
				if diff := cmp.Diff(want, got.Text); diff != "" || changed != got.Changed {
					t.Errorf("changed %t, want %t (-want +got)\n%s", got.Changed, changed, diff)
				}
				if diff := cmp.Diff(parts[name+".repairs"], describeRepair(got)); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				checkFixLaws(t, body)
			})
		}
	})
}

func updateFixes(t *testing.T, path string, archive *txtar.Archive) {
	t.Helper()
	out := &txtar.Archive{Comment: archive.Comment}
	for _, f := range archive.Files {
		name, ok := strings.CutSuffix(f.Name, ".md")
		if !ok {
			continue
		}
		got := Fix(unfold(string(f.Data)))
		out.Files = append(out.Files, f)
		if got.Changed {
			fixed := strings.ReplaceAll(got.Text, "\r\n", "␍\n")
			out.Files = append(out.Files, txtar.File{Name: name + ".fixed", Data: []byte(fixed)})
		}
		out.Files = append(out.Files, txtar.File{Name: name + ".repairs", Data: []byte(describeRepair(got))})
	}
	if err := os.WriteFile(path, txtar.Format(out), 0o644); err != nil {
		t.Fatal(err)
	}
	*archive = *out
}

func describeRepair(r Result) string {
	var b strings.Builder
	for _, f := range r.Repairs {
		fmt.Fprintf(&b, "%d:%d %s %s %s | %s\n", f.Line, f.Column, f.Severity, f.Code, f.Path, f.Message)
	}
	for _, k := range r.Receipt.Blocks {
		fmt.Fprintf(&b, "block %d line %d %s", k.Index, k.Line, k.Status)
		for _, f := range k.Findings {
			fmt.Fprintf(&b, " %s", f.Code)
		}
		b.WriteByte('\n')
	}
	for _, f := range r.Unrepaired {
		fmt.Fprintf(&b, "unrepaired %d:%d %s\n", f.Line, f.Column, f.Code)
	}
	return b.String()
}

// checkFixLaws holds what every repair owes: it is stable, accepts no less than before, keeps
// what the author's strings say, and opens as a correction does.
func checkFixLaws(t testingT, body string) {
	t.Helper()
	before := delta.Read(markup.Parse(body), protocol.Strict).AtDoor()
	got := Fix(body)
	if got.Changed != (got.Text != body) || got.Changed != (len(got.Repairs) > 0) {
		t.Errorf("changed %t with %d repairs", got.Changed, len(got.Repairs))
	}
	if got.Changed && !strings.HasPrefix(got.Text, CorrectedTitle) {
		t.Errorf("the repaired body does not open as a correction: %q", got.Text)
	}
	if got.Receipt.Accepted < before.Receipt.Accepted {
		t.Errorf("accepted %d, before %d:\n%s\n---\n%s", got.Receipt.Accepted, before.Receipt.Accepted, body, got.Text)
	}
	if again := Fix(got.Text); again.Changed || len(again.Repairs) > 0 {
		t.Errorf("repairing again changes the body:\n%s\n---\n%s\n---\n%s", body, got.Text, again.Text)
	}
	for _, f := range got.Repairs {
		if f.Line < 1 || f.Severity != protocol.SeverityInfo || f.Message == "" {
			t.Errorf("a repair without place or message: %+v", f)
		}
	}
	checkStringsKept(t, body, got.Text)
}

// checkStringsKept looks for every string of the author's valid blocks in the repaired body.
// Operations, names of sections, words of closed sets and reserved keys may be rewritten.
func checkStringsKept(t testingT, body, fixed string) {
	t.Helper()
	var kept strings.Builder
	for _, text := range blockStrings(fixed) {
		kept.WriteString(text + "\x00")
	}
	for _, text := range blockStrings(body) {
		if want := strings.ReplaceAll(text, brokenSection, "§"); len(want) > 24 && !strings.Contains(kept.String(), want) {
			t.Errorf("the text %q is gone from\n%s", want, fixed)
		}
	}
}

func blockStrings(body string) []string {
	var all []string
	for _, f := range markup.Parse(body).Fences() {
		var v any
		if !delta.IsBlock(&f) || json.Unmarshal([]byte(f.Content), &v) != nil {
			continue
		}
		object, _ := v.(map[string]any)
		payload, _ := object[delta.PayloadKey].(map[string]any)
		for name, value := range payload {
			if !isReservedName(name) {
				all = appendStrings(all, value)
			}
		}
		all = appendStrings(all, object["rationale"])
	}
	return all
}

func isReservedName(name string) bool {
	return len(name) < 2 || strings.HasPrefix(name, "kill") || name == "id" || name == "conflicts" || name == "provenance"
}

func appendStrings(all []string, v any) []string {
	switch v := v.(type) {
	case string:
		return append(all, v)
	case []any:
		for _, e := range v {
			all = appendStrings(all, e)
		}
	case map[string]any:
		for _, e := range v {
			all = appendStrings(all, e)
		}
	}
	return all
}

// FuzzFix holds the laws of repairs for any text.
func FuzzFix(f *testing.F) {
	for _, pattern := range []string{"testdata/*.txtar", "../testdata/*.txtar"} {
		eachArchive(f, pattern, func(_ string, archive *txtar.Archive) {
			for _, file := range archive.Files {
				if strings.HasSuffix(file.Name, ".md") {
					f.Add(unfold(string(file.Data)))
				}
			}
		})
	}
	f.Fuzz(func(t *testing.T, body string) { checkFixLaws(t, body) })
}

// BenchmarkFix reports how the time grows when a body tenfold as long is repaired.
func BenchmarkFix(b *testing.B) {
	for name, unit := range map[string]string{
		"blocks":   "```delta\n{'operation': 'add', section: \"tests\", payload: {name: 'n', statement: 'x',},}\n```\n\n",
		"inline":   "Words {\"operation\": \"add\", \"section\": \"hypotheses\", \"payload\": {}} and ",
		"braces":   "{a:{a:{a:[ operation section ",
		"quotes":   "{'operation section ",
		"comments": "{/* operation section ",
		"captions": "DELTA[gpt]: x\n",
	} {
		b.Run(name, func(b *testing.B) {
			small, large := strings.Repeat(unit, 200), strings.Repeat(unit, 2000)
			var times [2]time.Duration
			for b.Loop() {
				for i, body := range []string{small, large} {
					start := time.Now()
					Fix(body)
					times[i] += time.Since(start)
				}
			}
			b.ReportMetric(float64(times[1])/float64(times[0]), "growth")
		})
	}
}
