package evidencepack

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"brenner/internal/evidence"
	"brenner/internal/protocol"
	"brenner/internal/yamltext"
)

// Selection is a part of a pack that goes elsewhere: an index of some sources, and their files. Of a source that
// is not shared only the entry goes, with its hash and excerpts (SCIENCE 8).
type Selection struct {
	Index []byte
	Files []SelectedFile
}

// SelectedFile is a file beside the index.
type SelectedFile struct {
	Name string
	Open func() (io.ReadCloser, error)
	Size int64 // 0: unknown
}

// Select returns the sources among ids that the pack has. EV-Q02: one of their files is not what the index says.
func (p *Pack) Select(ids []string) (Selection, error) {
	var selected Selection
	pack, err := p.Load()
	if err != nil {
		return selected, err
	}
	if pack == nil {
		pack = &evidence.Pack{}
	}
	var entries []*evidence.Source
	for _, id := range ids {
		s := pack.Source(id)
		if s == nil {
			continue
		}
		content := s.Open()
		if len(content.Wrong) > 0 {
			return selected, protocol.Errorf(protocol.EVQ02, "%s", content.Wrong[0].Message).WithFindings(content.Wrong)
		}
		entry, extra := indexed(s, content)
		entries = append(entries, entry)
		if entry.File == "" {
			continue
		}
		if extra != nil {
			selected.Files = append(selected.Files, *extra)
		}
		names, err := p.filesOf(s)
		if err != nil {
			return selected, err
		}
		for _, name := range names {
			open := func() (io.ReadCloser, error) { return p.openFile(name) }
			selected.Files = append(selected.Files, SelectedFile{name, open, p.sizeOf(name)})
		}
	}
	selected.Index, err = RenderIndex(entries)
	return selected, err
}

// indexed returns the entry that goes along with a source. A file without an entry gets one, and what was read from it as
// its text; a source that is not shared loses its files.
func indexed(s *evidence.Source, content evidence.Content) (*evidence.Source, *SelectedFile) {
	entry := *s
	entry.Excerpts, entry.Indexed = s.AllExcerpts(), true
	if entry.SHA256 == "" {
		entry.SHA256 = content.Hash
	}
	if !s.Share {
		entry.File, entry.Text, entry.TextSHA256, entry.TextBy = "", "", "", ""
		return &entry, nil
	}
	if s.Indexed || s.Text == "" {
		return &entry, nil
	}
	entry.TextSHA256 = hexHash([]byte(content.Raw))
	if entry.TextSHA256 == entry.SHA256 {
		return &entry, nil
	}
	entry.Text = s.ID + ".text" // it was taken out of the file
	return &entry, &SelectedFile{entry.Text, func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(content.Raw)), nil
	}, int64(len(content.Raw))}
}

// filesOf names the files of a source that are in the folder.
func (p *Pack) filesOf(s *evidence.Source) ([]string, error) {
	return namesOf(s, func(name string) ([]byte, error) { return p.folder.Read(Dir+"/"+name, MaxFile) })
}

// namesOf names the files of a source: its own, its text, the outputs of a run.
func namesOf(s *evidence.Source, open opener) ([]string, error) {
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	add(s.File)
	if s.Indexed {
		add(s.Text)
	}
	if s.Kind != evidence.KindRun || s.File == "" {
		return names, nil
	}
	data, err := open(s.File)
	if err != nil {
		return names, protocol.Errorf(protocol.EVQ02, "the record of %s cannot be read: %w", s.ID, err)
	}
	run, err := evidence.ParseRun(data)
	if err != nil || !ownFile(s.ID, run.Stdout.File) || !ownFile(s.ID, run.Stderr.File) {
		return names, protocol.Errorf(protocol.EVQ02, "%s of %s is not the record of a run", s.File, s.ID)
	}
	add(run.Stdout.File)
	add(run.Stderr.File)
	return names, nil
}

// sizeOf is the size of a file of the pack, 0 if it cannot be told.
func (p *Pack) sizeOf(name string) int64 {
	files, err := p.list()
	if err != nil || files == nil {
		return 0
	}
	return files.files[name].size
}

func (p *Pack) openFile(name string) (io.ReadCloser, error) {
	f, err := p.folder.Open(Dir + "/" + name)
	if err != nil {
		return nil, protocol.Errorf(protocol.EVQ02, "%s/%s cannot be read: %w", Dir, name, err)
	}
	return f, nil
}

// RenderIndex writes an index of sources, always in the same way.
func RenderIndex(entries []*evidence.Source) ([]byte, error) {
	list := &yamltext.Node{Kind: yamltext.Sequence}
	for _, s := range entries {
		list.Items = append(list.Items, entryNode(s))
	}
	return yamltext.Format(&yamltext.Node{Kind: yamltext.Mapping, Members: []yamltext.Member{{Key: indexKey, Value: list}}})
}

// FromFiles reads a pack from an index and a way to its files. INVALID_EVIDENCE_INDEX: the index cannot be read.
func FromFiles(index []byte, open func(name string) ([]byte, error)) (*evidence.Pack, error) {
	c, err := parseIndex(index)
	if err != nil {
		return nil, err
	}
	pack := &evidence.Pack{Sources: c.entries}
	for _, s := range c.entries {
		s.Open = func() evidence.Content { return read(s, open) }
	}
	slices.SortFunc(pack.Sources, func(a, b *evidence.Source) int { return evidence.CompareIDs(a.ID, b.ID) })
	return pack, nil
}

// Names lists the files that the sources of a pack should have, without the index.
func Names(pack *evidence.Pack, open func(name string) ([]byte, error)) ([]string, error) {
	var all []string
	for _, s := range pack.Sources {
		names, err := namesOf(s, open)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return all, err
		}
		all = append(all, names...)
	}
	return all, nil
}

// IndexName is the name of the index below the folder of a pack.
var IndexName = path.Base(indexName)

// Read returns the content of a file of the selection.
func (s Selection) Read(name string) ([]byte, error) {
	i := slices.IndexFunc(s.Files, func(f SelectedFile) bool { return f.Name == name })
	if i < 0 {
		return nil, fs.ErrNotExist
	}
	content, err := s.Files[i].Open()
	if err != nil {
		return nil, err
	}
	defer content.Close()
	var data bytes.Buffer
	data.Grow(int(min(s.Files[i].Size, MaxFile)) + bytes.MinRead) // a buffer that has to grow costs twice its text
	_, err = data.ReadFrom(io.LimitReader(content, MaxFile+1))
	if err == nil && data.Len() > MaxFile {
		err = protocol.Errorf(protocol.InvalidInput, "%s is larger than %d MiB", name, MaxFile>>20)
	}
	return data.Bytes(), err
}
