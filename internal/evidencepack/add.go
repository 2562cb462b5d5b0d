package evidencepack

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"brenner/internal/evidence"
	"brenner/internal/protocol"
	"brenner/internal/yamltext"
)

// Addition is a source to be added.
type Addition struct {
	Name   string // of the file, for its extension and the default title
	Data   []byte
	Text   []byte // the text, given by hand; nil: it is taken from the data
	Title  string
	Source string
	By     string
	At     time.Time
}

// Added is what adding came to.
type Added struct {
	*evidence.Source
	New bool
}

func (f put) copyTo(w io.Writer) error {
	if f.open != nil {
		content, err := f.open()
		if err != nil {
			return err
		}
		defer content.Close()
		_, err = io.Copy(w, content)
		return err
	}
	if f.from == nil {
		_, err := w.Write(f.data)
		return err
	}
	if _, err := f.from.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(w, f.from)
	return err
}

// Add copies a source into the pack under the next free id. The same bytes again give the id they have; a
// file of the pack without an entry gets one under its own id.
func (p *Pack) Add(ctx context.Context, a Addition) (Added, error) {
	if err := checkSize("the source", a.Data); err != nil {
		return Added{}, err
	}
	text, apart, err := a.extract(ctx)
	if err != nil {
		return Added{}, err
	}
	var added Added
	err = p.change(func() ([]put, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var puts []put
		added, puts, err = p.place(a, text, apart)
		return puts, err
	})
	if err != nil {
		return Added{}, err
	}
	return p.reread(added)
}

// reread gives a source as the index now has it.
func (p *Pack) reread(added Added) (Added, error) {
	pack, err := p.Load()
	if err != nil {
		return Added{}, err
	}
	if s := pack.Source(added.ID); s != nil {
		added.Source = s
	}
	return added, nil
}

func checkSize(what string, data []byte) error {
	switch {
	case len(data) == 0:
		return protocol.Errorf(protocol.InvalidInput, "%s is empty", what)
	case len(data) > MaxFile:
		return protocol.Errorf(protocol.InvalidInput, "%s is larger than %d MiB", what, MaxFile>>20)
	}
	return nil
}

// extract returns the text of a source, and whether it has a file of its own; nil if there is none.
func (a *Addition) extract(ctx context.Context) (text []byte, apart bool, err error) {
	if a.Text != nil {
		if err := checkSize("the text", a.Text); err != nil {
			return nil, false, err
		}
		if !readable(a.Text) {
			return nil, false, protocol.Errorf(protocol.InvalidInput, "the text is blank or not UTF-8")
		}
		return a.Text, true, nil
	}
	switch ext := extension(a.Name); {
	case ext == "pdf":
		text, err := pdfText(ctx, a.Data)
		if err != nil || !readable([]byte(text)) {
			return nil, false, err
		}
		return []byte(text), true, nil
	case ext == "html" && readable(a.Data):
		if text := htmlText(a.Data); readable([]byte(text)) {
			return []byte(text), true, nil
		}
	case textual(ext) && ext != "html" && readable(a.Data):
		return a.Data, false, nil
	}
	return nil, false, nil
}

// place decides the id of a source, and returns the files to write.
func (p *Pack) place(a Addition, text []byte, apart bool) (Added, []put, error) {
	files, entries, index, where, err := p.current()
	if err != nil {
		return Added{}, nil, err
	}
	hash := hexHash(a.Data)
	for _, s := range entries {
		if s.SHA256 == hash {
			return Added{Source: s}, nil, nil
		}
	}
	s := &evidence.Source{
		Title: a.title(), Source: oneLine(a.Source), Kind: evidence.KindSource, AddedAt: a.At.UTC().Format(time.RFC3339), AddedBy: a.By,
		SHA256: hash, Share: true, Indexed: true,
	}
	var puts []put
	if s.File = p.unlisted(files, entries, a.Data, hash); s.File != "" {
		s.ID = sourceName().FindStringSubmatch(s.File)[1]
	} else {
		s.ID = nextID(files, entries)
		s.File = s.ID + "." + extension(a.Name)
		puts = append(puts, put{name: s.File, data: a.Data})
	}
	switch {
	case apart:
		s.Text, s.TextSHA256 = s.ID+".txt", hexHash(text)
		if s.Text == s.File {
			s.Text = s.ID + ".text"
		}
		if _, taken := files.files[s.Text]; taken {
			return Added{}, nil, protocol.Errorf(protocol.Conflict, "%s/%s is in the way of the text of %s", Dir, s.Text, s.ID)
		}
		puts = append(puts, put{name: s.Text, data: text})
	case text != nil:
		s.Text, s.TextSHA256 = s.File, hash
	}
	next, err := appended(index, where, s)
	if err != nil {
		return Added{}, nil, err
	}
	return Added{Source: s, New: true}, append(puts, put{name: path.Base(indexName), data: next}), nil
}

func appended(index []byte, where []any, s *evidence.Source) ([]byte, error) {
	next, err := yamltext.Append(index, entryNode(s), where...)
	if err == nil && len(next) > maxIndex {
		err = fmt.Errorf("it would be larger than %d MiB", maxIndex>>20)
	}
	if err != nil {
		return nil, invalidIndex(0, err.Error())
	}
	return next, nil
}

// current reads the folder and its index, as they are while this writer holds the lock.
func (p *Pack) current() (*listing, []*evidence.Source, []byte, []any, error) {
	files, err := p.list()
	if err != nil {
		return nil, nil, nil, nil, err
	}
	if _, err := p.readIndex(files); err != nil {
		return nil, nil, nil, nil, err
	}
	index, err := p.indexBytes()
	if err != nil {
		return nil, nil, nil, nil, err
	}
	entries, where, err := parseIndex(index)
	return files, entries, index, where, err
}

// unlisted finds the file of the pack without an entry that has these bytes.
func (p *Pack) unlisted(files *listing, entries []*evidence.Source, data []byte, hash string) string {
	known := map[string]bool{}
	for _, s := range entries {
		known[s.ID] = true
	}
	names := slices.Clone(files.numbers)
	slices.Sort(names)
	for _, name := range names {
		f, regular := files.files[name]
		if !regular || f.size != int64(len(data)) || known[sourceName().FindStringSubmatch(name)[1]] {
			continue
		}
		if content, err := p.folder.Read(Dir+"/"+name, MaxFile); err == nil && bytes.Equal(content, data) && hexHash(content) == hash {
			return name
		}
	}
	return ""
}

// nextID is one above the highest number in index and folder.
func nextID(files *listing, entries []*evidence.Source) string {
	highest := 0
	see := func(name string) {
		if m := sourceName().FindStringSubmatch(name); m != nil {
			n := 0
			_, _ = fmt.Sscanf(m[1], "EV-%d", &n)
			highest = max(highest, n)
		}
	}
	for _, name := range files.numbers {
		see(name)
	}
	for _, s := range entries {
		see(s.ID)
	}
	return fmt.Sprintf("EV-%03d", highest+1)
}

// title is what was given, else the name of the file.
func (a *Addition) title() string {
	if title := oneLine(a.Title); title != "" {
		return title
	}
	return oneLine(a.Name)
}

// oneLine writes a text on one line, without control characters.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	return strings.Join(strings.Fields(text), " ")
}
