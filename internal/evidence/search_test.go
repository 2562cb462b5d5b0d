package evidence

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// scan reads every line of a text: what the index must agree with.
func (s *wordSearch) scan(id, text string) {
	if len(s.words) == 0 {
		return
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	all := uint64(1)<<len(s.words) - 1
	offset := 0
	for i, line := range lines {
		at := offset
		offset += len(line) + 1
		around := uint64(0)
		for _, near := range lines[max(i-reach, 0):min(i+reach+1, len(lines))] {
			around |= s.set(near)
		}
		if set := s.set(line); set != 0 && around == all {
			s.hits = append(s.hits, Hit{ID: id, Line: i + 1, Text: line, words: bits.OnesCount64(set), offset: at})
		}
	}
}

var (
	indexed = rapid.SampledFrom([]string{
		"cell", "Cells", "fate", "FATE", "a", "b", "don't", "don", "t", "don’t", "1.5", "1", "5", "10,000", "ﬁrst", "first", "well-known",
		"known",
		"étude", "e\u0301tude", "\u0301", "x\u0301", "細胞", "胞", "細胞は運命", "DNA細胞", "5細", "ไทย", "ที่", "ー", "İ", "ß", "_so_", "\xff", "٣",
		"الخلايا",
	})
	separation = rapid.SampledFrom([]string{" ", " ", "\n", "\n", "\n\n", "", ".", "'", ",", "-", "\r\n", "\u2028", "\t"})
)

func mixed(t *rapid.T, most int) string {
	var b strings.Builder
	for range rapid.IntRange(0, most).Draw(t, "words") {
		b.WriteString(indexed.Draw(t, "word") + separation.Draw(t, "gap"))
	}
	return b.String()
}

// A search by the index, and one of a text that is too large for one, have the hits of a scan of all lines, in the same order.
func TestIndexAgreesWithScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		query := mixed(t, 3)
		scanned, found, through := newWordSearch(query), newWordSearch(query), newWordSearch(query)
		for _, id := range []string{"EV-001", "EV-002"} {
			text := mixed(t, 40)
			scanned.scan(id, text)
			found.add(id, NewWordIndex(text))
			through.readThrough(id, text)
		}
		if want, got := scanned.best(), through.best(); !slices.Equal(got, want) {
			t.Fatalf("%q, read through: %+v, want %+v", query, got, want)
		}
		if want, got := scanned.best(), found.best(); !slices.Equal(got, want) {
			t.Fatalf("%q: %+v, want %+v", query, got, want)
		}
	})
}

func TestSearch(t *testing.T) {
	text := "Cells keep\ntheir fate.\n\n\n\nThe fate of cells: 細胞は運命を保つ\nIt isn't 1.5 DNA.\n"
	for query, want := range map[string]string{
		"fate":            "[2 6]",
		"FATE cells":      "[6 1 2]", // the line with both first
		"cell":            "[]",      // no part of a word
		"運命":              "[6]",     // but any part where words have no spaces
		"命運":              "[]",
		"5":               "[]", // a part of 1.5
		"dna fate":        "[6 7]",
		"dna keep":        "[]", // too far apart
		"isn't":           "[7]",
		"isn’t":           "[7]",
		"1.5,dna":         "[7]",
		"":                "[]",
		"?!":              "[]",
		"absent fate":     "[]",
		"The the THE dna": "[6 7]",
	} {
		s := newWordSearch(query)
		s.add("EV-001", NewWordIndex(text))
		lines := []int{}
		for _, h := range s.best() {
			lines = append(lines, h.Line)
		}
		if got := fmt.Sprint(lines); got != want {
			t.Errorf("%q: lines %s, want %s", query, got, want)
		}
	}
}

// Two words with the same hash are told apart.
func TestSearchOfWordsWithOneHash(t *testing.T) {
	const a, b = "plumless", "buckeroo" // CRC-32 4ddb0c25
	if posting(a, 0) != posting(b, 0) {
		t.Fatal("the words have different hashes")
	}
	s := newWordSearch(a)
	s.add("EV-001", NewWordIndex(b+"\n"+a+"\n"+b))
	if len(s.hits) != 1 || s.hits[0].Line != 2 {
		t.Errorf("hits %+v", s.hits)
	}
}

// The caller's index is used where there is one: the text is not read again.
func TestSearchUsesTheIndexThatIsKept(t *testing.T) {
	index, asked := NewWordIndex("Cells keep their fate.\n"), 0
	content := Content{Text: NewText("", Written), Words: func() *WordIndex { asked++; return index }}
	p := &Pack{Sources: []*Source{{ID: "EV-001", Open: func() Content { return content }}}}
	if hits := p.Search("fate"); len(hits) != 1 || asked != 1 {
		t.Errorf("hits %+v, asked %d times", hits, asked)
	}
}

// BenchmarkSearch looks for two words, one of them rare, in 10 MB that were read before.
func BenchmarkSearch(b *testing.B) {
	text := strings.Repeat("cells keep their fate where they are and move with it if they must\n", 10<<20/68) + "a rare fate\n"
	index := NewWordIndex(text)
	for b.Loop() {
		s := newWordSearch("rare fate")
		if s.add("EV-001", index); len(s.hits) != 3 {
			b.Fatalf("hits %+v", s.hits)
		}
	}
}

// A hit in the text of a PDF knows its page; a form feed before the first word of a line ends the page before it.
func TestHitsHavePages(t *testing.T) {
	text := "Fate on the first page.\nNothing here.\n\fFate on the second.\n\f\fFate on the fourth.\n"
	source := func(id string, origin Origin) *Source {
		return &Source{ID: id, Indexed: true, Open: func() Content { return Content{Raw: text, Text: NewText(text, origin)} }}
	}
	pack := Pack{Sources: []*Source{source("EV-001", Extracted), source("EV-002", Written)}}
	var pages []int
	for _, h := range pack.Search("fate") {
		pages = append(pages, h.Page)
	}
	if want := []int{1, 2, 4, 0, 0, 0}; !slices.Equal(pages, want) {
		t.Errorf("pages %v, want %v", pages, want)
	}
}
