//go:build linux

package cli

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMemoryOfForgedCrates: a crate that was made to take memory, by millions of empty values or entries, is refused for less than
// any file may cost. Its manifest is right.
func TestMemoryOfForgedCrates(t *testing.T) {
	m := newMeasured(t)
	m.run(0, "demo", "--dir", "demo")
	artifacts, err := filepath.Glob(filepath.Join(m.dir, "demo", "artifacts", "*.md"))
	if err != nil || len(artifacts) != 1 {
		t.Fatal(artifacts, err)
	}
	thread := strings.TrimSuffix(filepath.Base(artifacts[0]), ".md")
	m.run(0, "checkpoint", "--project", "demo")
	m.run(0, "export", thread, "--crate", "honest.zip", "--project", "demo")
	honest := m.unzip("honest.zip")
	m.zip("again.zip", honest, "", "")
	m.run(0, "verify", "again.zip")

	const metadata, run, proofs = "ro-crate-metadata.json", "evidence/EV-002.json", "checkpoints/proofs.json"
	many := func(size int, value string) string { return strings.Repeat(value, size/len(value)) }
	var entities strings.Builder
	for i := range 900_000 {
		fmt.Fprintf(&entities, `{"@id":"%x"},`, i)
	}
	for name, forged := range map[string]struct{ file, text string }{
		"proofs":   {proofs, "[" + many(30<<20, "{},") + "{}]"},
		"hashes":   {proofs, `[{"n":1,"size":9,"hashes":[` + many(30<<20, `"",`) + `""]}]`},
		"command":  {run, `{"command":[` + many(60<<20, `"",`) + `""]}`},
		"parts":    {metadata, strings.Replace(honest[metadata], `"hasPart": [`, `"hasPart": [`+many(15<<20, "{},"), 1)},
		"entities": {metadata, strings.Replace(honest[metadata], `"@graph": [`, `"@graph": [`+entities.String(), 1)},
		"lines":    {"thread.jsonl", honest["thread.jsonl"] + many(120<<20, "{}\n")},
		"leaves":   {"checkpoints/leaves.jsonl", many(30<<20, honest["checkpoints/leaves.jsonl"])},
	} {
		t.Run(name, func(t *testing.T) {
			of := *m
			of.T = t
			of.zip("forged.zip", honest, forged.file, forged.text)
			of.run(3, "verify", "forged.zip")
			of.run(3, "thread", "import", "forged.zip", "--project", of.folder("other"))
		})
	}
	t.Run("directory", func(t *testing.T) {
		of := *m
		of.T = t
		of.directory("forged.zip", 3_000_000)
		of.run(3, "verify", "forged.zip")
	})
}

// TestMemoryOfEmptyValues: files of lines, artifacts and rosters that hold millions of things in few bytes are refused as well.
func TestMemoryOfEmptyValues(t *testing.T) {
	m := newMeasured(t)
	line := func(to, deliveries string) string {
		return `{"id":1,"thread_id":"RS-20260110-x","from":"A","to":[` + to + `"b"],"subject":"INFO: x","body_md":"x",` +
			`"created_ts":"2026-01-10T00:00:00Z","deliveries":[` + deliveries + `{"agent":"b"}]}` + "\n"
	}
	for name, text := range map[string]string{
		"deliveries.jsonl":      strings.Repeat(line("", strings.Repeat(`{"agent":"b"},`, 9_000)), 500),
		"one-line.jsonl":        line("", strings.Repeat("{},", 1_200_000)),
		"recipients.jsonl":      strings.Repeat(line(strings.Repeat(`"a",`, 9_000), ""), 2_000) + line(strings.Repeat(`"a",`, 900_000), ""),
		"headings.md":           strings.Repeat("#\n", 5<<20),
		"explanations.md":       "---\nsession_id: x\n---\n\n## Hypothesis Slate\n\n" + strings.Repeat("### H1: a\n", 1<<20),
		"many-in-a-roster.json": "[" + strings.Repeat("{},", 5<<20) + "{}]",
	} {
		if err := os.WriteFile(filepath.Join(m.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".json") {
			m.run(3, "validate", "roster", name)
			continue
		}
		m.run(3, "verify", name)
		m.run(3, "lint", name)
	}
}

// unzip returns the files of a crate.
func (m *measured) unzip(name string) map[string]string {
	m.Helper()
	archive, err := zip.OpenReader(filepath.Join(m.dir, name))
	if err != nil {
		m.Fatal(err)
	}
	defer archive.Close()
	files := map[string]string{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			m.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			m.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	return files
}

// zip packs files with another text of one of them, and a manifest that agrees with it.
func (m *measured) zip(name string, files map[string]string, changed, text string) {
	m.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	add := func(name, text string) {
		f, err := w.Create(name)
		if err == nil {
			_, err = io.WriteString(f, text)
		}
		if err != nil {
			m.Fatal(err)
		}
	}
	var manifest strings.Builder
	for _, file := range slices.Sorted(maps.Keys(files)) {
		content := files[file]
		if file == changed {
			content = text
		}
		if file != "manifest.sha256" {
			sum := sha256.Sum256([]byte(content))
			fmt.Fprintf(&manifest, "%s  %s\n", hex.EncodeToString(sum[:]), file)
			add(file, content)
		}
	}
	add("manifest.sha256", manifest.String())
	if err := w.Close(); err != nil {
		m.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(m.dir, name), out.Bytes(), 0o600); err != nil {
		m.Fatal(err)
	}
}

// directory writes a zip file of very many empty files.
func (m *measured) directory(name string, entries int) {
	m.Helper()
	var local, listed []byte
	for i := range entries {
		file := fmt.Sprintf("%07d", i)
		at := len(local)
		local = append(append(append(local, "PK\x03\x04"...), make([]byte, 26)...), file...)
		binary.LittleEndian.PutUint16(local[at+26:], uint16(len(file)))
		from := len(listed)
		listed = append(append(append(listed, "PK\x01\x02"...), make([]byte, 42)...), file...)
		binary.LittleEndian.PutUint16(listed[from+28:], uint16(len(file)))
		binary.LittleEndian.PutUint32(listed[from+42:], uint32(at))
	}
	start, end := uint64(len(local)), uint64(len(local)+len(listed))
	u32, u64 := binary.LittleEndian.AppendUint32, binary.LittleEndian.AppendUint64
	tail := u64(u64(append(u64([]byte("PK\x06\x06"), 44), 45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0), uint64(entries)), uint64(entries))
	tail = u64(u64(tail, uint64(len(listed))), start)
	tail = u32(u64(u32(append(tail, "PK\x06\x07"...), 0), end), 1)
	tail = append(append(tail, "PK\x05\x06\x00\x00\x00\x00"...), bytes.Repeat([]byte{0xff}, 12)...)
	tail = append(tail, 0, 0)
	f, err := os.Create(filepath.Join(m.dir, name))
	if err != nil {
		m.Fatal(err)
	}
	for _, part := range [][]byte{local, listed, tail} {
		if _, err := f.Write(part); err != nil {
			m.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		m.Fatal(err)
	}
}
