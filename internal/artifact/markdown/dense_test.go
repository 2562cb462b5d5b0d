package markdown

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"brenner/internal/artifact"
	"brenner/internal/markup"
)

// dense are the shortest pieces that can change how the text around them is read.
var dense = rapid.SampledFrom([]string{
	"`", "``", "```", "~~~", "\\", "<b>", "<b>", "<!--", "|", "\n", "\n", "\n", "\n\n", "> ", "- ", "1. ", "  ", "    ", "\t", "a", "a",
	"[", "](", "]: ", ")", "&lt;", "&", "|-|\n", "*", "**", "~~", "<br>", "\r", "#", "# ", "---",
})

// TestDense puts short hostile texts into every kind of place at once.
func TestDense(t *testing.T) {
	text := func(t *rapid.T, label string) string {
		return strings.Join(rapid.SliceOfN(dense, 1, 12).Draw(t, label), "")
	}
	rapid.Check(t, func(t *rapid.T) {
		v, w := text(t, "v"), text(t, "w")
		a := artifact.New()
		a.Thread.Set(artifact.Statement, artifact.Text(v))
		a.Thread.Set(artifact.Context, artifact.Text(w))
		a.Thread.Set(artifact.Anchors, artifact.List{v, w})
		killed := newItem(artifact.HypothesisSlate, 1, map[string]artifact.Value{artifact.Name: artifact.Text(w)})
		killed.Killed = &artifact.Kill{By: w, Reason: v}
		a.Add(killed)
		pairs := []artifact.Pair{{Key: "H1", Text: v}, {Key: "H2", Text: w}}
		if v != "H1" && v != "H2" {
			pairs = append(pairs, artifact.Pair{Key: v, Text: w})
		}
		a.Add(newItem(artifact.PredictionsTable, 1, map[string]artifact.Value{
			artifact.Condition: artifact.Text(v), artifact.Predictions: artifact.NewMap(pairs...),
		}))
		a.Add(newItem(artifact.DiscriminativeTests, 1, map[string]artifact.Value{
			artifact.Name: artifact.Text(v), artifact.ExpectedOutcomes: artifact.NewMap(pairs...),
		}))
		doc := artifact.Document{Artifact: a}
		checkRoundTrip(t, doc)
		checkTags(t, Render(doc))
	})
}

// checkTags looks for raw HTML outside code: there is none but our own line break.
func checkTags(t *rapid.T, text string) {
	t.Helper()
	_, body, _ := strings.Cut(text, "\n---\n")
	at := 0
	for _, f := range markup.Parse(body).Fences() {
		checkLines(t, body[at:f.Start])
		at = f.End
	}
	checkLines(t, body[at:])
}

func checkLines(t *rapid.T, text string) {
	t.Helper()
	for line := range strings.SplitSeq(text, "\n") {
		s := findSpans(line)
		for i := 0; i < len(line); i++ {
			if line[i] == '`' {
				end, ok := s.end(line, i)
				if !ok && !oddBackslashes(line[:i]) {
					t.Fatalf("a backtick that opens no span in %q", line)
				}
				i = max(i, end-1)
				continue
			}
			if line[i] == '<' && opensTag(line[i+1:]) && !strings.HasPrefix(line[i:], lineBreak) {
				t.Fatalf("a tag in %q", line)
			}
		}
	}
}

// TestManyColumns has more keys than the table has room for; the rest is below it.
func TestManyColumns(t *testing.T) {
	a := artifact.New()
	var pairs []artifact.Pair
	for i := 1; i <= 80; i++ {
		it := artifact.NewItem(artifact.NewItemID(artifact.HypothesisSlate, i), artifact.HypothesisSlate)
		if i%20 != 0 {
			it.Killed = &artifact.Kill{By: "RedSky"}
		}
		a.Add(it)
		pairs = append(pairs, artifact.Pair{Key: string(it.ID), Text: "x"}, artifact.Pair{Key: "stray " + strconv.Itoa(i), Text: "y\nz"})
	}
	a.Add(newItem(artifact.PredictionsTable, 1, map[string]artifact.Value{artifact.Predictions: artifact.NewMap(pairs...)}))
	doc := artifact.Document{Artifact: a}
	checkRoundTrip(t, doc)
	_, outline, _ := Parse(Render(doc))
	if n := len(outline.Table.Columns); n != maxColumns {
		t.Errorf("%d columns", n)
	}
	for _, it := range a.Active(artifact.HypothesisSlate) {
		if !strings.Contains(Render(doc), " "+string(it.ID)+" |") {
			t.Errorf("the active %s has no column", it.ID)
		}
	}
}

// TestLongValues has fields of 64 KiB of each hostile text.
func TestLongValues(t *testing.T) {
	a := artifact.New()
	n := 0
	for pieces := range slices.Chunk(hostile, 8) {
		piece := strings.Join(pieces, " ")
		long := strings.Repeat(piece+" ", artifact.MaxFieldBytes/(len(piece)+1))
		n++
		a.Add(newItem(artifact.AssumptionLedger, n, map[string]artifact.Value{
			artifact.Name: artifact.Text(long), artifact.Statement: artifact.Text(strings.ReplaceAll(long, " ", "\n")),
		}))
	}
	checkRoundTrip(t, artifact.Document{Artifact: a})
}
