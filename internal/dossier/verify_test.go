package dossier_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"brenner/internal/crate"
	"brenner/internal/dossier"
	"brenner/internal/protocol"
)

func verify(t *testing.T, data []byte) dossier.Verification {
	t.Helper()
	return verifyAs(t, data, "brenner test")
}

func verifyAs(t *testing.T, data []byte, tool string) dossier.Verification {
	t.Helper()
	c, err := crate.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return dossier.Verification{FirstBad: &dossier.Bad{Reason: err.Error()}}
	}
	return dossier.Verify(c, dossier.VerifyOptions{Tool: tool, Now: time.Now()}).Verification
}

// unzip returns the files of a crate.
func unzip(t *testing.T, data []byte) map[string]string {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(content)
	}
	return files
}

// rezip packs files as any other program would: compressed, and in another order.
func rezip(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	names := slices.Sorted(maps.Keys(files))
	slices.Reverse(names)
	for _, name := range names {
		f, err := w.Create(name)
		if err == nil {
			_, err = io.WriteString(f, files[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// forge writes the manifest anew, and sizes and hashes in the metadata: what a forger would do.
func forge(files map[string]string) map[string]string {
	sum := func(text string) string {
		h := sha256.Sum256([]byte(text))
		return hex.EncodeToString(h[:])
	}
	var document map[string]any
	if json.Unmarshal([]byte(files[crate.MetadataName]), &document) == nil {
		for _, node := range document["@graph"].([]any) {
			entity := node.(map[string]any)
			if text, ok := files[entity["@id"].(string)]; ok && entity["sha256"] != nil {
				entity["sha256"], entity["contentSize"] = sum(text), strconv.Itoa(len(text))
			}
		}
		text, _ := json.MarshalIndent(document, "", "  ")
		files[crate.MetadataName] = string(text) + "\n"
	}
	manifest := ""
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if name != crate.ManifestName && name != crate.SignatureName {
			manifest += sum(files[name]) + "  " + name + "\n"
		}
	}
	files[crate.ManifestName] = manifest
	return files
}

// TestEveryChangedByteIsFound changes one byte of one file, five hundred times.
func TestEveryChangedByteIsFound(t *testing.T) {
	files := unzip(t, pack(t, small(t).bundle()))
	if got := verify(t, rezip(t, files)); got.FirstBad != nil || got.Files != len(files) {
		t.Fatalf("the same files zipped again: %+v", got)
	}
	names := slices.Sorted(maps.Keys(files))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 500 {
		name := names[i%len(names)]
		text := []byte(files[name])
		if len(text) == 0 {
			continue
		}
		at := random.IntN(len(text))
		text[at] ^= 1 << random.IntN(8)
		changed := maps.Clone(files)
		changed[name] = string(text)
		if got := verify(t, rezip(t, changed)); got.FirstBad == nil {
			t.Fatalf("byte %d of %s was changed unnoticed", at, name)
		}
	}
}

// TestForgeries: a forger who changes a file and writes the manifest anew is found out by what the thread gives.
func TestForgeries(t *testing.T) {
	files := unzip(t, pack(t, small(t).bundle()))
	if got := verify(t, rezip(t, forge(maps.Clone(files)))); got.FirstBad != nil {
		t.Fatalf("a manifest written anew: %+v", got.FirstBad)
	}
	for name, change := range map[string]func(map[string]string){
		"artifact.md":            replace("artifact.md", "Positional", "Postional"),
		"artifact.json":          replace("artifact.json", "Positional", "Postional"),
		"predictions.json":       replace("predictions.json", `"stated":`, `"stated":1`),
		"beliefs.json":           replace("beliefs.json", `"pooled":0.`, `"pooled":0.9`),
		"reasons.json":           replace("reasons.json", `"changes_leader":false`, `"changes_leader":true`),
		"reasons.json, a number": replace("reasons.json", `"after":{"H1":0.`, `"after":{"H1":0.9`),
		"no reasons":             func(f map[string]string) { delete(f, "reasons.json") },
		"review.json":            replace("review.json", `"state":"contested"`, `"state":"reviewed"`),
		"review.json, a key":     replace("review.json", `"debt":{`, `"debt":{"paid":true,`),
		"thread.jsonl, a word":   replace("thread.jsonl", "Two laboratories", "Ten laboratories"),
		"thread.jsonl, a hash":   replace("thread.jsonl", `"artifact_hash":"`, `"artifact_hash":"0`),
		"thread.jsonl, delivery": replace("thread.jsonl", `"deliveries":[]`,
			`"deliveries":[{"agent":"RedSky","kind":"to","read_ts":null,"ack_ts":null}]`),
		"transcript.md":            func(f map[string]string) { f["transcript.md"] = "## §1 One\n\nMore.\n"; listed(f) },
		"evidence/EV-001.txt":      replace("evidence/EV-001.txt", "late", "soon"),
		"a title":                  replace("evidence/index.yaml", "Notes on", "Lies on"),
		"evidence/index.yaml, key": replace("evidence/index.yaml", "evidence:\n", "more: 1\nevidence:\n"),
		"bibliography.json":        replace("bibliography.json", "Notes on", "Lies on"),
		"bibliography.bib":         replace("bibliography.bib", "Notes on", "Lies on"),
		"bibliography.bib, more":   func(f map[string]string) { f["bibliography.bib"] += "@misc{EV-009, title = {More}}\n" },
		"no bibliography":          func(f map[string]string) { delete(f, "bibliography.bib") },
		"ro-crate-preview.html":    replace("ro-crate-preview.html", "leads with", "wins with"),
		"ro-crate-metadata.json":   replace("ro-crate-metadata.json", "Why do cells", "How do cells"),
		"family":                   replace("ro-crate-metadata.json", `"name": "google"`, `"name": "openai"`),
		"an added file":            func(f map[string]string) { f["evidence/EV-002.txt"] = "more" },
		"an added page":            func(f map[string]string) { f["notes.md"] = "more" },
		"no thread":                func(f map[string]string) { delete(f, "thread.jsonl") },
		"no source":                func(f map[string]string) { delete(f, "evidence/EV-001.txt") },
		"no review":                func(f map[string]string) { delete(f, "review.json") },
		"the last message gone": func(f map[string]string) {
			lines := strings.SplitAfter(f["thread.jsonl"], "\n")
			f["thread.jsonl"] = strings.Join(lines[:len(lines)-2], "")
		},
		"two messages swapped": func(f map[string]string) {
			lines := strings.SplitAfter(f["thread.jsonl"], "\n")
			lines[1], lines[2] = lines[2], lines[1]
			f["thread.jsonl"] = strings.Join(lines, "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			changed := maps.Clone(files)
			change(changed)
			if maps.Equal(changed, files) {
				t.Fatal("nothing was changed")
			}
			got := verify(t, rezip(t, forge(changed)))
			if got.FirstBad == nil {
				t.Fatal("it was not found")
			}
			if file, _, _ := strings.Cut(name, ","); strings.Contains(file, ".") && got.FirstBad.File != file {
				t.Errorf("%s was blamed: %s", got.FirstBad.File, got.FirstBad.Reason)
			}
		})
	}
}

func replace(name, old, text string) func(map[string]string) {
	return func(files map[string]string) { files[name] = strings.Replace(files[name], old, text, 1) }
}

// TestAnotherVersionsReport: another version of the program checks all but the words of the report, and says so.
func TestAnotherVersionsReport(t *testing.T) {
	files := unzip(t, pack(t, small(t).bundle()))
	got := verifyAs(t, rezip(t, files), "brenner other")
	if got.FirstBad != nil || len(got.Findings) != 1 || got.Findings[0].Code != protocol.ReportNotRebuilt {
		t.Fatalf("%+v", got)
	}
	fewer := maps.Clone(files)
	replace("review.json", `"ok":true,`, ``)(fewer)
	if got := verifyAs(t, rezip(t, forge(fewer)), "brenner other"); got.FirstBad == nil ||
		!strings.Contains(got.FirstBad.Reason, "ok, which is missing") {
		t.Errorf("a file with fewer keys: %+v", got.FirstBad)
	}
	fewer = maps.Clone(files)
	replace("review.json", `"state":"contested"`, `"state":"reviewed"`)(fewer)
	if got := verifyAs(t, rezip(t, forge(fewer)), "brenner other"); got.FirstBad == nil {
		t.Error("a changed view was not found")
	}
}
