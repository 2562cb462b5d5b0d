package web

import (
	"strings"
	"testing"
	"unicode/utf8"

	"brenner/internal/mail"
)

func joined(pieces []piece) (all string, hits []string) {
	for _, p := range pieces {
		all += p.Text
		if p.Hit {
			hits = append(hits, p.Text)
		}
	}
	return all, hits
}

// TestHighlight: the words that were looked for are marked, nothing is lost.
func TestHighlight(t *testing.T) {
	for _, test := range []struct{ query, text, hits string }{
		{"cells", "Cells and cellar, CELLS!", "Cells CELLS"},
		{"cell*", "Cells and cellar", "Cells cellar"},
		{`"turning cells"`, "turning of cells", "turning cells"},
		{"a OR b", "b, c and a", "b a"},
		{"a NOT b", "a and b", "a"},
		{"straße", "Die STRASSE, die Straße", "Straße"},
		{"x", "", ""},
	} {
		expr, err := mail.ParseSearch(test.query)
		if err != nil {
			t.Fatal(err)
		}
		all, hits := joined(highlight(test.text, termsOf(expr)))
		if all != test.text || strings.Join(hits, " ") != test.hits {
			t.Errorf("%s in %q: %q of %q", test.query, test.text, hits, all)
		}
	}
}

// FuzzSnippet: any text gives valid, short text, whatever is looked for in it.
func FuzzSnippet(f *testing.F) {
	f.Add("cells", strings.Repeat("many words ", 50)+"cells turn"+strings.Repeat(" and more", 80))
	f.Add("é*", "\xff\xfeé"+strings.Repeat("é", 500))
	f.Fuzz(func(t *testing.T, query, body string) {
		expr, err := mail.ParseSearch(query)
		if err != nil {
			return
		}
		all, _ := joined(snippet(body, termsOf(expr)))
		if len(all) > snippetLength+16 || utf8.ValidString(body) && !utf8.ValidString(all) {
			t.Errorf("%q", all)
		}
	})
}
