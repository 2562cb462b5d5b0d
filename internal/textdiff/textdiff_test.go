package textdiff_test

import (
	"strings"
	"testing"

	"brenner/internal/textdiff"

	"pgregory.net/rapid"
)

// side puts together what stands on one side.
func side(spans []textdiff.Span, without textdiff.Change) string {
	var b strings.Builder
	for _, s := range spans {
		if s.Change != without {
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

func TestWordsMarkOnlyWhatChanged(t *testing.T) {
	var marked []string
	for _, s := range textdiff.Words("Each animal hears the last flash only.", "Each animal hears every flash only.") {
		marked = append(marked, []string{"", "-", "+"}[s.Change]+s.Text)
	}
	if got, want := strings.Join(marked, "|"), "Each animal hears |-the last|+every| flash only."; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWordsOfUnlikeTexts(t *testing.T) {
	if spans := textdiff.Words("alpha beta gamma delta", "one, two; three: four"); len(spans) != 2 {
		t.Errorf("%d spans, want the old text and the new one: %v", len(spans), spans)
	}
}

// Whatever the texts hold, both can be read off the spans and off the rows.
func TestNothingIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SampledFrom([]string{"a", "b", " ", "\n", "word ", "\u202e", "é", "<script>", "\xff", "same line\n", "|"})
		before := strings.Join(rapid.SliceOf(pieces).Draw(t, "before"), "")
		after := strings.Join(rapid.SliceOf(pieces).Draw(t, "after"), "")
		spans := textdiff.Words(before, after)
		if side(spans, textdiff.Inserted) != before || side(spans, textdiff.Deleted) != after {
			t.Fatalf("words lose text: %q", spans)
		}
		rows := textdiff.Rows(before, after)
		var olds, news []string
		for _, r := range rows {
			if r.Old != nil {
				olds = append(olds, side(r.Old.Spans, textdiff.Inserted))
			}
			if r.New != nil {
				news = append(news, side(r.New.Spans, textdiff.Deleted))
			}
		}
		if strings.Join(olds, "\n") != strings.TrimSuffix(before, "\n") || strings.Join(news, "\n") != strings.TrimSuffix(after, "\n") {
			t.Fatalf("rows lose text: %q %q", olds, news)
		}
		n := 0
		for _, region := range textdiff.Fold(rows, 2) {
			n += len(region.Rows)
			for _, r := range region.Rows {
				if region.Folded && r.Changed {
					t.Fatal("a change is folded away")
				}
			}
		}
		if n != len(rows) {
			t.Fatalf("folding makes %d rows of %d", n, len(rows))
		}
	})
}

func TestFold(t *testing.T) {
	before := strings.Repeat("line\n", 50) + "old\n" + strings.Repeat("more\n", 50)
	regions := textdiff.Fold(textdiff.Rows(before, strings.Replace(before, "old", "new", 1)), 3)
	if len(regions) != 3 || !regions[0].Folded || regions[1].Folded || !regions[2].Folded {
		t.Fatalf("%d regions, want folded, open, folded", len(regions))
	}
	if len(regions[0].Rows) != 47 || len(regions[1].Rows) != 7 {
		t.Errorf("%d rows before %d, want 47 before 7", len(regions[0].Rows), len(regions[1].Rows))
	}
}

func BenchmarkRows(b *testing.B) {
	before := strings.Repeat("A line of an artifact that stays as it was.\nAnother one.\n", 20_000)
	after := strings.ReplaceAll(before, "Another one.", "One of another kind.")
	for b.Loop() {
		textdiff.Rows(before, after)
	}
}
