package evidencepack

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"brenner/internal/evidence"
	"brenner/internal/literature"
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
	Cite   *literature.Item // its bibliographic entry; nil: none is given
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
	text, err := a.extract(ctx)
	if err != nil {
		return Added{}, err
	}
	var added Added
	err = p.change(func() ([]put, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var puts []put
		added, puts, err = p.place(a, text)
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

// place decides the id of a source, and returns the files to write.
func (p *Pack) place(a Addition, text extracted) (Added, []put, error) {
	d, err := p.current()
	if err != nil {
		return Added{}, nil, err
	}
	hash := hexHash(a.Data)
	if i := slices.IndexFunc(d.entries, func(s *evidence.Source) bool { return s.SHA256 == hash }); i >= 0 {
		puts, err := d.cite(i, a.Cite)
		return Added{Source: d.entries[i]}, puts, err
	}
	s := a.entry(hash)
	var puts []put
	if s.File = p.unlisted(d, a.Data, hash); s.File != "" {
		s.ID = sourceName().FindStringSubmatch(s.File)[1]
	} else {
		s.ID = nextID(d.files, d.entries)
		s.File = s.ID + "." + extension(a.Name)
		puts = append(puts, put{name: s.File, data: a.Data})
	}
	text.describe(s)
	if text.apart {
		if _, taken := d.files.files[s.Text]; taken {
			return Added{}, nil, protocol.Errorf(protocol.Conflict, "%s/%s is in the way of the text of %s", Dir, s.Text, s.ID)
		}
		puts = append(puts, put{name: s.Text, data: text.data})
	}
	next, err := d.appended(s)
	if err != nil {
		return Added{}, nil, err
	}
	return Added{Source: s, New: true}, append(puts, next), nil
}

// entry is what is known of a source before it has a place.
func (a *Addition) entry(hash string) *evidence.Source {
	s := &evidence.Source{
		Title: oneLine(a.Title), Source: oneLine(a.Source), Kind: evidence.KindSource, AddedAt: a.At.UTC().Format(time.RFC3339),
		AddedBy: a.By,
		SHA256:  hash, Share: true, Status: evidence.Current, Cite: a.Cite, Indexed: true,
	}
	if a.Cite != nil && s.Title == "" {
		s.Title = literature.Plain(a.Cite.Title)
	}
	if a.Cite != nil && s.Source == "" {
		s.Source = a.Cite.Link()
	}
	if s.Title == "" {
		s.Title = oneLine(a.Name)
	}
	return s
}

// cite gives an entry its item, if there is one and it has another.
func (d *draft) cite(entry int, item *literature.Item) ([]put, error) {
	if item == nil {
		return nil, nil
	}
	next, err := d.edit(func(e *yamltext.Editor) error { return e.Set("cite", citeNode(item), d.at(entry)...) })
	return []put{next}, err
}

// unlisted finds the file of the pack without an entry that has these bytes.
func (p *Pack) unlisted(d *draft, data []byte, hash string) string {
	for _, name := range d.strays() {
		if d.files.files[name].size != int64(len(data)) || d.entry(sourceName().FindStringSubmatch(name)[1]) >= 0 {
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
	return evidenceID(nextNumber(files, entries))
}

// evidenceID writes the id of a number.
func evidenceID(n int) string { return fmt.Sprintf("EV-%03d", n) }

func nextNumber(files *listing, entries []*evidence.Source) int {
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
	return highest + 1
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
