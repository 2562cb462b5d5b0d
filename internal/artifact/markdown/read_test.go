package markdown

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// TestRead reads what people write by hand. Each file under testdata/read has input.md and
// what comes of it: the document, the findings and the outline.
func TestRead(t *testing.T) {
	paths, err := filepath.Glob("testdata/read/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no vectors", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { checkRead(t, path) })
	}
}

func checkRead(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	input := string(archive.Files[0].Data)
	if strings.Contains(filepath.Base(path), "crlf") {
		input = strings.ReplaceAll(input, "\n", "\r\n")
	}
	doc, outline, findings := Parse(input)
	again, _, _ := Parse(Render(doc))
	if !again.Artifact.EqualContent(doc.Artifact) {
		t.Errorf("what was read does not survive a round trip: %s", cmp.Diff(describe(doc), describe(again)))
	}
	got := &txtar.Archive{Comment: archive.Comment, Files: []txtar.File{
		archive.Files[0],
		{Name: "document.json", Data: indented(t, doc)},
		{Name: "findings", Data: []byte(listFindings(findings))},
		{Name: "outline", Data: []byte(listOutline(t, outline))},
	}}
	if *update {
		if err := os.WriteFile(path, txtar.Format(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(txtar.Format(archive)), string(txtar.Format(got))); diff != "" {
		t.Error(diff)
	}
}

func indented(t *testing.T, doc artifact.Document) []byte {
	t.Helper()
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, data, "", " "); err != nil {
		t.Fatal(err)
	}
	return append(b.Bytes(), '\n')
}

func listFindings(findings []protocol.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, "%d:%d %s %s", f.Line, f.Column, f.Severity, f.Code)
		if f.Item != "" || f.Path != "" {
			fmt.Fprintf(&b, " [%s %s]", f.Item, f.Path)
		}
		fmt.Fprintf(&b, " %s\n", f.Message)
	}
	return b.String()
}

func listOutline(t *testing.T, o Outline) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "front matter %+v\ntitle %+v\ntable %+v\n", o.FrontMatter, o.Title, o.Table)
	for _, s := range o.Sections {
		fmt.Fprintf(&b, "section %s line %d explicit %t\n", s.Section, s.Line, s.ExplicitEmpty)
	}
	for _, m := range o.Malformed {
		fmt.Fprintf(&b, "malformed %+v\n", m)
	}
	for _, m := range o.Duplicates {
		fmt.Fprintf(&b, "duplicate %+v\n", m)
	}
	for _, m := range o.Tests {
		fmt.Fprintf(&b, "test %+v\n", m)
	}
	for _, m := range o.References {
		fmt.Fprintf(&b, "reference %+v\n", m)
	}
	b.WriteString(listFindings(o.Findings()))
	var lines []string
	for id, marks := range o.lines {
		for _, m := range marks {
			lines = append(lines, fmt.Sprintf("%4d %s.%s\n", o.Line(id, m.field), id, m.field))
		}
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	return b.String() + strings.Join(lines, "")
}
