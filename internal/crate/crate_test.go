package crate_test

import (
	"archive/zip"
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"encoding/pem"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"brenner/internal/crate"
)

var day = time.Date(2026, 1, 10, 10, 0, 0, 0, time.UTC)

func sampleFiles() []crate.File {
	return []crate.File{
		crate.Bytes("thread.jsonl", "The thread", "application/jsonl", "{}\n{}\n"),
		crate.Bytes("evidence/EV-001.txt", "Notes", "text/plain", "Cells keep their fate.\n"),
		crate.Bytes("artifact.md", "The artifact", "text/markdown", "# Artifact\n"),
		crate.Bytes(crate.PreviewName, "The report", "text/html", "<!doctype html>\n"),
	}
}

func sampleMetadata() crate.Metadata {
	return crate.Metadata{
		Name: "Why?", Description: "A session.", Published: day,
		Authors: []crate.Person{{Name: "Ada", ORCID: "0000-0002-1825-0097"}, {Name: "Bob"}},
		Agents:  []crate.Agent{{Name: "Blue Lake", Program: "codex-cli", Model: "gpt-5"}},
		Compile: crate.Compile{Version: 2, At: day, By: "Operator", Tool: "brenner test"},
	}
}

func pack(t *testing.T, signer *crate.Signer) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := crate.Write(&out, sampleFiles(), sampleMetadata(), signer); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func check(t *testing.T, data []byte, signers crate.Signers) (crate.Signature, *crate.Problem) {
	t.Helper()
	c, err := crate.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return c.Check(signers, day)
}

func TestSameInputSameBytes(t *testing.T) {
	if !bytes.Equal(pack(t, nil), pack(t, nil)) {
		t.Error("two crates of the same files differ")
	}
	signature, bad := check(t, pack(t, nil), nil)
	if bad != nil || signature.State != crate.Unsigned {
		t.Errorf("%v, %v", signature, bad)
	}
}

// TestOutsideToolsAgree unpacks the crate and lets sha256sum and ssh-keygen judge it.
func TestOutsideToolsAgree(t *testing.T) {
	dir := t.TempDir()
	key := filepath.Join(dir, "key")
	run(t, dir, nil, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "ada", "-f", key)
	data := pack(t, signerFrom(t, key))
	unpack(t, data, filepath.Join(dir, "out"))
	run(t, filepath.Join(dir, "out"), nil, "sha256sum", "-c", crate.ManifestName)

	public, _ := os.ReadFile(key + ".pub")
	allowed := "ada@example.org " + string(public)
	signersFile := filepath.Join(dir, "allowed")
	write(t, signersFile, allowed)
	manifest, _ := os.ReadFile(filepath.Join(dir, "out", crate.ManifestName))
	run(t, filepath.Join(dir, "out"), manifest, "ssh-keygen", "-Y", "verify", "-f", signersFile, "-I", "ada@example.org", "-n", "brenner",
		"-s", crate.SignatureName)

	signers := crate.ParseSigners("# trusted\n\n" + allowed)
	if signature, bad := check(t, data, signers); bad != nil ||
		signature != (crate.Signature{State: crate.Valid, Signer: "ada@example.org"}) {
		t.Errorf("%v, %v", signature, bad)
	}
	if signature, bad := check(t, data, nil); bad != nil || signature.State != crate.Unknown ||
		!strings.HasPrefix(signature.Signer, "SHA256:") {
		t.Errorf("%v, %v", signature, bad)
	}
	// What ssh-keygen itself signs is taken too.
	run(t, filepath.Join(dir, "out"), nil, "ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", "brenner", crate.ManifestName)
	if signature, bad := check(t, repack(t, filepath.Join(dir, "out")), signers); bad != nil || signature.State != crate.Valid {
		t.Errorf("signed by ssh-keygen: %v, %v", signature, bad)
	}
}

func TestSignaturesThatDoNotCount(t *testing.T) {
	ours, other := newKey(t), newKey(t)
	signed := pack(t, ours.signer)
	for name, tc := range map[string]struct {
		data    []byte
		allowed string
	}{
		"no signature":        {pack(t, nil), ours.line("")},
		"another signer":      {signed, other.line("")},
		"another namespace":   {signed, ours.line(`namespaces="git,file" `)},
		"an authority's line": {signed, ours.line("cert-authority ")},
		"not valid yet":       {signed, ours.line(`valid-after="20270101Z" `)},
		"no longer valid":     {signed, ours.line(`valid-before="20250101Z" `)},
		"nobody is allowed":   {signed, ""},
	} {
		if _, bad := check(t, tc.data, crate.ParseSigners(tc.allowed)); bad == nil || bad.File != crate.SignatureName {
			t.Errorf("%s: accepted, or blamed on %v", name, bad)
		}
	}
}

