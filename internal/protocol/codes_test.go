package protocol

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	codesGolden = "testdata/codes.txt"
	codesPage   = "../../doc/reference/findings.md"
)

// Codes are stable: within a chapter the list may only grow at its end.
func TestCodesAreAppendOnly(t *testing.T) {
	known := readChapters(t)
	for _, chapter := range codeChapters {
		rows := codeRows(chapter)
		old := known[chapter.Title]
		delete(known, chapter.Title)
		if len(rows) < len(old) || !slices.Equal(rows[:len(old)], old) {
			t.Fatalf("chapter %q was %q and is %q: codes are never removed, renamed, moved or given another severity", chapter.Title, old,
				rows)
		}
	}
	for title := range known {
		t.Fatalf("chapter %q is gone", title)
	}
	if *update {
		writeChapters(t)
	}
}

// TestCodesNameWhatMayBeChosen: whoever reads "one of the three" has still to find out which three.
func TestCodesNameWhatMayBeChosen(t *testing.T) {
	riddle := regexp.MustCompile(`(?i)\b(one|none) of the (two|three|four|five|six|seven)\b`)
	for _, chapter := range codeChapters {
		for _, c := range chapter.Codes {
			if found := riddle.FindString(c.Meaning + " " + c.Fix); found != "" {
				t.Errorf("%s says %q and does not name them: %s %s", c.Code, found, c.Meaning, c.Fix)
			}
		}
	}
}

func codeRows(chapter Chapter) []string {
	var rows []string
	for _, c := range chapter.Codes {
		rows = append(rows, fmt.Sprintf("%s %s", c.Code, c.Severity))
	}
	return rows
}

func readChapters(t *testing.T) map[string][]string {
	t.Helper()
	data, err := os.ReadFile(codesGolden)
	if err != nil {
		t.Fatal(err)
	}
	chapters := map[string][]string{}
	var title string
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "# "); ok {
			title = name
		} else if line != "" {
			chapters[title] = append(chapters[title], line)
		}
	}
	return chapters
}

func writeChapters(t *testing.T) {
	t.Helper()
	var b strings.Builder
	for _, chapter := range codeChapters {
		fmt.Fprintf(&b, "# %s\n%s\n\n", chapter.Title, strings.Join(codeRows(chapter), "\n"))
	}
	if err := os.WriteFile(codesGolden, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestPageOfCodesIsFresh(t *testing.T) {
	if *update {
		if err := os.MkdirAll(filepath.Dir(codesPage), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(codesPage, []byte(CodesMarkdown()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile(codesPage)
	if err != nil {
		t.Fatal(err)
	}
	if string(page) != CodesMarkdown() {
		t.Errorf("%s is stale: run go test ./internal/protocol -update", codesPage)
	}
}

// Every constant has a row and every row a constant, once.
func TestEveryCodeHasItsRow(t *testing.T) {
	rows := map[Code]int{}
	for _, c := range Codes() {
		rows[c.Code]++
		if c.Meaning == "" || c.Fix == "" || c.Severity == "" {
			t.Errorf("%s: the row has a gap", c.Code)
		}
	}
	for name, code := range codeConstants(t) {
		if rows[code] != 1 {
			t.Errorf("%s (%s) has %d rows", name, code, rows[code])
		}
		delete(rows, code)
	}
	for code := range rows {
		t.Errorf("%s has a row and no constant", code)
	}
}

func codeConstants(t *testing.T) map[string]Code {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "codes.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	constants := map[string]Code{}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			constants[spec.Names[0].Name] = Code(value)
		}
		return true
	})
	return constants
}

// The codes that this package reports itself each have a vector.
func TestEveryCodeHasAVector(t *testing.T) {
	var all strings.Builder
	files, err := filepath.Glob("testdata/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	for _, code := range []Code{
		InvalidEncoding, InvalidBeadID, InvalidRSThreadID, InvalidCoordThreadID, RSSlugShort, RSSlugWords, RSSlugGeneric,
		InvalidSubjectPrefix, EmptySubjectDescription, SubjectTooLong, SubjectDescriptionLong, UnknownShorthand,
		ShorthandMismatch, SubjectReplyPrefix, SubjectControlCharacter,
		DuplicateAgent, InvalidRole, MissingRosterEntry, EmptyRoster, MissingAgentName, InvalidMode, InvalidRoster,
		HeuristicDeprecated, InvalidPreset, DuplicatePreset, UnknownPreset, PresetSizeMismatch, UnknownRosterKey,
	} {
		if !strings.Contains(all.String(), string(code)) {
			t.Errorf("no vector for %s", code)
		}
	}
}
