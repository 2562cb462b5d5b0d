package dossier_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/binary"
	"encoding/pem"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"brenner/internal/canon"
	"brenner/internal/crate"
	"brenner/internal/dossier"
	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/protocol"
	"brenner/internal/witness"
)

// TestThousandForgeries makes a thousand forgeries of every kind that somebody with a crate, and with our own program, has a hand in:
// manifest, sizes and hashes are written anew. Each is found, or verify names what it could not prove.
func TestThousandForgeries(t *testing.T) {
	f := forger{t: t, files: witnessedCrate(t), random: rand.New(rand.NewPCG(27, 1000))}
	if got := verify(t, rezip(t, forge(maps.Clone(f.files)))); got.FirstBad != nil {
		t.Fatalf("nothing was changed: %+v", got.FirstBad)
	}
	if got := verify(t, rezip(t, maps.Clone(f.files))); got.FirstBad != nil || got.Signature.State != crate.Unknown {
		t.Fatalf("nothing was changed: %+v", got)
	}
	made := map[string]int{}
	for n := 0; n < 1000; {
		kind := forgers[n%len(forgers)]
		what, data := kind.forge(&f)
		if what == "" {
			continue
		}
		n++
		made[kind.name]++
		if got := verify(t, data); got.FirstBad == nil && !claimed(kind.name, got) {
			t.Errorf("%s: %s was not found", kind.name, what)
		}
	}
	t.Log(made)
}

// claimed tells whether verify says that nobody can know: who has written the whole record again, and dropped what witnesses have seen
// of it, or never had any, can only be told by who holds an earlier hash.
func claimed(kind string, got dossier.Verification) bool {
	has := func(code protocol.Code) bool {
		return slices.ContainsFunc(got.Claims, func(c protocol.Claim) bool { return c.Code == code })
	}
	return kind == "a record written again" && len(got.Checkpoints) == 0 && has(protocol.Unwitnessed) && has(protocol.SendersUnproven) &&
		has(protocol.RecordImported)
}

// witnessedCrate is a signed crate that carries a signed checkpoint.
func witnessedCrate(t *testing.T) map[string]string {
	t.Helper()
	s := small(t)
	signer := testSigner(t)
	if _, _, err := s.app.Witness(protocol.Operator).Make(context.Background(), witness.Request{Signer: signer}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := s.bundle().WriteCrate(&out, signer); err != nil {
		t.Fatal(err)
	}
	return unzip(t, out.Bytes())
}

func testSigner(t *testing.T) *crate.Signer {
	t.Helper()
	key, err := x509.MarshalPKCS8PrivateKey(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)))
	if err != nil {
		t.Fatal(err)
	}
	signer, err := crate.NewSigner(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}), nil)
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

// forger changes a crate at random. What it is asked for it may fail to do; then it says nothing.
type forger struct {
	t      *testing.T
	files  map[string]string
	random *rand.Rand
}

var forgers = []struct {
	name  string
	forge func(f *forger) (what string, data []byte)
}{
	{"bytes", (*forger).bytes},
	{"files", (*forger).named},
	{"metadata", func(f *forger) (string, []byte) { return f.value(crate.MetadataName) }},
	{"a view", func(f *forger) (string, []byte) {
		return f.value(f.one("artifact.json", "results.json", "predictions.json", "beliefs.json", "reasons.json", "review.json",
			"bibliography.json"))
	}},
	{"report", (*forger).word},
	{"container", (*forger).container},
	{"signature", (*forger).signature},
	{"chain", func(f *forger) (string, []byte) { return f.value("thread.jsonl") }},
	{"order", (*forger).order},
	{"journal", func(f *forger) (string, []byte) { return f.value("checkpoints/leaves.jsonl") }},
	{"checkpoints", (*forger).checkpoint},
	{"clock", (*forger).clock},
	{"a record written again", (*forger).record},
}

func (f *forger) one(of ...string) string { return of[f.random.IntN(len(of))] }

// pack zips changed files, with a manifest that agrees with them and without the signature of the other one.
func (f *forger) pack(files map[string]string) []byte {
	delete(files, crate.SignatureName)
	return rezip(f.t, forge(files))
}

// with packs the crate with another text of a file.
func (f *forger) with(name, text, what string) (string, []byte) {
	if text == f.files[name] {
		return "", nil
	}
	changed := maps.Clone(f.files)
	changed[name] = text
	return name + ": " + what, f.pack(changed)
}

func (f *forger) names() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(f.files)), func(name string) bool {
		return name == crate.ManifestName || name == crate.SignatureName || name == crate.MetadataName
	})
}

// finest is a text up to a digit of a number that machines may round differently.
var finest = regexp.MustCompile(`\.[0-9]{10,}$`)