// TestEveryChangedByteIsFound flips each byte of each file, one at a time, the signature too.
func TestEveryChangedByteIsFound(t *testing.T) {
	files := contents(t, pack(t, newKey(t).signer))
	tried := 0
	for name, text := range files {
		for at := range text {
			changed := []byte(text)
			changed[at] ^= 1
			files[name] = string(changed)
			if _, bad := check(t, zipOf(t, files), nil); bad == nil {
				t.Errorf("%s: byte %d changed unnoticed", name, at)
			}
			tried++
		}
		files[name] = text
	}
	if tried < 500 {
		t.Errorf("only %d bytes tried", tried)
	}
	if _, bad := check(t, zipOf(t, files), nil); bad != nil {
		t.Errorf("the same files zipped again: %v", bad)
	}
}

func TestHostileDirectories(t *testing.T) {
	good := contents(t, pack(t, nil))
	with := func(name, text string) []zipEntry { return append(entries(good), zipEntry{name, text}) }
	for name, list := range map[string][]zipEntry{
		"added":        with("extra.txt", "x"),
		"twice":        with("artifact.md", good["artifact.md"]),
		"outside":      with("../x", "x"),
		"absolute":     with("/etc/x", "x"),
		"backslash":    with(`a\b`, "x"),
		"not clean":    with("a//b", "x"),
		"missing":      entries(without(good, "artifact.md")),
		"no manifest":  entries(without(good, crate.ManifestName)),
		"empty":        nil,
		"empty listed": {{crate.ManifestName, ""}},
	} {
		if _, bad := check(t, zipEntries(t, list), nil); bad == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, bad := check(t, zipEntries(t, append([]zipEntry{{"evidence/", ""}}, entries(good)...)), nil); bad != nil {
		t.Errorf("a folder's own entry: %v", bad)
	}
	if _, err := crate.Open(strings.NewReader("PK"), 2); err == nil {
		t.Error("two bytes were opened as a crate")
	}
}

func TestMetadataNamesEveryFile(t *testing.T) {
	files := contents(t, pack(t, nil))
	var document struct {
		Graph []map[string]any `json:"@graph"`
	}
	if err := json.Unmarshal([]byte(files[crate.MetadataName]), &document); err != nil {
		t.Fatal(err)
	}
	byID := make(map[string]map[string]any)
	for _, e := range document.Graph {
		byID[e["@id"].(string)] = e
	}
	root := byID["./"]
	if root["license"] != "No licence is granted; ask the authors." || root["datePublished"] != "2026-01-10" {
		t.Errorf("root %v", root)
	}
	var parts []string
	for _, part := range root["hasPart"].([]any) {
		id := part.(map[string]any)["@id"].(string)
		parts = append(parts, id)
		if e := byID[id]; e["@type"] != "File" || e["sha256"] == "" || e["contentSize"] == "" || e["encodingFormat"] == "" ||
			e["name"] == "" {
			t.Errorf("%s: %v", id, e)
		}
	}
	if got, want := strings.Join(parts, " "), "artifact.md evidence/EV-001.txt thread.jsonl"; got != want {
		t.Errorf("hasPart %s, want %s", got, want)
	}
	for _, id := range []string{"https://orcid.org/0000-0002-1825-0097", "#author-2", "#agent-Blue%20Lake", "#compile-v2"} {
		if byID[id] == nil {
			t.Errorf("no entity %s", id)
		}
	}
}

func TestLargeCratesAreRefused(t *testing.T) {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, name := range []string{"a", "b"} {
		w, err := archive.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, UncompressedSize64: 600 << 20})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(w, "x")
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := crate.Open(bytes.NewReader(out.Bytes()), int64(out.Len())); err == nil {
		t.Error("a crate of 1.2 GiB was opened")
	}
}

type testKey struct {
	signer *crate.Signer
	public ssh.PublicKey
}

func newKey(t *testing.T) testKey {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := crate.NewSigner(pem.EncodeToMemory(block), nil)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	return testKey{signer, key}
}

func (k testKey) line(options string) string {
	return "ada " + options + string(ssh.MarshalAuthorizedKey(k.public))
}

func signerFrom(t *testing.T, path string) *crate.Signer {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := crate.NewSigner(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

// TestNotebookText: what agents wrote is text in a notebook, never markup.
func TestNotebookText(t *testing.T) {
	n := crate.Notebook{Folder: "x", Summary: []string{"<script>alert(1)</script>", "a & b"}}
	document, err := n.Document(sampleFiles(), sampleMetadata())
	if err != nil {
		t.Fatal(err)
	}
	var parsed struct {
		Graph []struct{ Text string } `json:"@graph"`
	}
	if err := json.Unmarshal([]byte(document), &parsed); err != nil {
		t.Fatal(err)
	}
	if got := parsed.Graph[2].Text; got != "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n<p>a &amp; b</p>\n" {
		t.Error(got)
	}
}
