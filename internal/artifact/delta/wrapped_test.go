package delta

import (
	"strings"
	"testing"

	"brenner/internal/markup"
)

// TestWrapped: a document in an outer fence is told with the line of that fence, and unwrapped it has all of its blocks.
func TestWrapped(t *testing.T) {
	block := "```delta\n{\"operation\": \"KILL\"}\n```\n"
	document := "# Delta Contribution\n\n" + block + "\nMore.\n\n" + block
	for _, tt := range []struct {
		name, body string
		line, want int // 0: it is not wrapped
	}{
		{"a longer fence", "````markdown\n" + document + "````\n", 1, 2},
		{"the same fence", "```markdown\n" + document + "```\n", 1, 2},
		{"no word", "\n```\n" + document + "```\n\n", 2, 2},
		{"tildes", "~~~md\n" + document + "~~~", 1, 2},
		{"behind words", "Here it is:\n\n````text\n" + document + "````\n", 3, 2},
		{"behind and before words", "Here it is:\n\n````text\n" + document + "````\n\nThank you.\n", 3, 2},
		{"one block, the same fence", "Here it is:\n\n```md\n" + block + "```\n", 3, 1},
		{"CRLF", strings.ReplaceAll("````markdown\n"+document+"````\n", "\n", "\r\n"), 1, 2},
		{"another kind", "````example\n" + document + "````\n", 0, 0},
		{"a sample beside a block", block + "\n````markdown\n" + document + "````\n", 0, 0},
		{"two samples", "````md\n" + block + "````\n\n````md\n" + block + "````\n", 0, 0},
		{"a quotation", "> ````md\n> ```delta\n> {}\n> ```\n> ````\n", 0, 0},
		{"nothing wrapped", document, 0, 0},
		{"no block inside", "```markdown\n# delta\n```\n", 0, 0},
	} {
		w, ok := Wrapped(markup.Parse(tt.body))
		if w.Line != tt.line || ok != (tt.line > 0) {
			t.Errorf("%s: line %d, %v", tt.name, w.Line, ok)
			continue
		}
		if n := countBlocks(markup.Parse(w.Text)); ok && n != tt.want {
			t.Errorf("%s: %d blocks in\n%s", tt.name, n, w.Text)
		}
		if _, again := Wrapped(markup.Parse(w.Text)); ok && again {
			t.Errorf("%s: still wrapped", tt.name)
		}
	}
}
