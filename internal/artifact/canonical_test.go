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
	if failed > 80 {
		t.Errorf("%d of 100 artifacts have no hash", failed)
	}
}

// material is what artifacts of a test are made of. Half of them are made of material that has a canonical form: among
// the others one text that is not UTF-8, one number that no double holds or one name given twice is enough to have none.
type material struct {
	text, number, json *rapid.Generator[string]
	extra, more        *rapid.Generator[string] // names of unknown fields, and what a reference has beside its own
}

var (
	soundText = rapid.OneOf(rapid.String(),
		rapid.SampledFrom([]string{"", "H1", "H10", "\u2028<&>", "\U0001F600", "\uE000", "é", `"\/`, "\t\b\f\r\n\x1f\x7f"}))
	soundNumber = rapid.SampledFrom([]string{"0", "-0", "3", "1.50", "1e2", "0.0000001", "999999999999999"})
	soundJSON   = rapid.SampledFrom([]string{
		"null", "true", `"x"`, `[]`, `{}`, `{"b":[1.0,{"a":"\u00e9"}],"a":null}`, `{"\ue000":1,"\ud83d\ude00":2}`,
	})
	soundExtra = rapid.SampledFrom([]string{"idea", "je", "score2", "\uE000"})
	soundMore  = rapid.SampledFrom([]string{"", "{}", `{"why":1.0}`, `{"z":null,"a":"b"}`})
	sound      = material{soundText, soundNumber, rapid.OneOf(soundNumber, soundJSON), soundExtra, soundMore}

	anyNumber = rapid.OneOf(
		soundNumber,
		rapid.SampledFrom([]string{"1E+30", "123456789012345678", "1e999"}),
		rapid.Map(rapid.Float64(), func(f float64) string { return fmt.Sprint(f) }),
	)
	wild = material{
		rapid.OneOf(soundText, rapid.SampledFrom([]string{"a\x00b", "\xff", "\xfe", "\ufffd"})),
		anyNumber,
		rapid.OneOf(anyNumber, soundJSON, rapid.Just(`{"a":1,"a":2}`)),
		rapid.OneOf(soundText, soundExtra, rapid.Just("name")),
		rapid.OneOf(soundMore, rapid.Just(`{"item":1}`)),
	}
)

func anyArtifact(t *rapid.T) *Artifact {
	m := wild
	if rapid.Bool().Draw(t, "sound") {
		m = sound
	}
	a := New()
	m.fill(t, a.Thread)
	for _, s := range Sections()[1:] {
		for n := range rapid.IntRange(0, 3).Draw(t, s.String()) {
			it := NewItem(NewItemID(s, n+1), s)
			m.fill(t, it)
			a.Add(it)
		}
	}
	return a
}

func (m material) fill(t *rapid.T, it *Item) {
	for _, f := range it.Section.Fields() {
		if rapid.Bool().Draw(t, f.Name) {
			it.Set(f.Name, m.value(t, f.Kind))
		}
	}
	for range rapid.SampledFrom([]int{0, 0, 1, 3}).Draw(t, "extra") {
		it.SetExtra(m.extra.Draw(t, "name"), JSON(m.json.Draw(t, "value")))
	}
	it.Conflicts = rapid.SliceOfN(m.text, 0, 2).Draw(t, "conflicts")
	if rapid.Bool().Draw(t, "killed") {
		it.Killed = &Kill{By: m.text.Draw(t, "by"), At: time.Unix(rapid.Int64Range(0, 1e10).Draw(t, "at"), 0),
			Reason: m.text.Draw(t, "reason")}
	}
}

func (m material) value(t *rapid.T, kind Kind) Value {
	switch kind {
	case KindFlag:
		return Flag(rapid.Bool().Draw(t, "flag"))
	case KindList:
		return List(rapid.SliceOfN(m.text, 0, 3).Draw(t, "list"))
	case KindMap:
		texts := rapid.MapOfN(m.text, m.text, 0, 4).Draw(t, "map")
		var pairs []Pair
		for key, text := range texts {
			pairs = append(pairs, Pair{key, text})
		}
		return NewMap(pairs...)
	case KindScore:
		numbers := rapid.MapOfN(rapid.OneOf(m.text, rapid.SampledFrom(ScoreParts)), m.number, 0, 4).Draw(t, "score")
		var parts []Part
		for name, number := range numbers {
			parts = append(parts, Part{name, number})
		}
		return NewScore(parts...)
	case KindReferences:
		var refs References
		for range rapid.IntRange(0, 2).Draw(t, "references") {
			refs = append(refs, Reference{m.text.Draw(t, "session"), m.text.Draw(t, "item"), m.text.Draw(t, "relation"),
				JSON(m.more.Draw(t, "more"))})
		}
		return refs
	case KindJSON:
		return JSON(m.json.Draw(t, "json"))
	}
	return Text(m.text.Draw(t, "text"))
}
