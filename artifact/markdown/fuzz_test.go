package markdown

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// FuzzParse reads anything: it never panics, and what it read survives a round trip.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/read/*.txtar", "testdata/golden/*.md", "../../examples/*.md"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			f.Fatal("no seeds", pattern, err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			if strings.HasSuffix(path, ".txtar") {
				data = txtar.Parse(data).Files[0].Data
			}
			f.Add(string(data))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc, _, findings := Parse(text)
		for _, finding := range findings {
			if finding.Line < 0 || finding.Line > strings.Count(text, "\n")+1 {
				t.Errorf("finding outside the text: %+v", finding)
			}
		}
		first := Render(doc)
		read, outline, _ := Parse(first)
		if !read.Artifact.EqualContent(doc.Artifact) {
			t.Fatalf("what was read does not survive: %s\n%s", cmp.Diff(describe(doc), describe(read)), first)
		}
		if diff := cmp.Diff(doc.Metadata, read.Metadata); diff != "" {
			t.Fatalf("front matter changed: %s\n%s", diff, first)
		}
		if second := Render(read); second != first {
			t.Fatalf("render is not stable: %s", cmp.Diff(first, second))
		}
		if faults := outline.Findings(); len(faults) > 0 {
			t.Fatalf("our own text has faults: %v\n%s", faults, first)
		}
		if strings.Contains(HTML(doc), "<script") {
			t.Fatal("a script stands in the page")
		}
	})
}
