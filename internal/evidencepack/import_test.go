package evidencepack

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"brenner/internal/literature"
	"brenner/internal/protocol"
)

func entries(t *testing.T, text string) []literature.Entry {
	t.Helper()
	list, err := literature.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A PDF that nothing here can read is kept without text, with a warning.
func TestImportWithoutPdftotext(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a.pdf"), []byte("%PDF-1.4"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", t.TempDir())
	got, findings, err := At(root).Import(t.Context(), Import{Entries: entries(t, "@misc{a, title={A}, file={a.pdf}}"), Folder: root,
		At: noon})
	if err != nil || len(got) != 1 || got[0].File != "EV-001.pdf" || got[0].Text != "" {
		t.Fatalf("%+v, %v", got, err)
	}
	if len(findings) != 1 || findings[0].Code != protocol.ProgramMissing || findings[0].Severity != protocol.SeverityWarning {
		t.Errorf("findings %v", findings)
	}
}

// Many entries are one change, and take time in proportion: the index is written once.
func TestImportOfThousands(t *testing.T) {
	const n = 300
	var b strings.Builder
	for i := range n {
		b.WriteString("@article{k" + strconv.Itoa(i) + ", title={Title " + strconv.Itoa(i) +
			"}, author={Doe, Jane and Roe, Rick}, doi={10.1000/" + strconv.Itoa(i) + "}}\n")
	}
	root := t.TempDir()
	got, findings, err := At(root).Import(t.Context(), Import{Entries: entries(t, b.String()), Folder: root, At: noon})
	if err != nil || len(got) != n || len(findings) > 0 || got[n-1].ID != evidenceID(n) {
		t.Fatalf("%d entries, %v, %v", len(got), findings, err)
	}
	pack, err := At(root).Load()
	if err != nil || len(pack.Sources) != n || pack.Sources[0].Cite == nil || len(pack.Check()) > 0 {
		t.Fatalf("%v", err)
	}
	again, _, err := At(root).Import(t.Context(), Import{Entries: entries(t, b.String()), Folder: root, At: noon})
	if err != nil || again[0].New || again[n-1].ID != got[n-1].ID {
		t.Errorf("%+v, %v", again[0], err)
	}
}

// A cite that holds itself through an alias is refused, not followed.
func TestEndlessCite(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, Dir), 0o700); err != nil {
		t.Fatal(err)
	}
	index := "evidence:\n  - id: EV-001\n    file: EV-001.txt\n    sha256: " + strings.Repeat("0", 64) +
		"\n    cite: &a {title: x, more: [*a, *a]}\n"
	if err := os.WriteFile(filepath.Join(root, Dir, "index.yaml"), []byte(index), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := At(root).Load(); protocol.CodeOf(err) != protocol.InvalidEvidenceIndex {
		t.Errorf("got %v", err)
	}
}
