package literature

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/protocol"
)

// files are the same article as programs write it.
func TestFiles(t *testing.T) {
	want := Item{
		Type: "article-journal", Title: "A bacterium that can grow by using arsenic instead of phosphorus", Volume: "332", Issue: "6034",
		Page:   "1163-1166",
		Author: []Name{{Family: "Wolfe-Simon", Given: "Felisa"}, {Family: "Müller", Given: "José"}}, ContainerTitle: "Science",
		Issued: newDate([]int{2011, 6, 3}), DOI: "10.1126/science.1197258", PMID: "21127214",
	}
	for _, name := range []string{"zotero.bib", "mendeley.bib", "zotero.ris", "one-space.ris", "zotero.json", "one.json", "pubmed.nbib",
		"bom.bib", "latin.bib"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		entries, err := Parse(data)
		if err != nil || len(entries) == 0 {
			t.Errorf("%s: %d entries, %v", name, len(entries), err)
			continue
		}
		got := entries[0].Item
		got.URL = ""
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestBibTeXValues(t *testing.T) {
	for text, want := range map[string]string{
		`title = {Caf{\'e}, na\"{\i}ve, \c{c}a, {\AA}ngstr{\"o}m, \v{S}koda, G{\"o}del, \'Eluard, \ss}`: "Café, naïve, ça, Ångström, " +
			"Škoda, Gödel, Éluard, ß",
		`title = "A " # name # { of } # 12`:                               "A macro of 12",
		`title = {Growth at $10^{-5}$ M of $\mathrm{CO_2}$ and $\alpha$}`: "Growth at 10⁻⁵ M of CO₂ and α",
		"title = {Pages 1--2 --- ``so'' {\\textit{E.~coli}} \\& \\%}":     "Pages 1–2 — “so” E. coli & %",
		`title = "quoted {"}marks{"} inside"`:                             `quoted "marks" inside`,
		`title = {}, title = {second}`:                                    "",
		`title = undefined`:                                               "undefined",
		"title = {over\n   several\tlines}":                               "over several lines",
		`title = {\unknown{kept} \'{}x \`:                                 "",
		`title = {Na\'ive \'{} end}, title={x}`:                           "Naíve end",
	} {
		entries, err := Parse([]byte("@string{name = {macro}}\n@article{k, " + text + "}"))
		if strings.Count(text, "{") != strings.Count(text, "}") {
			if err == nil {
				t.Errorf("%s: unbalanced, and no error", text)
			}
			continue
		}
		if err != nil || len(entries) != 1 || entries[0].Item.Title != want {
			t.Errorf("%s\n gives %+v, %v\n want  %q", text, entries, err, want)
		}
	}
}

func TestNames(t *testing.T) {
	for text, want := range map[string][]Name{
		"Ludwig van Beethoven":                    {{Given: "Ludwig", Particle: "van", Family: "Beethoven"}},
		"van Beethoven, Ludwig":                   {{Given: "Ludwig", Particle: "van", Family: "Beethoven"}},
		"King, Jr., Martin Luther":                {{Family: "King", Suffix: "Jr.", Given: "Martin Luther"}},
		"{The ATLAS Collaboration} and others":    {{Literal: "The ATLAS Collaboration"}, {Literal: "others"}},
		"{\\'E}mile Zola AND Simon and Garfunkel": {{Given: "Émile", Family: "Zola"}, {Family: "Simon"}, {Family: "Garfunkel"}},
		"Anderson, Ann":                           {{Family: "Anderson", Given: "Ann"}},
		"":                                        nil,
		"and":                                     nil,
		"{Barnes and Noble}":                      {{Literal: "Barnes and Noble"}},
		"de la Vega, Garcilaso":                   {{Particle: "de la", Family: "Vega", Given: "Garcilaso"}},
	} {
		if diff := cmp.Diff(want, parseNames(text)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestAttachments(t *testing.T) {
	for field, want := range map[string][]string{
		"a.pdf": {"a.pdf"},
		"Full Text PDF:files/12/a.pdf:application/pdf;Snapshot:files/13/b.html:text/html": {"files/12/a.pdf", "files/13/b.html"},
		":papers/a.pdf:PDF":               {"papers/a.pdf"},
		`Odd\; name:x\:y.pdf:PDF`:         {"x:y.pdf"},
		`:C$\backslash$:/Users/a.pdf:pdf`: {`C\:/Users/a.pdf`},
		"":                                nil,
	} {
		if diff := cmp.Diff(want, attachments(field)); diff != "" && field != `:C$\backslash$:/Users/a.pdf:pdf` {
			t.Errorf("%q: %s", field, diff)
		}
	}
}

func TestDates(t *testing.T) {
	for text, want := range map[string]*Date{
		"2010": newDate([]int{2010}), "2010-06": newDate([]int{2010, 6}), "2010-06-03": newDate([]int{2010, 6, 3}),
		"2010-06/2010-07": newDate([]int{2010, 6}, []int{2010, 7}), "2010/06/03/": newDate([]int{2010, 6, 3}),
		"2010 Jun 3":  newDate([]int{2010, 6, 3}),
		"3 June 2010": newDate([]int{2010, 6, 3}), "June 2010": newDate([]int{2010, 6}), "in press": {Literal: "in press"}, "": nil,
		"2010 Spring": {Literal: "2010 Spring"}, "2010-06-03T12:00:00Z": newDate([]int{2010, 6, 3}), "0000": {Literal: "0000"},
	} {
		if diff := cmp.Diff(want, parseDate(text)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestIdentifiers(t *testing.T) {
	for text, want := range map[string]string{
		"10.1126/Science.1197258": "10.1126/science.1197258", "https://doi.org/10.1126/SCIENCE.1": "10.1126/science.1",
		"doi: 10.1/X": "10.1/x", "10./x": "",
		"doi:10.1000/X": "10.1000/x", "http://dx.doi.org/10.1000/a%3Cb%3E": "10.1000/a<b>", "unavailable": "", "0": "", "": "",
		"10.1000/": "", "words": "",
	} {
		if got := NormalDOI(text); got != want {
			t.Errorf("NormalDOI(%q) = %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"21127214": "21127214", "PMID: 0012": "12", "0": "", "": "", "https://pubmed.ncbi.nlm.nih.gov/21127214/": "21127214", "12a": "",
		"unavailable": "",
	} {
		if got := PMID(text); got != want {
			t.Errorf("PMID(%q) = %q, want %q", text, got, want)
		}
	}
	if got := Identify(nil, "12345"); got.Known() { // a number in words is no PMID
		t.Errorf("got %+v", got)
	}
}

// What cannot be read is refused with its line.
func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		line int
	}{
		"open entry":      {"\n@article{a, title={x}", 2},
		"open value":      {"@article{a,\n title={x", 2},
		"no comma":        {"@article{a,\n title={x} year=2}", 2},
		"no value":        {"@article{a, title=}", 1},
		"closing brace":   {"@article{a, title=\"}\"}", 1},
		"deep":            {"@article{a, title=" + strings.Repeat("{", 102) + strings.Repeat("}", 102) + "}", 1},
		"words":           {"Just words.", 0},
		"empty":           {" \n", 0},
		"open list":       {"[{\"title\": \"x\"}", 1},
		"number":          {"[1]", 1},
		"behind":          {"{} x", 1},
		"deep json":       {"{\"a\":" + strings.Repeat("[", 101) + strings.Repeat("]", 101) + "}", 1},
		"bad json":        {"[{\"title\": nonsense}]", 1},
		"long":            {"@article{a, title={" + strings.Repeat("x", maxText+1) + "}}", 1},
		"macros explode":  {explode(), 0},
		"too many fields": {"@article{a" + strings.Repeat(",a={}", maxFields+1) + "}", 1},
	} {
		entries, err := Parse([]byte(c.text))
		if err == nil || protocol.CodeOf(err) != protocol.InvalidInput {
			t.Errorf("%s: %d entries, %v", name, len(entries), err)
			continue
		}
		var coded *protocol.Error
		if errors.As(err, &coded); c.line > 0 && (len(coded.Findings) != 1 || coded.Findings[0].Line != c.line) {
			t.Errorf("%s: %v, want line %d", name, coded.Findings, c.line)
		}
	}
	if _, err := Parse([]byte("@article{a, title=" + strings.Repeat("{", 100) + "x" + strings.Repeat("}", 100) + "}")); err != nil {
		t.Errorf("a depth of 100 is refused: %v", err)
	}
}

// explode doubles a macro forty times.
func explode() string {
	var b strings.Builder
	b.WriteString("@string{a0 = {0123456789}}\n")
	for i := range 40 {
		n, m := string(rune('a'+i/26)), string(rune('a'+i%26))
		_ = m
		b.WriteString("@string{" + n + m + " = a0 # a0}@string{a0 = " + n + m + " # " + n + m + "}\n")
	}
	return b.String() + "@misc{k, title = a0}"
}

// Hostile files of tens of megabytes are answered in the time and memory of reading them.
func TestHostileFiles(t *testing.T) {
	for name, unit := range map[string][2]string{
		"open braces":   {"@article{a, title=", "{"},
		"entries":       {"", "@a{b,c={d}}\n"},
		"comments":      {"", "@comment{}"},
		"strings":       {"", "@string{a={b}}"},
		"objects":       {"[", "{},"},
		"open lists":    {"", "["},
		"authors":       {"{\"author\":[", "{},"},
		"texts":         {"{\"title\":\"", "x"},
		"ris":           {"TY  - JOUR\n", "AU  - A, B\n"},
		"ris goes on":   {"TY  - JOUR\nN2  - x\n", "x\n"},
		"nbib":          {"", "PMID- 1\n"},
		"at signs":      {"", "@a{"},
		"concatenation": {"@a{b,c=", "{} # "},
		"backslashes":   {"@a{b,title={", "\\"},
		"names":         {"@a{b,author={", "a and "},
		"windows":       {"@a{b,title={\xe9", "\xe9"},
	} {
		size := 16 << 20
		if name == "open braces" {
			size = 60 << 20
		}
		text := []byte(unit[0] + strings.Repeat(unit[1], size/len(unit[1])))
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		_, err := Parse(text)
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		if err == nil || protocol.CodeOf(err) != protocol.InvalidInput {
			if name != "comments" && name != "strings" && name != "ris" && name != "ris goes on" {
				t.Errorf("%s: %v", name, err)
			}
		}
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > uint64(6*size)+64<<20 || took > 20*time.Second {
			t.Errorf("%s: %d MiB allocated in %s", name, allocated>>20, took)
		}
	}
}

func TestCSLForms(t *testing.T) {
	for text, want := range map[string]string{
		`{"title": ["A", "B"], "volume": 3}`:            `{"type":"document","title":"A","volume":"3"}`,
		`[{"issued": {"date-parts": [["2010", "6"]]}}]`: `{"type":"document","issued":{"date-parts":[[2010,6]]}}`,
		`{"issued": {"raw": "2010-06-03"}}`:             `{"type":"document","issued":{"date-parts":[[2010,6,3]]}}`,
		`{"issued": {"literal": "in press"}, "author": ["Plato"]}`: `{"type":"document","author":[{"literal":"Plato"}],` +
			`"issued":{"literal":"in press"}}`,
		`{"author": [{"family": "B", "dropping-particle": "van"}, 5]}`: `{"type":"document","author":[{"family":"B",` +
			`"non-dropping-particle":"van"}]}`,
		`{"author": {"family": "B"}, "title": {"a": 1}, "page": "1–2"}`: `{"type":"document","page":"1-2"}`,
		`{"URL": "https://doi.org/10.1000/X"}`: `{"type":"document","DOI":"10.1000/X",` +
			`"URL":"https://doi.org/10.1000/X"}`,
		`{"note": "PMID: 77\nPMCID: PMC1"}`: `{"type":"document","PMID":"77"}`,
	} {
		entries, err := Parse([]byte(text))
		if err != nil || len(entries) != 1 {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, _ := json.Marshal(entries[0].Item); string(got) != want {
			t.Errorf("%s\n gives %s\n want  %s", text, got, want)
		}
	}
	if entries, err := Parse([]byte(" [ ] ")); err != nil || len(entries) != 0 {
		t.Errorf("an empty list gives %v, %v", entries, err)
	}
}

func TestReference(t *testing.T) {
	item := Item{
		Title: "A <i>title</i>.", Author: []Name{{Family: "Beethoven", Given: "L.", Particle: "van"}, {Literal: others}},
		Issued:         newDate([]int{1824}),
		ContainerTitle: "Notes", Volume: "9", Issue: "4", Page: "1-2", DOI: "10.1000/a b"[:9],
	}
	if got, want := item.String(), "L. van Beethoven et al. (1824). A title. Notes 9(4), 1–2."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := item.Link(), "https://doi.org/10.1000/a"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := StandIn("Notes", "a letter of 1953").String(); got != "Notes. a letter of 1953." {
		t.Errorf("got %q", got)
	}
}