// bytes changes a bit. Metadata are spelled anew with the manifest; their values have a kind of their own.
func (f *forger) bytes() (string, []byte) {
	name := f.one(f.names()...)
	text := []byte(f.files[name])
	if len(text) == 0 {
		return "", nil
	}
	at := f.random.IntN(len(text))
	if finest.Match(text[:at+1]) && strings.HasSuffix(name, ".json") {
		return "", nil
	}
	from := max(at-20, 0)
	text[at] ^= 1 << f.random.IntN(8)
	return f.with(name, string(text), fmt.Sprintf("byte %d, in %q", at, text[from:min(at+20, len(text))]))
}

// named adds, renames or drops a file, and names it in the metadata.
func (f *forger) named() (string, []byte) {
	changed, name := maps.Clone(f.files), f.one(f.names()...)
	what := f.one("added", "renamed", "dropped", "in capitals")
	switch what {
	case "added":
		name = f.one("notes", "evidence/EV-009", "checkpoints/9", "checkpoints/x/leaves", "transcript", "a/b/c") +
			f.one(".txt", ".md", ".json", ".note", ".jsonl", ".html")
		changed[name] = "more\n"
	case "renamed":
		changed[name+f.one(".old", "~", " ", ".txt")] = changed[name]
		delete(changed, name)
	case "dropped":
		delete(changed, name)
	default:
		changed[strings.ToUpper(name)] = changed[name]
	}
	listed(changed)
	return name + ": " + what, f.pack(changed)
}

var pair = regexp.MustCompile(`"[@a-z_A-Z]+": ?("(?:[^"\\]|\\.)*"|[0-9][0-9.]*|true|false|null)`)

// value changes a value of a JSON text.
func (f *forger) value(name string) (string, []byte) {
	text := f.files[name]
	places := pair.FindAllStringSubmatchIndex(text, -1)
	if len(places) == 0 {
		return "", nil
	}
	p := places[f.random.IntN(len(places))]
	if key := text[p[0]:p[2]]; strings.Contains(key, "sha256") || strings.Contains(key, "contentSize") {
		return "", nil // the manifest's own, which a forger writes anew
	}
	return f.with(name, text[:p[2]]+f.other(text[p[2]:p[3]])+text[p[3]:], text[p[0]:p[1]])
}

// other is another value of the same kind.
func (f *forger) other(value string) string {
	switch {
	case value == "true":
		return "false"
	case value == "false":
		return "true"
	case value == "null":
		return f.one(`"x"`, "1")
	case value[0] == '"':
		return f.one(`"`+value[1:len(value)-1]+`x"`, `""`, `"x"`)
	}
	n, err := strconv.ParseFloat(value, 64)
	if err != nil {
		f.t.Fatal(err)
	}
	return strconv.FormatFloat(n+float64(f.random.IntN(5)+1), 'f', -1, 64)
}

var visibleWord = regexp.MustCompile(`>[^<]*\b([a-z]{4,})\b[^<]*<`)

// word changes a word that readers of the report see.
func (f *forger) word() (string, []byte) {
	page := f.files[crate.PreviewName]
	at := strings.Index(page, "<main")
	words := visibleWord.FindAllStringSubmatchIndex(page[at:], -1)
	w := words[f.random.IntN(len(words))]
	return f.with(crate.PreviewName, page[:at+w[2]]+"other"+page[at+w[3]:], page[at+w[2]:at+w[3]])
}

// container changes what the zip file says of its files, or adds what belongs to none.
func (f *forger) container() (string, []byte) {
	data := rezip(f.t, f.files)
	var locals, listed []int
	for at := range len(data) - 4 {
		switch string(data[at : at+4]) {
		case "PK\x03\x04":
			locals = append(locals, at)
		case "PK\x01\x02":
			listed = append(listed, at)
		}
	}
	flip := func(at int) {
		data[at] ^= 1 << f.random.IntN(8)
	}
	local, entry := locals[f.random.IntN(len(locals))], listed[f.random.IntN(len(listed))]
	what := f.one("before", "behind", "between", "local name", "name", "local method", "method", "crc", "sizes", "encrypted", "comment",
		"link")
	switch what {
	case "before":
		data = append([]byte("MZ more"), data...)
	case "behind":
		data = append(data, "more"...)
	case "between":
		data = slices.Insert(data, local, []byte("more")...)
	case "local name":
		flip(local + 30)
	case "name":
		flip(entry + 46)
	case "local method":
		flip(local + 8)
	case "method":
		flip(entry + 10)
	case "crc":
		flip(entry + 16 + f.random.IntN(4))
	case "sizes":
		flip(entry + 20 + f.random.IntN(8))
	case "encrypted":
		data[local+6] |= 1
	case "comment":
		data[len(data)-2] = 4
		data = append(data, "more"...)
	case "link":
		data[entry+5] = byte(f.random.IntN(31)) // made on whatever system
		binary.LittleEndian.PutUint32(data[entry+38:], 0o120777<<16)
	}
	return what, data
}

