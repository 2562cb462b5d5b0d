package artifact

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"brenner/internal/canon"
)

// The hash is that of the canonical form of what MarshalJSON writes, or neither can be made.
func TestHashIsThatOfTheCanonicalForm(t *testing.T) {
	failed := 0
	rapid.Check(t, func(t *rapid.T) {
		a := anyArtifact(t)
		text, err := a.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		want, wantErr := canon.Sum(nil, text)
		got, err := a.Hash()
		if got != want || (err == nil) != (wantErr == nil) {
			t.Fatalf("%s\nhashes to %s, %v, want %s, %v", text, got, err, want, wantErr)
		}
		if err != nil {
			failed++
		}
	})
	if failed > 90 {
		t.Errorf("%d of 100 artifacts have no hash", failed)
	}
}

var anyText = rapid.OneOf(
	rapid.String(),
	rapid.SampledFrom([]string{"", "H1", "H10", "a\x00b", "\xff", "\xfe", "\ufffd", "\u2028<&>", "\U0001F600", "\uE000", "é", `"\/`, "\t\b\f\r\n\x1f\x7f"}),
)

func anyArtifact(t *rapid.T) *Artifact {
	a := New()
	fillAny(t, a.Thread)
	for _, s := range Sections()[1:] {
		for n := range rapid.IntRange(0, 3).Draw(t, s.String()) {
			it := NewItem(NewItemID(s, n+1), s)
			fillAny(t, it)
			a.Add(it)
		}
	}
	return a
}

func fillAny(t *rapid.T, it *Item) {
	for _, f := range it.Section.Fields() {
		if rapid.Bool().Draw(t, f.Name) {
			it.Set(f.Name, anyValue(t, f.Kind))
		}
	}
	for range rapid.SampledFrom([]int{0, 0, 1, 3}).Draw(t, "extra") {
		name := rapid.OneOf(anyText, rapid.SampledFrom([]string{"idea", "je", "score2", "name"})).Draw(t, "name")
		it.SetExtra(name, JSON(anyJSONText.Draw(t, "value")))
	}
	it.Conflicts = rapid.SliceOfN(anyText, 0, 2).Draw(t, "conflicts")
	if rapid.Bool().Draw(t, "killed") {
		it.Killed = &Kill{By: anyText.Draw(t, "by"), At: time.Unix(rapid.Int64Range(0, 1e10).Draw(t, "at"), 0), Reason: anyText.Draw(t, "reason")}
	}
}

var anyNumber = rapid.OneOf(
	rapid.SampledFrom([]string{"0", "-0", "3", "1.50", "1e2", "1E+30", "123456789012345678", "0.0000001", "1e999", "999999999999999"}),
	rapid.Map(rapid.Float64(), func(f float64) string { return fmt.Sprint(f) }),
)

var anyJSONText = rapid.OneOf(anyNumber, rapid.SampledFrom([]string{
	"null", "true", `"x"`, `[]`, `{}`, `{"b":[1.0,{"a":"\u00e9"}],"a":null}`, `{"a":1,"a":2}`, `{"\ue000":1,"\ud83d\ude00":2}`,
}))

func anyValue(t *rapid.T, kind Kind) Value {
	switch kind {
	case KindFlag:
		return Flag(rapid.Bool().Draw(t, "flag"))
	case KindList:
		return List(rapid.SliceOfN(anyText, 0, 3).Draw(t, "list"))
	case KindMap:
		texts := rapid.MapOfN(anyText, anyText, 0, 4).Draw(t, "map")
		var pairs []Pair
		for key, text := range texts {
			pairs = append(pairs, Pair{key, text})
		}
		return NewMap(pairs...)
	case KindScore:
		numbers := rapid.MapOfN(rapid.OneOf(anyText, rapid.SampledFrom(ScoreParts)), anyNumber, 0, 4).Draw(t, "score")
		var parts []Part
		for name, number := range numbers {
			parts = append(parts, Part{name, number})
		}
		return NewScore(parts...)
	case KindReferences:
		var refs References
		for range rapid.IntRange(0, 2).Draw(t, "references") {
			refs = append(refs, Reference{anyText.Draw(t, "session"), anyText.Draw(t, "item"), anyText.Draw(t, "relation"),
				JSON(rapid.SampledFrom([]string{"", "{}", `{"why":1.0}`, `{"z":null,"a":"b"}`, `{"item":1}`}).Draw(t, "more"))})
		}
		return refs
	case KindJSON:
		return JSON(anyJSONText.Draw(t, "json"))
	}
	return Text(anyText.Draw(t, "text"))
}
