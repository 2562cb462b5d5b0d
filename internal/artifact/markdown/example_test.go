package markdown

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestExamples holds the artifacts among the examples to the form that Render gives them, and
// to their own hashes.
func TestExamples(t *testing.T) {
	paths, err := filepath.Glob("../../../examples/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(string(text), "---\n") {
			found++
			t.Run(filepath.Base(path), func(t *testing.T) { checkExample(t, path, string(text)) })
		}
	}
	if found == 0 {
		t.Error("no artifact among the examples")
	}
}

func checkExample(t *testing.T, path, text string) {
	doc, outline, findings := Parse(text)
	if len(findings) > 0 || len(outline.Malformed)+len(outline.Duplicates)+len(outline.References) > 0 {
		t.Errorf("findings: %v\noutline: %+v", findings, outline)
	}
	hash, err := doc.Artifact.Hash()
	if err != nil {
		t.Fatal(err)
	}
	doc.Metadata.ArtifactHash = hash.String()
	if *update {
		if err := os.WriteFile(path, []byte(Render(doc)), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(text, Render(doc)); diff != "" {
		t.Errorf("the example is not as Render writes it: %s", diff)
	}
}