// signature changes the signature, or what it signs.
func (f *forger) signature() (string, []byte) {
	changed := maps.Clone(f.files)
	if f.random.IntN(2) == 0 {
		changed[crate.ManifestName] = strings.Replace(forge(maps.Clone(f.files))[crate.ManifestName], "0", "1", 1)
		return "the manifest", rezip(f.t, changed)
	}
	lines := strings.SplitAfter(changed[crate.SignatureName], "\n")
	body := lines[1 : len(lines)-3] // full lines: the last has bits that say nothing
	k := f.random.IntN(len(body))
	line := []byte(body[k])
	at := f.random.IntN(len(line) - 1)
	old := line[at]
	if line[at] = 'A'; old == 'A' {
		line[at] = 'B'
	}
	body[k] = string(line)
	changed[crate.SignatureName] = strings.Join(lines, "")
	return fmt.Sprintf("line %d, character %d", k+1, at), rezip(f.t, changed)
}

// order drops, doubles or moves messages.
func (f *forger) order() (string, []byte) {
	lines := strings.SplitAfter(strings.TrimSuffix(f.files["thread.jsonl"], "\n"), "\n")
	lines[len(lines)-1] += "\n"
	i, k := f.random.IntN(len(lines)), f.random.IntN(len(lines))
	what := f.one("dropped", "doubled", "moved", "cut")
	switch what {
	case "dropped":
		lines = slices.Delete(lines, i, i+1)
	case "doubled":
		lines = slices.Insert(lines, k, lines[i])
	case "moved":
		lines[i], lines[k] = lines[k], lines[i]
	case "cut":
		lines = lines[:i]
	}
	return f.with("thread.jsonl", strings.Join(lines, ""), fmt.Sprintf("%s %d, %d", what, i, k))
}

// checkpoint changes what a witness has seen.
func (f *forger) checkpoint() (string, []byte) {
	var names []string
	for _, name := range f.names() {
		if strings.HasPrefix(name, "checkpoints/") {
			names = append(names, name)
		}
	}
	name := f.one(names...)
	text := []byte(f.files[name])
	at := f.random.IntN(len(text))
	text[at] = "0123456789abcdefABCDEF+/="[f.random.IntN(25)]
	return f.with(name, string(text), fmt.Sprintf("byte %d", at))
}

var created = regexp.MustCompile(`"created_ts":"([0-9-]+)T`)

// clock dates a message otherwise.
func (f *forger) clock() (string, []byte) {
	text := f.files["thread.jsonl"]
	places := created.FindAllStringSubmatchIndex(text, -1)
	p := places[f.random.IntN(len(places))]
	day := fmt.Sprintf("20%02d-%02d-%02d", f.random.IntN(40), 1+f.random.IntN(12), 1+f.random.IntN(28))
	return f.with("thread.jsonl", text[:p[2]]+day+text[p[3]:], day)
}

// record changes a letter that no view tells of, and gives every message the hash that follows: what nobody but a witness can see. The
// report is said to be of another version, since it prints the last hash.
func (f *forger) record() (string, []byte) {
	lines, _, err := transfer.ReadLines(strings.NewReader(f.files["thread.jsonl"]))
	if err != nil {
		f.t.Fatal(err)
	}
	i := f.random.IntN(len(lines))
	if !strings.Contains(lines[i].Body, "Staining goes on") {
		return "", nil
	}
	lines[i].Body += fmt.Sprintf("More than %d.\n", f.random.IntN(100))
	var text strings.Builder
	var previous canon.Hash
	for k := range lines {
		m := mail.Message{Message: lines[k].Message(), ReplyOrigin: lines[k].ReplyTo}
		lines[k].ChainHash = mail.ChainNext(previous, &m)
		previous = lines[k].ChainHash
		if err := transfer.WriteLine(&text, lines[k]); err != nil {
			f.t.Fatal(err)
		}
	}
	changed := maps.Clone(f.files)
	changed["thread.jsonl"] = text.String()
	anotherMaker(changed)
	if f.random.IntN(2) == 0 { // with the checkpoints it carries, it contradicts them
		maps.DeleteFunc(changed, func(name, _ string) bool { return strings.HasPrefix(name, "checkpoints/") })
		unlist(changed)
	}
	return fmt.Sprintf("message %d", lines[i].ID), f.pack(changed)
}

var entityOfCheckpoint = regexp.MustCompile(`(?s)\{\s*"@id": "checkpoints/[^"]*"[^{}]*\},?`)

// unlist takes the checkpoints out of the metadata.
func unlist(files map[string]string) {
	text := entityOfCheckpoint.ReplaceAllString(files[crate.MetadataName], "")
	files[crate.MetadataName] = regexp.MustCompile(`,(\s*\])`).ReplaceAllString(text, "$1")
}
