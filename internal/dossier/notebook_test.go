package dossier_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"brenner/internal/crate"
	"brenner/internal/dossier"
)

const (
	folder    = largeThread + "-v2/"
	outerName = folder + crate.MetadataName
)

func packNotebook(t *testing.T, b *dossier.Bundle) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := b.WriteNotebook(&out, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// notebook packs the files of a crate and what describes it to notebooks, as a forger would.
func notebook(files map[string]string, outer string) map[string]string {
	all := map[string]string{outerName: outer}
	for name, text := range files {
		all[folder+"session/"+name] = text
	}
	return all
}

// TestNotebook: a file for notebooks has the files of the crate unchanged, and an outer description of them (SCIENCE 9).
func TestNotebook(t *testing.T) {
	b := small(t).bundle()
	data := packNotebook(t, b)
	keepSample(t, "small.eln", data)
	if !bytes.Equal(data, packNotebook(t, b)) {
		t.Error("the same version gives other bytes")
	}
	all, inner := unzip(t, data), unzip(t, pack(t, b))
	if want := notebook(inner, all[outerName]); !maps.Equal(all, want) {
		t.Errorf("%v", slices.Sorted(maps.Keys(all)))
	}
	if got := verify(t, data); got.FirstBad != nil || got.Files != len(all) || got.Messages == 0 {
		t.Errorf("%+v", got)
	}
	if got := verify(t, rezip(t, all)); got.FirstBad != nil {
		t.Errorf("zipped again: %+v", got.FirstBad)
	}
	if got := verifyAs(t, data, "brenner other"); got.FirstBad != nil {
		t.Errorf("another version: %+v", got.FirstBad)
	}
}

// TestNotebookMetadata: the root has one part, the session, which has every file but the inner metadata.
func TestNotebookMetadata(t *testing.T) {
	b := small(t).bundle()
	all := unzip(t, packNotebook(t, b))
	var document struct {
		Context string           `json:"@context"`
		Graph   []map[string]any `json:"@graph"`
	}
	if err := json.Unmarshal([]byte(all[outerName]), &document); err != nil {
		t.Fatal(err)
	}
	byID := map[string]map[string]any{}
	for _, e := range document.Graph {
		byID[e["@id"].(string)] = e
	}
	ids := func(e map[string]any, key string) (list []string) {
		for _, part := range e[key].([]any) {
			list = append(list, part.(map[string]any)["@id"].(string))
		}
		return list
	}
	descriptor, root, session := byID[crate.MetadataName], byID["./"], byID["./session/"]
	if descriptor["version"] == nil || descriptor["sdPublisher"] == nil || document.Context != "https://w3id.org/ro/crate/1.2/context" {
		t.Errorf("%v", descriptor)
	}
	if got := ids(root, "hasPart"); !slices.Equal(got, []string{"./session/"}) {
		t.Errorf("parts of the root: %v", got)
	}
	if session["genre"] != "experiment" || session["name"] != b.Question() || session["dateCreated"] == nil || session["license"] != nil {
		t.Errorf("%v", session)
	}
	for _, line := range b.Summary() {
		if text := session["text"].(string); !strings.Contains(text, line) {
			t.Errorf("%q does not say %q", text, line)
		}
	}
	for _, id := range ids(session, "author") {
		if byID[id] == nil {
			t.Errorf("nothing describes %s", id)
		}
	}
	parts := ids(session, "hasPart")
	if len(parts) != len(all)-2 || slices.Contains(parts, "./session/"+crate.MetadataName) {
		t.Errorf("%v", parts)
	}
	for _, id := range parts {
		if e := byID[id]; e["@type"] != "File" || e["sha256"] == nil || all[folder+strings.TrimPrefix(id, "./")] == "" {
			t.Errorf("%s: %v", id, e)
		}
	}
}

// TestEveryChangedByteOfANotebookIsFound changes one byte of one file, the outer metadata every other time: no manifest
// covers those.
func TestEveryChangedByteOfANotebookIsFound(t *testing.T) {
	files := unzip(t, packNotebook(t, small(t).bundle()))
	names := slices.Sorted(maps.Keys(files))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 90 {
		name := outerName
		if i%2 == 1 {
			name = names[i/2%len(names)]
		}
		text := []byte(files[name])
		at := random.IntN(len(text))
		text[at] ^= 1 << random.IntN(8)
		changed := maps.Clone(files)
		changed[name] = string(text)
		for _, tool := range []string{"brenner test", "brenner other"} {
			if got := verifyAs(t, rezip(t, changed), tool); got.FirstBad == nil {
				t.Fatalf("%s: byte %d of %s was changed unnoticed", tool, at, name)
			}
		}
	}
}

// TestForgedNotebooks: what a forger changes around and inside the crate is found, whoever says to have made it.
func TestForgedNotebooks(t *testing.T) {
	b := small(t).bundle()
	outer, inner := unzip(t, packNotebook(t, b))[outerName], unzip(t, pack(t, b))
	for name, change := range map[string]func(map[string]string){
		"another name":       replace(outerName, "Why do cells", "How do cells"),
		"another text":       replace(outerName, "Belief stands at", "Belief rests at"),
		"another author":     replace(outerName, `"@type": "Person"`, `"@type": "Organization"`),
		"a key more":         replace(outerName, `"genre": "experiment"`, `"genre": "experiment",`+"\n      "+`"isBasedOn": "x"`),
		"another hash":       replace(outerName, `"sha256": "`, `"sha256": "0`),
		"no outer metadata":  func(f map[string]string) { delete(f, outerName) },
		"no inner metadata":  func(f map[string]string) { delete(f, folder+"session/"+crate.MetadataName) },
		"no reasons":         func(f map[string]string) { delete(f, folder+"session/reasons.json") },
		"a file beside":      func(f map[string]string) { f[folder+"notes.md"] = "more" },
		"a file inside":      func(f map[string]string) { f[folder+"session/notes.md"] = "more" },
		"a file at the root": func(f map[string]string) { f["notes.md"] = "more" },
		"another folder":     func(f map[string]string) { f["zz/"+crate.MetadataName] = f[outerName] },
		"another session":    func(f map[string]string) { f[folder+"Session/artifact.md"] = "more" },
		"a crate around it":  func(f map[string]string) { f[crate.MetadataName] = inner[crate.MetadataName] },
		"a folder with another name": func(f map[string]string) {
			for name, text := range maps.Clone(f) {
				delete(f, name)
				f["RS-20200101-other-v1/"+strings.TrimPrefix(name, folder)] = text
			}
		},
		"a view": func(f map[string]string) {
			changed := maps.Clone(inner)
			replace("review.json", `"state":"contested"`, `"state":"reviewed"`)(changed)
			maps.Copy(f, notebook(forge(changed), outer))
		},
	} {
		for _, tool := range []string{"brenner test", "brenner other"} {
			t.Run(name+"/"+tool, func(t *testing.T) {
				honest := notebook(inner, outer)
				changed := maps.Clone(honest)
				if change(changed); maps.Equal(changed, honest) {
					t.Fatal("nothing was changed")
				}
				if got := verifyAs(t, rezip(t, changed), tool); got.FirstBad == nil {
					t.Fatal("it was not found")
				}
			})
		}
	}
}
