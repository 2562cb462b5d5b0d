package dossier_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"brenner/internal/crate"
	"brenner/internal/dossier"
	"brenner/internal/protocol"
)

var editionLine = regexp.MustCompile(`\n *"schemaVersion": "[^"]*",`)

// withoutEdition makes a crate of ours one that somebody else made and that names no edition.
func withoutEdition(t *testing.T, files map[string]string) map[string]string {
	t.Helper()
	files = maps.Clone(files)
	anotherMaker(files)
	before := files[crate.MetadataName]
	if files[crate.MetadataName] = editionLine.ReplaceAllString(before, ""); files[crate.MetadataName] == before {
		t.Fatal("the metadata name no edition")
	}
	return files
}

func viewsNotRebuilt(got dossier.Verification) (protocol.Finding, bool) {
	i := slices.IndexFunc(got.Findings, func(f protocol.Finding) bool { return f.Code == protocol.ViewsNotRebuilt })
	if i < 0 {
		return protocol.Finding{}, false
	}
	return got.Findings[i], true
}

// TestEditionIsNamed: the metadata name the edition of SCIENCE that the views follow.
func TestEditionIsNamed(t *testing.T) {
	files := unzip(t, pack(t, small(t).bundle()))
	if !strings.Contains(files[crate.MetadataName], `"schemaVersion": "brenner/science/2"`) {
		t.Error(files[crate.MetadataName])
	}
	replace(crate.MetadataName, "brenner/science/2", "brenner/science/3")(files)
	if got := verify(t, rezip(t, forge(files))); got.FirstBad == nil || got.FirstBad.File != crate.MetadataName {
		t.Errorf("our own version says to follow another edition: %+v", got.FirstBad)
	}
}

// TestViewsOfAnotherEdition: what another edition says differently of the thread is told and is no fault (SCIENCE 9, verify).
func TestViewsOfAnotherEdition(t *testing.T) {
	honest := withoutEdition(t, unzip(t, pack(t, small(t).bundle())))
	if got := verify(t, rezip(t, forge(maps.Clone(honest)))); got.FirstBad != nil {
		t.Fatalf("%+v", got.FirstBad)
	} else if f, told := viewsNotRebuilt(got); told {
		t.Errorf("nothing differs: %s", f.Message)
	}
	later := maps.Clone(honest)
	replace(crate.MetadataName, `"@id": "./",`, `"@id": "./", "schemaVersion": "brenner/science/9",`)(later)
	for name, files := range map[string]map[string]string{"names no edition": honest, "follows brenner/science/9": later} {
		files = maps.Clone(files)
		replace("review.json", `"state":"contested"`, `"state":"reviewed"`)(files)
		replace(crate.MetadataName, `"description": "Version 1`, `"description": "This is version 1`)(files)
		delete(files, "beliefs.json")
		files[crate.MetadataName] = regexp.MustCompile(`(?s)\{\s*"@id": "beliefs.json"\s*\},`).
			ReplaceAllString(files[crate.MetadataName], "")
		got := verify(t, rezip(t, forge(files)))
		if got.FirstBad != nil {
			t.Fatalf("%s: %+v", name, got.FirstBad)
		}
		f, told := viewsNotRebuilt(got)
		for _, part := range []string{name, "review.json (hypotheses[", "beliefs.json (it has none)", crate.MetadataName} {
			if !told || f.Severity != protocol.SeverityWarning || !strings.Contains(f.Message, part) {
				t.Errorf("%q does not say %s", f.Message, part)
			}
		}
		if strings.Contains(f.Message, "predictions.json") {
			t.Errorf("predictions.json does not differ: %s", f.Message)
		}
	}
}

// forgeries are changes that are found in a crate of every edition.
var forgeries = map[string]func(map[string]string){
	"artifact.md":             replace("artifact.md", "**Claim", "**Clam"),
	"artifact.json":           replace("artifact.json", `"claim":"`, `"claim":"Not `),
	"a word":                  replace("thread.jsonl", `"body_md":"`, `"body_md":"Not `),
	"a hash":                  replace("thread.jsonl", `"artifact_hash":"`, `"artifact_hash":"0`),
	"a source":                replace("evidence/EV-001.txt", "the", "not the"),
	"an index with more keys": replace("evidence/index.yaml", "evidence:\n", "more: 1\nevidence:\n"),
	"no source":               func(f map[string]string) { delete(f, "evidence/EV-001.txt") },
	"no thread":               func(f map[string]string) { delete(f, "thread.jsonl") },
	"no report":               func(f map[string]string) { delete(f, crate.PreviewName) },
	"a script":                inPage("</main>", "<script>alert(1)</script></main>"),
	"a link":                  inPage("</main>", `<a href="javascript:alert(1)">x</a></main>`),
	"an added page":           func(f map[string]string) { f["notes.md"] = "more"; listed(f) },
	"an added view":           func(f map[string]string) { f["signs.json"] = "{}"; listed(f) },
	"an added source":         func(f map[string]string) { f["evidence/EV-009.txt"] = "more"; listed(f) },
	"another title":           replace(crate.MetadataName, `"name": "`, `"name": "Not `),
	"another day":             replace(crate.MetadataName, `"datePublished": "2`, `"datePublished": "1`),
	"the last message gone": func(f map[string]string) {
		lines := strings.SplitAfter(f["thread.jsonl"], "\n")
		f["thread.jsonl"] = strings.Join(lines[:len(lines)-2], "")
	},
}

// TestForgeriesOfAnotherEdition: naming no edition switches off nothing but the comparison of views.
func TestForgeriesOfAnotherEdition(t *testing.T) {
	previous, err := os.ReadFile("testdata/previous.zip")
	if err != nil {
		t.Fatal(err)
	}
	for kind, files := range map[string]map[string]string{
		"first": unzip(t, previous), "none": withoutEdition(t, unzip(t, pack(t, small(t).bundle()))),
	} {
		if got := verify(t, rezip(t, forge(maps.Clone(files)))); got.FirstBad != nil {
			t.Fatalf("%s: %+v", kind, got.FirstBad)
		}
		for name, change := range forgeries {
			t.Run(kind+"/"+name, func(t *testing.T) {
				changed := maps.Clone(files)
				if change(changed); maps.Equal(changed, files) {
					t.Fatal("nothing was changed")
				}
				if got := verify(t, rezip(t, forge(changed))); got.FirstBad == nil {
					t.Fatal("it was not found")
				}
			})
		}
	}
}
