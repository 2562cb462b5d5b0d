package literature

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// texts are words with what is awkward in each format.
var texts = rapid.Custom(func(t *rapid.T) string {
	piece := rapid.SampledFrom([]string{
		"Cells", "a", "fate", "{", "}", `\`, "&", "%", "$", "#", "_", "~", "^", "--", "---", "''", "``", `"`, "é", "Ångström", "10⁵", "α",
		"and", "And",
		"<i>E. coli</i>", "AU  - X", "@article{", "x = {y}", "日本", "\u2028", "'", "-", "/", "(1)", `\'e`, "TY  - JOUR", ";", ":",
	})
	return clean(strings.Join(rapid.SliceOfN(piece, 0, 6).Draw(t, "pieces"), rapid.SampledFrom([]string{" ", ""}).Draw(t, "joint")))
})

var plainName = rapid.StringMatching(`[A-Z][a-zé]{1,6}([ -][A-Z][a-z]{1,4})?`)

var anyName = rapid.Custom(func(t *rapid.T) Name {
	switch rapid.IntRange(0, 4).Draw(t, "form") {
	case 0:
		literal := texts.Draw(t, "literal")
		if literal == "" || strings.HasPrefix(literal, `\`) || literal == others {
			literal = "The Group"
		}
		return Name{Literal: "A " + literal}
	case 1:
		return Name{Family: plainName.Draw(t, "family"), Given: plainName.Draw(t, "given"),
			Particle: rapid.SampledFrom([]string{"van", "de la"}).Draw(t, "von")}
	case 2:
		return Name{Family: plainName.Draw(t, "family"), Given: plainName.Draw(t, "given"), Suffix: "Jr."}
	}
	return Name{Family: plainName.Draw(t, "family"), Given: plainName.Draw(t, "given")}
})

func anyDate(t *rapid.T) *Date {
	parts := []int{rapid.IntRange(1000, 2100).Draw(t, "year"), rapid.IntRange(1, 12).Draw(t, "month"), rapid.IntRange(1, 28).Draw(t, "day")}
	switch rapid.IntRange(0, 4).Draw(t, "date") {
	case 0:
		return nil
	case 1:
		return newDate(parts[:1])
	case 2:
		return newDate(parts[:2])
	case 3:
		return &Date{Literal: "in press"}
	}
	return newDate(parts)
}

// types are those that every format has a word for.
var types = rapid.SampledFrom([]string{
	"article-journal", "paper-conference", "book", "chapter", "thesis", "report", "webpage", "manuscript", "dataset", "software", "patent",
	"document",
})

var anyItem = rapid.Custom(func(t *rapid.T) Item {
	number := rapid.SampledFrom([]string{"", "3", "12A", "S1"})
	return Item{
		Type: types.Draw(t, "type"), Title: texts.Draw(t, "title"), Author: rapid.SliceOfN(anyName, 0, 4).Draw(t, "authors"),
		Issued:         anyDate(t),
		ContainerTitle: texts.Draw(t, "container"), Volume: number.Draw(t, "volume"), Issue: number.Draw(t, "issue"),
		Page: rapid.SampledFrom([]string{"", "7", "1-5", "e12", "1-3, 7"}).Draw(t, "page"),
		DOI:  rapid.SampledFrom([]string{"", "10.1000/a_b", "10.1000/x{y}%20", `10.1000/(SICI)1<2::AID-3>4`}).Draw(t, "doi"),
		URL:  rapid.SampledFrom([]string{"", "https://example.org/~a?b=1&c=%7B#d", `https://example.org/{x}`}).Draw(t, "url"),
		PMID: rapid.SampledFrom([]string{"", "21127214"}).Draw(t, "pmid"),
	}.cleaned()
})

// Written and read again, an item is the same in every format.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.SliceOfN(anyItem, 1, 4).Draw(t, "items")
		for _, format := range []Format{BibTeX, CSL, RIS} {
			var out []Reference
			for i, item := range items {
				out = append(out, Reference{[]string{"EV-001", "EV-002", "EV-003", "EV-004"}[i], item})
			}
			text, err := Render(format, out)
			if err != nil {
				t.Fatal(err)
			}
			entries, err := Parse([]byte(text))
			if err != nil || len(entries) != len(items) {
				t.Fatalf("%s: %d entries, %v\n%s", format, len(entries), err, text)
			}
			for i, e := range entries {
				want := items[i]
				if format == RIS {
					want = asRIS(want)
				}
				if diff := cmp.Diff(want, e.Item); diff != "" || e.Key != out[i].Key {
					t.Fatalf("%s: %s is %s\n%s", format, e.Key, diff, text)
				}
			}
			again, err := Render(format, out)
			if err != nil || again != text {
				t.Fatalf("%s is not written the same twice", format)
			}
		}
	})
}

// asRIS is what RIS can say: it has no particles, and commas part names.
func asRIS(item Item) Item {
	var names []Name
	for _, n := range item.Author {
		n.Family, n.Particle = strings.TrimSpace(n.Particle+" "+n.Family), ""
		n.Literal = strings.ReplaceAll(n.Literal, ",", ";")
		names = append(names, n)
	}
	item.Author = names
	return item
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"@article{a, title = {B{\\\"o}}, author = {A and B, C}, year = 2010, month = jun # {~3}}",
		"@string(a = {b})@misc(c, title = a # \"d\")",
		"TY  - JOUR\nAU  - A, B\nPY  - 2010/06/03/\nER  - \n", "PMID- 1\nTI  - A\n      b\n",
		`[{"id": 1, "title": "x", "issued": {"date-parts": [[2010]]}}]`,
		"\xef\xbb\xbf{}", "@a{b,c={\\'{}}}", "@@{", "@a{=", "TY  -", "{\"author\":[\"\\u00e9\"]}", "@a{b,title={$_^{$}}}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := Parse(data)
		if err != nil {
			return
		}
		for _, e := range entries {
			// What was read can be written and read in every format.
			for _, format := range []Format{BibTeX, RIS, CSL} {
				text, err := Render(format, []Reference{{"EV-001", e.Item}})
				if err != nil {
					t.Fatal(err)
				}
				again, err := Parse([]byte(text))
				if err != nil || len(again) != 1 {
					t.Fatalf("%s: %d entries, %v\n%s", format, len(again), err, text)
				}
				if format == CSL && cmp.Diff(e.Item, again[0].Item) != "" {
					t.Fatalf("%s\n%s", cmp.Diff(e.Item, again[0].Item), text)
				}
			}
			_ = e.Item.String() + e.Item.Link()
		}
	})
}
