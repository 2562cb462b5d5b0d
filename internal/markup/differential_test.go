package markup

import (
	"fmt"
	"math/rand"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// The scanner is compared with the Markdown library's whole parser. Where the library departs
// from CommonMark the comparison leaves inputs out; testdata/structure.json covers those with
// the reference implementation.

// emptyItem matches list items without content: the library lets them take up what follows
// blank lines.
var emptyItem = regexp.MustCompile(`(?m)([-+*]|[0-9][.)]) *$`)

// comparableWithLibrary tells whether both must see the same: no tabs, HTML or link definitions, on
// which the library is loose, no empty list items, no lone carriage returns, and a line
// ending at the end.
func comparableWithLibrary(text string) bool {
	return !strings.ContainsAny(text, "\t\r<[\x00\v\f") && !emptyItem.MatchString(text) && strings.HasSuffix(text, "\n")
}

// outline writes fences and headings of the document in order.
func outline(d *Document) string {
	var b strings.Builder
	headings := d.Headings()
	for _, f := range d.Fences() {
		for len(headings) > 0 && headings[0].Line < f.Line {
			writeHeading(&b, headings[0].Level, headings[0].Text)
			headings = headings[1:]
		}
		writeFence(&b, f.Quoted, f.Info, f.Content)
	}
	for _, h := range headings {
		writeHeading(&b, h.Level, h.Text)
	}
	return b.String()
}

func libraryOutline(source string) string {
	var b strings.Builder
	src := []byte(source)
	root := goldmark.DefaultParser().Parse(text.NewReader(src))
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			info := ""
			if n.Info != nil {
				info = string(n.Info.Segment.Value(src))
			}
			writeFence(&b, insideQuote(n), info, string(n.Lines().Value(src)))
		case *ast.Heading:
			if n.Parent() == root {
				writeHeading(&b, n.Level, string(n.Lines().Value(src)))
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		panic(err)
	}
	return b.String()
}

func insideQuote(n ast.Node) bool {
	for n = n.Parent(); n != nil; n = n.Parent() {
		if n.Kind() == ast.KindBlockquote {
			return true
		}
	}
	return false
}

// blankLine matches lines of spaces: the library keeps the indent that a fence takes off.
var blankLine = regexp.MustCompile(`(?m)^ +$`)

func writeFence(b *strings.Builder, quoted bool, info, content string) {
	content = strings.TrimRight(blankLine.ReplaceAllString(content, ""), "\n")
	fmt.Fprintf(b, "fence %v %q %q\n", quoted, info, content)
}

func writeHeading(b *strings.Builder, level int, text string) {
	fmt.Fprintf(b, "heading %d %q\n", level, strings.Join(strings.Fields(text), " "))
}

func compareWithLibrary(t *testing.T, source string) {
	t.Helper()
	if !comparableWithLibrary(source) {
		return
	}
	if diff := cmp.Diff(libraryOutline(source), outline(Parse(source))); diff != "" {
		t.Fatalf("%q (-library +ours)\n%s", source, diff)
	}
}

var pieces = []string{
	"```", "```", "~~~", "````", "```delta", "> ", ">", "- a", "- ", "* ", "1. ", "2. ", "10) x", "\n", "\n", "\n", "\n",
	"\n\n", " ", "  ", "   ", "    ", "a", "foo", "# ", "## x", "===", "---", "***", `{"a":1}`, "b #", "+ ", "\n  ", "\n> ", "\n    ",
}

func TestLikeTheLibrary(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	compared := 0
	for range 60_000 {
		var b strings.Builder
		for range 1 + rnd.Intn(24) {
			b.WriteString(pieces[rnd.Intn(len(pieces))])
		}
		b.WriteString("\n")
		if comparableWithLibrary(b.String()) {
			compared++
			compareWithLibrary(t, b.String())
		}
	}
	if compared < 20_000 {
		t.Errorf("only %d texts were compared", compared)
	}
}
