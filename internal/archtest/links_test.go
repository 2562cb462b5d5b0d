package archtest

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

var (
	pageLink    = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	fencedBlock = regexp.MustCompile("(?ms)^(```+|~~~+).*?^(```+|~~~+) *$")
	inlineCode  = regexp.MustCompile("`[^`\n]*`")
	pageHeading = regexp.MustCompile(`(?m)^#{1,6} (.*)$`)
	walkFigures = regexp.MustCompile(`(\d+) hops in (\d+) packages`)
)

// TestLinks follows every link of the pages that people write: the file is there, a heading that is named is on its page, and a
// symbol that is named (file.go#Type.Method) is declared in that file.
func TestLinks(t *testing.T) {
	followed := 0
	for _, page := range pages(t) {
		for _, link := range links(readText(t, page)) {
			if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
				continue
			}
			followed++
			if err := follow(page, link); err != nil {
				t.Errorf("%s: %s: %v", strings.TrimPrefix(page, "../../"), link, err)
			}
		}
	}
	if followed < 100 {
		t.Errorf("only %d links were found", followed)
	}
}

// TestLinkThatLeadsNowhere: the follower notices a missing file, heading and symbol.
func TestLinkThatLeadsNowhere(t *testing.T) {
	page := "../../doc/tour.md"
	for _, link := range []string{"nowhere.md", "words.md#no-such-heading", "../internal/fold/view.go#View.Nothing", "#nothing"} {
		if follow(page, link) == nil {
			t.Errorf("%s: nothing was noticed", link)
		}
	}
	for _, link := range []string{"words.md", "words.md#the-record", "../internal/fold/view.go#View.Take", "../internal"} {
		if err := follow(page, link); err != nil {
			t.Errorf("%s: %v", link, err)
		}
	}
}

// TestWalks holds the figures of the tour to its links.
func TestWalks(t *testing.T) {
	walks := strings.Split(readText(t, "../../doc/tour.md"), "\n## ")[1:]
	if len(walks) != 3 {
		t.Fatalf("the tour has %d walks", len(walks))
	}
	for _, walk := range walks {
		var hops, packages []string
		for _, link := range links(walk) {
			if file, symbol, ok := strings.Cut(link, ".go#"); ok && !slices.Contains(hops, file+symbol) {
				hops, packages = append(hops, file+symbol), append(packages, filepath.Dir(file))
			}
		}
		slices.Sort(packages)
		want := fmt.Sprintf("%d hops in %d packages", len(hops), len(slices.Compact(packages)))
		if got := walkFigures.FindString(walk); got != want {
			title, _, _ := strings.Cut(walk, "\n")
			t.Errorf("%s: the page says %q, its links %q", title, got, want)
		}
	}
}

// pages are the Markdown pages of the repository that are documentation: texts of tests and of the program are not.
func pages(t *testing.T) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch name := d.Name(); {
		case d.IsDir() && (name == "node_modules" || name == "testdata" || name == ".git" || name == "text" || name == "script" ||
			name == "bin" || name == "dist"):
			return fs.SkipDir
		case !d.IsDir() && strings.HasSuffix(name, ".md"):
			list = append(list, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// links are the targets of a page's links, outside code.
func links(page string) []string {
	page = fencedBlock.ReplaceAllString(page, "")
	page = inlineCode.ReplaceAllString(page, "code")
	var list []string
	for _, m := range pageLink.FindAllStringSubmatch(page, -1) {
		list = append(list, m[1])
	}
	return list
}

// follow says why a link of a page leads nowhere.
func follow(page, link string) error {
	path, anchor, _ := strings.Cut(link, "#")
	target := page
	if path != "" {
		target = filepath.Join(filepath.Dir(page), filepath.FromSlash(path))
	}
	if _, err := os.Stat(target); err != nil {
		return fmt.Errorf("there is no such file")
	}
	switch {
	case anchor == "":
		return nil
	case strings.HasSuffix(target, ".go"):
		return declares(target, anchor)
	default:
		return heads(target, anchor)
	}
}

// declares says whether a file declares a symbol: a name, or Type.Method.
func declares(file, symbol string) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range parsed.Decls {
		if slices.Contains(namesOf(d), symbol) {
			return nil
		}
	}
	return fmt.Errorf("the file does not declare it")
}

// heads says whether a page has the heading of an anchor.
func heads(page, anchor string) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	for _, m := range pageHeading.FindAllStringSubmatch(fencedBlock.ReplaceAllString(string(text), ""), -1) {
		if anchorOf(m[1]) == anchor {
			return nil
		}
	}
	return fmt.Errorf("the page has no such heading")
}

// anchorOf is the anchor that viewers give a heading: lower case, spaces as hyphens, without other marks.
func anchorOf(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(heading))
}
