package markup

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// structure is what the reference implementation of CommonMark (commonmark.js 0.31) sees in a
// text; testdata/structure.json holds texts chosen for their nesting of containers, tabs,
// HTML and link definitions.
type structure struct {
	Text     string             `json:"text"`
	Fences   []structureFence   `json:"fences"`
	Headings []structureHeading `json:"headings"`
}

type structureFence struct {
	Line    int    `json:"line"`
	Quoted  bool   `json:"quoted"`
	Content string `json:"content"` // without line endings at the end
}

type structureHeading struct {
	Line  int `json:"line"`
	Level int `json:"level"`
}

func structures(t testing.TB) []structure {
	t.Helper()
	data, err := os.ReadFile("testdata/structure.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []structure
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func structureOf(text string) structure {
	d := Parse(text)
	s := structure{Text: text, Fences: []structureFence{}, Headings: []structureHeading{}}
	for _, f := range d.Fences() {
		content := strings.ReplaceAll(f.Content, "\r\n", "\n")
		s.Fences = append(s.Fences, structureFence{f.Line, f.Quoted, strings.TrimRight(content, "\n")})
	}
	for _, h := range d.Headings() {
		s.Headings = append(s.Headings, structureHeading{h.Line, h.Level})
	}
	return s
}

func TestStructure(t *testing.T) {
	for _, want := range structures(t) {
		if diff := cmp.Diff(want, structureOf(want.Text)); diff != "" {
			t.Errorf("%q (-want +got)\n%s", want.Text, diff)
		}
	}
}

func TestFence(t *testing.T) {
	tests := []struct {
		name, text string
		want       Fence // without pieces
		language   string
	}{
		{"closed", "a\n```Delta x\n{}\n````\nb", Fence{Info: "Delta x", Char: '`', Length: 3, Closed: true, Start: 2, End: 20, Line: 2,
			Content: "{}\n"}, "delta"},
		{"open at the end", "~~~~ json\n{", Fence{Info: "json", Char: '~', Length: 4, Start: 0, End: 11, Line: 1, Content: "{"}, "json"},
		{"ended by its list item", "- ```\n  a\nb", Fence{Char: '`', Length: 3, Start: 2, End: 9, Line: 1, Content: "a\n"}, ""},
		{"quoted", "> ```\n> a\n> ```\n", Fence{Char: '`', Length: 3, Closed: true, Quoted: true, Start: 2, End: 15, Line: 1,
			Content: "a\n"}, ""},
		{"shorter fence inside", "````\n```\n````\n", Fence{Char: '`', Length: 4, Closed: true, Start: 0, End: 13, Line: 1,
			Content: "```\n"}, ""},
		{"other character inside", "```\n~~~\n```\n", Fence{Char: '`', Length: 3, Closed: true, Start: 0, End: 11, Line: 1,
			Content: "~~~\n"}, ""},
		{"tab after the language", "```delta\tx\n```\n", Fence{Info: "delta\tx", Char: '`', Length: 3, Closed: true, Start: 0, End: 14,
			Line: 1}, "delta"},
		{"line endings are kept", "```\r\na\r\nb\r\n```\r\n", Fence{Char: '`', Length: 3, Closed: true, Start: 0, End: 14, Line: 1,
			Content: "a\r\nb\r\n"}, ""},
		{"indent is taken off", "  ```\n   a\n b\nc\n  ```\n", Fence{Char: '`', Length: 3, Closed: true, Start: 2, End: 21, Line: 1,
			Content: " a\nb\nc\n"}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			fences := Parse(test.text).Fences()
			if len(fences) != 1 {
				t.Fatalf("%d fences", len(fences))
			}
			got := fences[0]
			got.source, got.pieces = 0, nil
			if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(Fence{}, piece{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if got.Language() != test.language {
				t.Errorf("language %q, want %q", got.Language(), test.language)
			}
		})
	}
}

func TestFenceOffset(t *testing.T) {
	text := "- x\n\n   ```\n   {\"a\":\n\t  1}\n   ```\n"
	f := Parse(text).Fences()[0]
	if want := "{\"a\":\n   1}\n"; f.Content != want {
		t.Fatalf("content %q, want %q", f.Content, want)
	}
	for _, part := range []string{"{", "\"a\"", "1", "}"} {
		at := strings.Index(f.Content, part)
		if got := f.Offset(at); !strings.HasPrefix(text[got:], part) {
			t.Errorf("%q: offset %d is %q", part, got, text[got:])
		}
	}
	if got := f.Offset(len(f.Content)); got > f.End {
		t.Errorf("the end maps to %d, beyond %d", got, f.End)
	}
}
