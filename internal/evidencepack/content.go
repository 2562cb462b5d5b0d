package evidencepack

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"

	"brenner/internal/evidence"
	"brenner/internal/hypertext"
	"brenner/internal/protocol"
)

// maxKnown is how many bytes are remembered of sources, by the state of their files and what the index says of them: their texts, with the
// words of those that were searched (BenchmarkLintWithEvidence), and under a key of its own what was found in the files, which stays when
// the text goes or is too large to be kept, so that it is read once for a judgement (BenchmarkLargeSource).
const (
	maxKnown  = 128 << 20
	factsCost = 1 << 10
	ofFacts   = "facts\x00"
)

// known is what is remembered of a source: its content, or what was found in its files.
type known struct {
	content evidence.Content
	facts   *evidence.Facts
}

func (k known) cost() int {
	if k.facts != nil {
		return factsCost
	}
	return 2 * len(k.content.Raw)
}

func stamp(f file) string {
	return strconv.FormatInt(f.size, 10) + "." + strconv.FormatInt(f.mtime, 10)
}

// look tells what was found in the files of a source, and reads them where that is not known.
func (p *Pack) look(s *evidence.Source) evidence.Facts {
	_, key := p.files(s)
	if found, ok := p.known.Get(ofFacts + key); ok {
		return *found.facts
	}
	return p.open(s).Facts()
}

// files are those of the folder, with a key of the state of those of a source and of what the index says of them.
func (p *Pack) files(s *evidence.Source) (*listing, string) {
	files, err := p.list()
	if err != nil || files == nil {
		files = &listing{}
	}
	parts := []string{s.ID, s.File, s.SHA256, s.Text, s.TextSHA256}
	for _, e := range s.Excerpts {
		parts = append(parts, e.ID, strconv.Itoa(e.From), strconv.Itoa(e.To), e.Text)
	}
	for _, name := range []string{s.File, s.Text, s.ID + ".out", s.ID + ".err"} {
		parts = append(parts, stamp(files.files[name]))
	}
	return files, strings.Join(parts, "\x00")
}

// open reads the files of a source and compares them with the index.
func (p *Pack) open(s *evidence.Source) evidence.Content {
	files, key := p.files(s)
	k, _ := p.known.Of(key, func() (known, error) {
		return known{content: read(s, func(name string) ([]byte, error) {
			if _, ok := files.files[name]; !ok {
				return nil, fs.ErrNotExist
			}
			return p.folder.Read(Dir+"/"+name, MaxFile)
		})}, nil
	})
	facts := k.content.Facts()
	p.known.Put(ofFacts+key, known{facts: &facts})
	return k.content
}

// opener returns the content of a file of a pack; fs.ErrNotExist: there is none of that name.
type opener func(name string) ([]byte, error)

// read compares the files of a source with the index. One that was withheld has none here.
func read(s *evidence.Source, open opener) evidence.Content {
	var c evidence.Content
	if s.File == "" {
		return c
	}
	data, ok := readFile(s.ID, s.File, s.SHA256, open, &c)
	if ok {
		c.Hash = hexHash(data)
	}
	if s.Kind == evidence.KindRun && ok {
		readOutputs(s, data, open, &c)
	}
	switch s.Text {
	case "":
		return c
	case s.File:
	default:
		data, ok = readFile(s.ID, s.Text, s.TextSHA256, open, &c)
	}
	switch ext := extension(s.Text); {
	case s.Indexed || !ok:
	case ext == "html":
		data = []byte(hypertext.HTML(data))
	case xmlExtension(ext):
		data = []byte(hypertext.XML(data))
	}
	if ok && utf8.Valid(data) {
		c.Raw = unsafe.String(unsafe.SliceData(data), len(data)) // nobody writes into data again: a copy would double 64 MiB
		c.Text = evidence.NewText(c.Raw, origin(s, c.Raw))
		c.Words = sync.OnceValue(func() *evidence.WordIndex { return evidence.NewWordIndex(c.Raw) })
		for _, f := range s.Misquoted(c.Text) {
			c.Wrong = append(c.Wrong, f.In(indexName))
		}
	}
	return c
}

// origin says how the text of a source came to be. One that was given for a PDF came from it if it still has its pages.
func origin(s *evidence.Source, text string) evidence.Origin {
	if extension(s.File) == "pdf" && (s.TextBy != evidence.TextSupplied || strings.Contains(text, "\f")) {
		return evidence.Extracted
	}
	return evidence.Written
}

// readFile reads a file of the pack; false if it is not what the index names: EV-Q02. Without a hash it
// is taken as it is.
func readFile(id, name, hash string, open opener, c *evidence.Content) ([]byte, bool) {
	wrong := func(what string) ([]byte, bool) {
		c.Wrong = append(c.Wrong, protocol.NewFinding(protocol.EVQ02, "%s: %s/%s %s.", id, Dir, name, what).In(Dir+"/"+name))
		return nil, false
	}
	data, err := open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return wrong("is gone")
	case err != nil:
		return wrong("cannot be read")
	}
	if hash != "" && hexHash(data) != hash {
		return wrong("no longer has the bytes that the index names")
	}
	return data, true
}

func hexHash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
