package evidencepack

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"brenner/internal/evidence"
	"brenner/internal/literature"
	"brenner/internal/projectfs"
	"brenner/internal/protocol"
	"brenner/internal/yamltext"
)

// Import is a file of bibliographic entries to be taken in.
type Import struct {
	Entries []literature.Entry
	Folder  string // of the file: attachments are named from there
	By      string
	At      time.Time
}

// Imported is what became of an entry.
type Imported struct {
	Key  string
	ID   string
	New  bool
	File string
	Text string // empty: none
}

// Import takes entries in, in their order, all or none (SCIENCE 1, literature in and out). One whose DOI, PMID or bytes are in the pack
// is that source: it gets the cite that it lacks. Findings: ATTACHMENT_MISSING, ENTRY_UNTITLED, PROGRAM_MISSING.
func (p *Pack) Import(ctx context.Context, in Import) ([]Imported, []protocol.Finding, error) {
	spool, err := os.MkdirTemp("", "brenner-import-")
	if err != nil {
		return nil, nil, protocol.Errorf(protocol.Unwritable, "no temporary folder: %w", err)
	}
	defer os.RemoveAll(spool)
	i := importer{Import: in, pack: p, folder: projectfs.At(in.Folder), spool: spool}
	err = p.change(func() ([]put, error) {
		d, err := p.current()
		if err != nil {
			return nil, err
		}
		return i.run(ctx, d)
	})
	if err != nil {
		return nil, nil, err
	}
	return i.imported, i.findings, nil
}

// importer takes the entries of a file in. Files wait in a folder of their own until all are read.
type importer struct {
	Import
	pack     *Pack
	folder   projectfs.Folder
	spool    string
	imported []Imported
	findings []protocol.Finding

	draft  *draft
	editor *yamltext.Editor
	next   int            // number of the next new source
	known  map[string]int // place of the entry by hash, DOI and PMID
	puts   []put
}

func (i *importer) run(ctx context.Context, d *draft) ([]put, error) {
	i.draft, i.next, i.known = d, nextNumber(d.files, d.entries), map[string]int{}
	for place, s := range d.entries {
		i.know(place, s)
	}
	changed := false
	index, err := d.edit(func(e *yamltext.Editor) error {
		i.editor = e
		for n := range i.Entries {
			if err := ctx.Err(); err != nil {
				return err
			}
			wrote, err := i.entry(ctx, &i.Entries[n])
			if err != nil {
				return err
			}
			changed = changed || wrote
		}
		return nil
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || !changed {
		return nil, err
	}
	return append(i.puts, index), nil
}

// know remembers what a source can be recognised by.
func (i *importer) know(place int, s *evidence.Source) {
	id := s.Identifiers()
	for _, key := range []string{s.SHA256, key("doi", id.DOI), key("pmid", id.PMID)} {
		if _, taken := i.known[key]; key != "" && !taken {
			i.known[key] = place
		}
	}
}

func key(kind, value string) string {
	if value == "" {
		return ""
	}
	return kind + ":" + value
}

// entry takes one entry in, and tells whether the index changed.
func (i *importer) entry(ctx context.Context, e *literature.Entry) (bool, error) {
	if e.Item.Title == "" {
		i.find(e, protocol.NewFinding(protocol.EntryUntitled, "the entry %q has no title.", protocol.Shorten(e.Key, 80)))
	}
	id := literature.Identify(&e.Item, "")
	for _, name := range []string{key("doi", id.DOI), key("pmid", id.PMID)} {
		if place, ok := i.known[name]; ok && name != "" {
			return i.recognised(e, place)
		}
	}
	file, missing := i.attached(e.Files)
	for _, f := range missing {
		i.find(e, f)
	}
	if file == nil {
		data, err := e.Item.File()
		if err != nil {
			return false, err
		}
		file = &attachment{"entry.json", data}
		return i.add(e, file, extracted{})
	}
	if place, ok := i.known[hexHash(file.data)]; ok {
		return i.recognised(e, place)
	}
	text, err := i.text(ctx, e, file)
	if err != nil {
		return false, err
	}
	return i.add(e, file, text)
}

func (i *importer) find(e *literature.Entry, f protocol.Finding) {
	f.Line = e.Line
	i.findings = append(i.findings, f)
}

// text takes the text out of an attachment. One that cannot be read is kept without.
func (i *importer) text(ctx context.Context, e *literature.Entry, file *attachment) (extracted, error) {
	text, err := ownText(ctx, file.name, file.data)
	switch {
	case ctx.Err() != nil:
		return extracted{}, ctx.Err()
	case protocol.CodeOf(err) == protocol.ProgramMissing:
		i.find(e, protocol.NewFinding(protocol.ProgramMissing, "%s was kept without text: %v.", file.name, err).
			As(protocol.SeverityWarning))
		return extracted{}, nil
	case err != nil:
		i.find(e, protocol.NewFinding(protocol.EVQ03, "%s was kept without text: %v.", file.name, err))
		return extracted{}, nil
	}
	return text, nil
}

// recognised is an entry of a source that is there: it gets the cite that it lacks.
func (i *importer) recognised(e *literature.Entry, place int) (bool, error) {
	s := i.draft.entries[place]
	i.imported = append(i.imported, Imported{Key: e.Key, ID: s.ID, File: s.File, Text: s.Text})
	if s.Cite != nil {
		return false, nil
	}
	s.Cite = &e.Item
	i.know(place, s)
	return true, i.editor.Set("cite", citeNode(s.Cite), i.draft.at(place)...)
}

// add makes an entry a source of its own.
func (i *importer) add(e *literature.Entry, file *attachment, text extracted) (bool, error) {
	hash := hexHash(file.data)
	if place, ok := i.known[hash]; ok {
		return i.recognised(e, place)
	}
	a := Addition{Name: file.name, Title: literature.Plain(e.Item.Title), Cite: &e.Item, By: i.By, At: i.At}
	if a.Title == "" {
		a.Title = e.Key
	}
	s := a.entry(hash)
	if s.File = i.pack.unlisted(i.draft, file.data, hash); s.File != "" {
		s.ID = sourceName().FindStringSubmatch(s.File)[1]
	} else {
		s.ID = evidenceID(i.next)
		i.next++
		s.File = s.ID + "." + extension(file.name)
		if err := i.keep(s.File, file.data); err != nil {
			return false, err
		}
	}
	text.describe(s)
	if text.apart {
		if _, taken := i.draft.files.files[s.Text]; taken {
			return false, protocol.Errorf(protocol.Conflict, "%s/%s is in the way of the text of %s", Dir, s.Text, s.ID)
		}
		if err := i.keep(s.Text, text.data); err != nil {
			return false, err
		}
	}
	i.draft.entries = append(i.draft.entries, s)
	i.know(len(i.draft.entries)-1, s)
	i.imported = append(i.imported, Imported{Key: e.Key, ID: s.ID, New: true, File: s.File, Text: s.Text})
	return true, i.editor.Append(entryNode(s), i.draft.where...)
}

// keep puts a file aside until the change is written: all attachments together may be larger than the memory.
func (i *importer) keep(name string, data []byte) error {
	aside := filepath.Join(i.spool, strconv.Itoa(len(i.puts)))
	if err := os.WriteFile(aside, data, 0o600); err != nil {
		return protocol.Errorf(protocol.Unwritable, "a temporary file cannot be written: %w", err)
	}
	i.puts = append(i.puts, put{name: name, open: func() (io.ReadCloser, error) { return os.Open(aside) }})
	return nil
}
