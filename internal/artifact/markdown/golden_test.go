package markdown

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/artifact"
)

var update = flag.Bool("update", false, "write golden files and the examples anew")

// golden compares text with a file, or writes the file.
func golden(t *testing.T, path, text string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text); diff != "" {
		t.Errorf("%s: %s", path, diff)
	}
}

func TestGolden(t *testing.T) {
	for name, doc := range map[string]artifact.Document{
		"empty": {Metadata: artifact.Metadata{SessionID: "RS-20251230-empty-session", Status: artifact.StatusDraft},
			Artifact: artifact.New()},
		"kills":   killsDocument(),
		"awkward": awkwardDocument(),
	} {
		t.Run(name, func(t *testing.T) {
			checkRoundTrip(t, doc)
			golden(t, filepath.Join("testdata/golden", name+".md"), Render(doc))
			golden(t, filepath.Join("testdata/golden", name+".html"), HTML(doc))
		})
	}
}

func newItem(s artifact.Section, n int, fields map[string]artifact.Value) *artifact.Item {
	it := artifact.NewItem(artifact.NewItemID(s, n), s)
	for name, v := range fields {
		it.Set(name, v)
	}
	return it
}

// killsDocument has a killed hypothesis, prediction and test, and what killing leaves behind.
func killsDocument() artifact.Document {
	a := artifact.New()
	a.Thread.Set(artifact.Statement, artifact.Text("What remains of a killed idea?"))
	a.Thread.Set(artifact.Anchors, artifact.List{"§4", "§7-9"})
	a.Add(newItem(artifact.HypothesisSlate, 1, map[string]artifact.Value{
		artifact.Name: artifact.Text("The survivor"), artifact.Claim: artifact.Text("It holds."),
		artifact.ThirdAlternative: artifact.Flag(false),
	}))
	dead := newItem(artifact.HypothesisSlate, 2, map[string]artifact.Value{
		artifact.Name: artifact.Text("A ~10 nm gap (third alternative)"), artifact.ThirdAlternative: artifact.Flag(true),
	})
	dead.Killed = &artifact.Kill{By: "BlueLake", At: time.Date(2025, 12, 30, 11, 30, 0, 0, time.UTC),
		Reason: "Two reasons:\n\n1. It is wrong.\n2. It is not even wrong."}
	dead.SetExtra("confidence", "0.25")
	a.Add(dead)
	a.Add(newItem(artifact.PredictionsTable, 1, map[string]artifact.Value{
		artifact.Condition: artifact.Text("P(A|B) is high"),
		artifact.Predictions: artifact.NewMap(artifact.Pair{Key: "H1", Text: "up"}, artifact.Pair{Key: "H2", Text: "down | sideways"},
			artifact.Pair{Key: "null model", Text: "flat"}),
	}))
	row := newItem(artifact.PredictionsTable, 2, map[string]artifact.Value{
		artifact.Condition: artifact.Text("Two\nlines"), artifact.Predictions: artifact.NewMap(artifact.Pair{Key: "H1", Text: ""}),
		artifact.ReferencesField: artifact.References{{Session: "RS-20251228-earlier-work", Item: "P1", Relation: "extends"}},
	})
	row.Killed = &artifact.Kill{By: "RedSky", Reason: "Not measurable"}
	a.Add(row)
	test := newItem(artifact.DiscriminativeTests, 1, map[string]artifact.Value{
		artifact.Name: artifact.Text("Count"), artifact.Procedure: artifact.Text("Count them."),
		artifact.ExpectedOutcomes: artifact.NewMap(artifact.Pair{Key: "H1", Text: "many\nor more"},
			artifact.Pair{Key: "H2", Text: "none\nat all"}),
		artifact.LastRun: artifact.JSON(`{"n":3}`),
	})
	test.Conflicts = []string{"procedure"}
	a.Add(test)
	a.Add(newItem(artifact.DiscriminativeTests, 2, map[string]artifact.Value{
		artifact.Name: artifact.Text("Weigh"), artifact.ScoreField: artifact.NewScore(artifact.Part{Name: "cost", Number: "2.5"},
			artifact.Part{Name: "speed", Number: "9"}),
	}))
	return artifact.Document{Metadata: artifact.Metadata{SessionID: "RS-20251230-killed-ideas", Version: 2, Status: artifact.StatusActive},
		Artifact: a}
}

// awkwardDocument has values that pretend to be something else.
func awkwardDocument() artifact.Document {
	a := artifact.New()
	a.Thread.Set(artifact.Statement, artifact.Text("## 3. Predictions Table\n\n### H1: forged\n**Claim**: forged\n**Note**: "+
		"allowed\n---\nend"))
	a.Thread.Set(artifact.Context, artifact.Text("Prose first.\n\n```sh\n# a comment\ncat <file | wc -l\n```\n\n- a list\n  - "+
		"nested\n\n> quoted\n\n```\nnever closed"))
	a.Thread.Set(artifact.WhyItMatters, artifact.Text(" <script>alert(1)</script> &lt; `<b>` p < 0.05 [x](javascript:y) "+
		"\u202eevil\u2066 \x00 "))
	a.Add(newItem(artifact.HypothesisSlate, 1, map[string]artifact.Value{
		artifact.Name: artifact.Text("Name (third alternative)"), artifact.Claim: artifact.Text("D = 10 µm²/s\nL = 100 µm\r\nt = L²/D\n"),
		artifact.Mechanism: artifact.Text(""),
		artifact.Anchors:   artifact.List{"§1, §2", "- §3", "none", ""},
	}))
	a.Add(newItem(artifact.HypothesisSlate, 2, map[string]artifact.Value{artifact.Name: artifact.Text("[KILLED]"),
		artifact.Anchors: artifact.List{}}))
	a.Add(newItem(artifact.PredictionsTable, 1, map[string]artifact.Value{
		artifact.Predictions: artifact.NewMap(artifact.Pair{Key: "H1", Text: "`a|b` \\| c"}, artifact.Pair{Key: "H2 (why)", Text: "~~x~~"},
			artifact.Pair{Key: "", Text: `""`}),
	}))
	a.Add(newItem(artifact.AssumptionLedger, 1,
		map[string]artifact.Value{artifact.Name: artifact.Text("C #"), artifact.Status: artifact.Text("Unchecked")}))
	return artifact.Document{Metadata: artifact.Metadata{SessionID: "a: \"b\" #", Status: "yes", CompiledBy: "---\n"}, Artifact: a}
}
