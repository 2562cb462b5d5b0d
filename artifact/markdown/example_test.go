package markdown

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"brenner/artifact"
)

// TestExample holds the example of the docs to the form that Render gives it, and to its own
// hash.
func TestExample(t *testing.T) {
	const path = "../../examples/artifact.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	doc, outline, findings := Parse(string(text))
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
	if diff := cmp.Diff(string(text), Render(doc)); diff != "" {
		t.Errorf("the example is not as Render writes it: %s", diff)
	}
	for _, s := range artifact.Sections()[1:] {
		if len(doc.Artifact.Items(s)) == 0 {
			t.Errorf("%s is empty", s)
		}
	}
}
