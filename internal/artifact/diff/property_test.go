package diff_test

import (
	"strconv"
	"testing"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/diff"

	"pgregory.net/rapid"
)

// artifacts draws artifacts from a small pool of ids and values, so that two of them have
// much in common: same ids with other content, killed or not, in another order, doubled.
func artifacts() *rapid.Generator[*artifact.Artifact] {
	return rapid.Custom(func(t *rapid.T) *artifact.Artifact {
		a := artifact.New()
		a.Thread = drawItem(t, artifact.RT, artifact.ResearchThread)
		for _, s := range artifact.Sections()[1:] {
			for _, n := range rapid.SliceOfN(rapid.IntRange(1, 4), 0, 5).Draw(t, s.String()) {
				a.Add(drawItem(t, artifact.NewItemID(s, n), s))
			}
		}
		return a
	})
}

func drawItem(t *rapid.T, id artifact.ItemID, s artifact.Section) *artifact.Item {
	it := artifact.NewItem(id, s)
	for _, f := range s.Fields() {
		it.Set(f.Name, drawValue(t, f.Kind))
	}
	for _, name := range rapid.SliceOfN(rapid.SampledFrom([]string{"", "x", "predictions.H1", "conflicts"}), 0, 3).Draw(t, "extra") {
		it.SetExtra(name, rapid.SampledFrom([]artifact.JSON{"", "1", "null", `{"a":[]}`}).Draw(t, "json"))
	}
	it.Conflicts = rapid.SampledFrom([][]string{nil, {"claim"}, {"claim", "name"}}).Draw(t, "conflicts")
	if s != artifact.ResearchThread && rapid.Bool().Draw(t, "killed") {
		it.Killed = &artifact.Kill{
			By:     rapid.SampledFrom([]string{"", "BlueLake"}).Draw(t, "by"),
			At:     time.Unix(rapid.Int64Range(0, 1).Draw(t, "at"), 0),
			Reason: rapid.SampledFrom([]string{"", "dead", "very dead"}).Draw(t, "reason"),
		}
	}
	return it
}

func drawValue(t *rapid.T, k artifact.Kind) artifact.Value {
	if rapid.IntRange(0, 2).Draw(t, "absent") == 0 {
		return nil
	}
	text := rapid.SampledFrom([]string{"", "a", "b\nc"})
	switch k {
	case artifact.KindText:
		return artifact.Text(text.Draw(t, "text"))
	case artifact.KindFlag:
		return artifact.Flag(rapid.Bool().Draw(t, "flag"))
	case artifact.KindList:
		return artifact.List(rapid.SliceOfN(text, 0, 3).Draw(t, "list"))
	case artifact.KindMap:
		var m artifact.Map
		for _, key := range rapid.SliceOfN(rapid.SampledFrom([]string{"", "H1", "H2", "H10", "x"}), 0, 4).Draw(t, "keys") {
			m = m.Set(key, text.Draw(t, "value"))
		}
		return m
	case artifact.KindScore:
		var parts []artifact.Part
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"cost", "speed", "z", "a"}), 0, 3, rapid.ID).
			Draw(t, "parts") {
			parts = append(parts, artifact.Part{Name: name, Number: strconv.Itoa(rapid.IntRange(0, 2).Draw(t, "n"))})
		}
		return artifact.NewScore(parts...)
	case artifact.KindReferences:
		return artifact.References{{Session: text.Draw(t, "session"), Item: "H1", Relation: "extends"}}
	default:
		return artifact.JSON(rapid.SampledFrom([]string{"null", "[1]"}).Draw(t, "json"))
	}
}

// The law: apply(diff(a, b), a) = b, and a diff is empty exactly where nothing differs.
func TestApplyBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := artifacts().Draw(t, "a"), artifacts().Draw(t, "b")
		d := diff.Between(a, b)
		if got := diff.Apply(a, d); !got.EqualContent(b) {
			t.Fatalf("apply(diff(a, b), a) is not b:\n%s", d.Text())
		}
		if d.Empty() != a.EqualContent(b) {
			t.Fatalf("empty: %v, equal: %v", d.Empty(), a.EqualContent(b))
		}
		if again := diff.Between(a, a); !again.Empty() {
			t.Fatalf("an artifact differs from itself:\n%s", again.Text())
		}
	})
}
