package diff_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/diff"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}

func at(minute int) time.Time { return time.Date(2026, 1, 10, 10, minute, 0, 0, time.UTC) }

func from(message int64, block int, agent, rationale string) *artifact.Source {
	return &artifact.Source{MessageID: message, Block: block, Agent: agent, At: at(int(message)), Rationale: rationale}
}

// item makes an item whose fields all come from one source.
func item(id string, src *artifact.Source, fields map[string]artifact.Value) *artifact.Item {
	itemID, s, _, _ := artifact.ParseItemID(id)
	it := artifact.NewItem(itemID, s)
	for name, v := range fields {
		it.Set(name, v)
		it.SetSource(name, src)
	}
	return it
}

// before and after are two versions of one thread with every kind of change in between.
func before() *artifact.Artifact {
	a := artifact.New()
	a.Thread = item("RT", from(1, 0, "Operator", ""), map[string]artifact.Value{artifact.Statement: artifact.Text("Why?")})
	gpt := from(2, 1, "BlueLake", "first slate")
	a.Add(item("H1", gpt, map[string]artifact.Value{
		artifact.Name: artifact.Text("Lineage"), artifact.Claim: artifact.Text("Cells count divisions."),
		artifact.Anchors: artifact.List{"§1"},
	}))
	a.Add(item("H2", from(2, 2, "BlueLake", "second"), map[string]artifact.Value{
		artifact.Name: artifact.Text("Gradient"), artifact.Claim: artifact.Text("Cells read a gradient."),
	}))
	a.Add(item("P1", from(2, 3, "BlueLake", ""), map[string]artifact.Value{
		artifact.Condition:   artifact.Text("Transplant"),
		artifact.Predictions: artifact.NewMap(artifact.Pair{Key: "H1", Text: "old fate"}, artifact.Pair{Key: "H2", Text: "new fate"}),
	}))
	a.Add(item("T1", from(2, 4, "BlueLake", ""), map[string]artifact.Value{
		artifact.Name:       artifact.Text("Move a cell"),
		artifact.ScoreField: artifact.NewScore(artifact.Part{Name: "cost", Number: "2"}),
	}))
	return a
}

func after() *artifact.Artifact {
	a := artifact.New()
	old := before()
	a.Thread = old.Thread.Clone()
	a.Thread.Set(artifact.Context, artifact.Text("Two schools disagree."))
	a.Thread.SetSource(artifact.Context, from(5, 1, "Operator", "context"))
	h1, h2 := old.Item("H1").Clone(), old.Item("H2").Clone()
	h1.Set(artifact.Claim, artifact.Text("Cells count their divisions\nand stop at a fixed number."))
	h1.SetSource(artifact.Claim, from(3, 1, "RedSky", "sharper"))
	h1.Set(artifact.Anchors, artifact.List{"§1", "§4"})
	h1.SetSource(artifact.Anchors, from(4, 1, "GreenHill", ""))
	h1.SetExtra("confidence", `{"low":0.2}`)
	h1.SetSource("confidence", from(4, 1, "GreenHill", ""))
	h2.Killed = &artifact.Kill{By: "RedSky", At: at(3), Reason: "no gradient was found", Source: from(3, 2, "RedSky", "dead")}
	a.Add(h1)
	a.Add(h2)
	a.Add(item("H3", from(4, 2, "GreenHill", "third"), map[string]artifact.Value{
		artifact.Name: artifact.Text("Both wrong\x1b[31m"), artifact.ThirdAlternative: artifact.Flag(true),
	}))
	p1 := old.Item("P1").Clone()
	p1.Set(artifact.Predictions, artifact.NewMap(
		artifact.Pair{Key: "H1", Text: "old fate"}, artifact.Pair{Key: "H3", Text: "neither"}, artifact.Pair{Key: "H10", Text: "-"}))
	p1.SetSource("predictions.H3", from(4, 3, "GreenHill", ""))
	a.Add(p1)
	t1 := old.Item("T1").Clone()
	t1.Set(artifact.ScoreField, artifact.NewScore(artifact.Part{Name: "cost", Number: "3"}, artifact.Part{Name: "speed", Number: "1"}))
	t1.SetSource(artifact.ScoreField, from(4, 4, "GreenHill", ""))
	a.Add(t1)
	return a
}

func indented(t *testing.T, v any) string {
	t.Helper()
	out, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out) + "\n"
}

func TestBetween(t *testing.T) {
	a, b := before(), after()
	d := diff.Between(a, b)
	golden(t, "versions.json", indented(t, d.Report(diff.Label{Version: 1}, diff.Label{Version: 2})))
	golden(t, "versions.txt", d.Text())
	if !diff.Apply(a, d).EqualContent(b) {
		t.Error("applying the diff does not give the second artifact")
	}
	if !before().EqualContent(a) {
		t.Error("applying the diff changed the first artifact")
	}
}

// Backwards is what only hand-edited files can do: items vanish, live again, move.
func TestBetweenEditedFiles(t *testing.T) {
	a, b := after(), before()
	b.Item("H2").Set(artifact.Name, artifact.Text("Gradient, again"))
	moved := artifact.New()
	moved.Thread = b.Thread
	for _, id := range []artifact.ItemID{"H2", "H1", "P1", "T1"} {
		moved.Add(b.Item(id))
	}
	d := diff.Between(a, moved)
	golden(t, "files.json", indented(t, d.Report(diff.Label{File: "a.md"}, diff.Label{File: "b.md"})))
	golden(t, "files.txt", d.Text())
	if !diff.Apply(a, d).EqualContent(moved) {
		t.Error("applying the diff does not give the second artifact")
	}
}

func TestNoChange(t *testing.T) {
	d := diff.Between(after(), after())
	if !d.Empty() || d.Text() != "no changes\n" {
		t.Errorf("an artifact differs from itself: %s", d.Text())
	}
}

func TestBlame(t *testing.T) {
	a := after()
	golden(t, "blame.json", indented(t, diff.Blame(a, "", "")))
	tests := []struct {
		address string
		want    []string
	}{
		{"H1", []string{"H1.name", "H1.claim", "H1.anchors", "H1.confidence"}},
		{"H1.claim", []string{"H1.claim"}},
		{"H1.cla", nil},
		{"H2.killed", []string{"H2.killed"}},
		{"P1.predictions", []string{"P1.predictions.H1", "P1.predictions.H3", "P1.predictions.H10"}},
		{"P1.predictions.H3", []string{"P1.predictions.H3"}},
		{"P1.H3", []string{"P1.predictions.H3"}},
		{"H9", nil},
	}
	for _, tt := range tests {
		var got []string
		for _, l := range diff.Blame(a, first(diff.ParseAddress(tt.address)), second(diff.ParseAddress(tt.address))) {
			got = append(got, string(l.Item)+"."+l.Field)
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("blame %s (-want +got):\n%s", tt.address, d)
		}
	}
}

func first(id artifact.ItemID, _ string) artifact.ItemID { return id }
func second(_ artifact.ItemID, field string) string      { return field }

// A cleared field still has an author.
func TestBlameCleared(t *testing.T) {
	a := before()
	h1 := a.Item("H1")
	h1.Set(artifact.Mechanism, nil)
	h1.SetSource(artifact.Mechanism, from(9, 1, "RedSky", ""))
	lines := diff.Blame(a, "H1", artifact.Mechanism)
	if len(lines) != 1 || lines[0].Agent == nil || *lines[0].Agent != "RedSky" || lines[0].Value.Value != nil {
		t.Errorf("blame of a cleared field: %+v", lines)
	}
}
