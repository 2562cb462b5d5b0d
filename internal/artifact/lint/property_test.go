package lint_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/lint"
	"brenner/internal/artifact/markdown"

	"pgregory.net/rapid"
)

var (
	texts   = []string{"", "a", "third alternative", "Scale of it", "§12 and §99", "hypothesis H9, EV-002", "P1.H8", "42", " "}
	anchors = []string{"", "§12", "§22-20", "inference", "[inference]", "Smith", "Smith [inference]", "EV-001#E7"}
	names   = []string{"H1", "H2", "H7", "A1", "T1", "P1.H1", "what", ""}
)

func drawDocument(t *rapid.T) artifact.Document {
	a := artifact.New()
	a.Thread = drawItem(t, artifact.RT, artifact.ResearchThread)
	for _, s := range artifact.Sections()[1:] {
		for n := range rapid.IntRange(0, 4).Draw(t, s.String()) {
			a.Add(drawItem(t, artifact.NewItemID(s, n+1), s))
		}
	}
	day := func(name string) time.Time {
		return time.Date(2026, 1, rapid.IntRange(1, 3).Draw(t, name), 0, 0, 0, 0, time.UTC)
	}
	m := artifact.Metadata{
		SessionID: rapid.SampledFrom([]string{"RS-20260110-cell-fate", "RS-1", "bead-7"}).Draw(t, "session"),
		Version:   rapid.IntRange(0, 3).Draw(t, "version"),
		Status:    rapid.SampledFrom([]string{"draft", "active", "odd"}).Draw(t, "status"),
		CreatedAt: day("created"), UpdatedAt: day("updated"),
		Contributors: rapid.SampledFrom([][]string{nil, {"gpt"}}).Draw(t, "contributors"),
	}
	return artifact.Document{Metadata: m, Artifact: a}
}

func drawItem(t *rapid.T, id artifact.ItemID, s artifact.Section) *artifact.Item {
	it := artifact.NewItem(id, s)
	for _, f := range s.Fields() {
		if rapid.IntRange(0, 3).Draw(t, "absent") > 0 {
			it.Set(f.Name, drawValue(t, f))
		}
	}
	if rapid.IntRange(0, 3).Draw(t, "extra") == 0 {
		name := rapid.SampledFrom([]string{"anchors2", "note"}).Draw(t, "name")
		it.SetExtra(name, rapid.SampledFrom([]artifact.JSON{"[]", `["§99"]`, `"x"`}).Draw(t, "json"))
	}
	if s != artifact.ResearchThread && rapid.IntRange(0, 4).Draw(t, "killed") == 0 {
		it.Killed = &artifact.Kill{By: "BlueLake", At: time.Unix(1768000000, 0).UTC(), Reason: "dead"}
	}
	return it
}

func drawValue(t *rapid.T, f artifact.FieldSpec) artifact.Value {
	pick := func(from []string) string { return rapid.SampledFrom(from).Draw(t, f.Name) }
	switch f.Kind {
	case artifact.KindFlag:
		return artifact.Flag(rapid.Bool().Draw(t, f.Name))
	case artifact.KindList:
		from := names
		if f.Name == artifact.Anchors {
			from = anchors
		}
		return artifact.List(rapid.SliceOfN(rapid.SampledFrom(from), 0, 3).Draw(t, f.Name))
	case artifact.KindMap:
		var m artifact.Map
		for _, key := range rapid.SliceOfN(rapid.SampledFrom([]string{"H1", "H2", "H3", "H9", "x"}), 0, 4).Draw(t, "keys") {
			m = m.Set(key, pick(texts))
		}
		return m
	case artifact.KindScore:
		return artifact.NewScore(artifact.Part{Name: "cost", Number: fmt.Sprint(rapid.IntRange(-1, 4).Draw(t, "cost"))})
	case artifact.KindReferences:
		ref := artifact.Reference{Session: pick([]string{"", "RS-20251228-earlier"}), Item: pick(names),
			Relation: pick([]string{"", "extends", "odd"})}
		return artifact.References{ref}
	case artifact.KindJSON:
		return artifact.JSON("[1]")
	}
	if len(f.Values) > 0 {
		return artifact.Text(pick(f.Values))
	}
	return artifact.Text(pick(texts))
}

// PROTOCOL 9: a thread and its Markdown file lint alike.
func TestFoldAndFileLintAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := drawDocument(t)
		fold := lint.Check(lint.Input{Document: doc, Project: project()})
		_, file := lintFile(markdown.Render(doc), project())
		a, b := withoutLines(fold), withoutLines(file)
		if !slices.Equal(a.Violations, b.Violations) || !slices.Equal(a.Checklist, b.Checklist) {
			t.Fatalf("fold:\n%v\nfile:\n%v\n%s", a.Violations, b.Violations, markdown.Render(doc))
		}
		if n, _ := lint.CountErrors(lint.Input{Document: doc, Project: project()}); n != fold.Errors {
			t.Fatalf("%d errors are counted, %d found", n, fold.Errors)
		}
		ordered := slices.IsSortedFunc(fold.Violations, func(x, y lint.Violation) int { return x.Severity.Rank() - y.Severity.Rank() })
		if !ordered || fold.Valid != (fold.Errors == 0) || fold.Errors+fold.Warnings+fold.Info != len(fold.Violations) {
			t.Fatalf("the report does not add up: %+v", fold)
		}
	})
}
