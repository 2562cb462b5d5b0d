// Package evidencepack keeps the evidence of a project: the folder evidence/ with a file for each source
// and index.yaml, which lists them (SCIENCE 1). The folder is the user's: it may be edited by hand, and
// files may come from anywhere, so that every name is checked and every file is opened below the project.
package evidencepack

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"brenner/internal/evidence"
	"brenner/internal/lru"
	"brenner/internal/pattern"
	"brenner/internal/projectfs"
	"brenner/internal/protocol"
)

// Dir is the folder of the pack below the project.
const Dir = "evidence"

const (
	indexName = Dir + "/index.yaml"
	maxIndex  = 16 << 20
	// MaxFile is the largest source, text or output of a run.
	MaxFile = 64 << 20
)

// Pack is the evidence folder of a project. It is safe for concurrent use.
type Pack struct {
	folder projectfs.Folder

	mu    sync.Mutex
	state string         // of the folder when pack was read
	pack  *evidence.Pack // as it was read last
	known *lru.Cache[string, known]

	steps func(string) // called before each step of a change; for tests
}

// At returns the pack of the project at a path. It need not exist.
func At(root string) *Pack {
	return &Pack{
		folder: projectfs.At(root),
		known:  lru.New[string](maxKnown, known.cost),
	}
}

// Usable tells what keeps the folder from being used: it leads out of the project, or is none. A project
// without it is fine.
func (p *Pack) Usable() error {
	_, err := p.list()
	return err
}

// Load reads names and index, no text; nil if the project has no pack. INVALID_EVIDENCE_INDEX: the index
// cannot be read.
func (p *Pack) Load() (*evidence.Pack, error) {
	if err := p.recover(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	files, err := p.list()
	if err != nil || files == nil {
		p.state, p.pack = "", nil
		return nil, err
	}
	state := files.state()
	if p.pack != nil && p.state == state {
		return p.pack, nil
	}
	index, err := p.readIndex(files)
	if err != nil {
		return nil, err
	}
	p.state, p.pack = state, p.assemble(index, files)
	return p.pack, nil
}

// file is a regular file of the folder.
type file struct {
	name  string
	size  int64
	mtime int64
}

// listing is what the folder holds.
type listing struct {
	files   map[string]file // regular files
	numbers []string        // names of anything that has an evidence id
}

var (
	sourceName = pattern.Lazy(`^(EV-[0-9]{3,9})(?:[.-].*)?$`)
	idForm     = pattern.Lazy(`^EV-[0-9]{3,9}$`)
)

// list looks at the folder; nil if there is none.
func (p *Pack) list() (*listing, error) {
	entries, err := p.folder.List(Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	l := &listing{files: map[string]file{}}
	for _, e := range entries {
		if sourceName().MatchString(e.Name()) {
			l.numbers = append(l.numbers, e.Name())
		}
		if !e.Type().IsRegular() { // links, too: only plain files of the folder are ever opened
			continue
		}
		if info, err := e.Info(); err == nil {
			l.files[e.Name()] = file{e.Name(), info.Size(), info.ModTime().UnixNano()}
		}
	}
	return l, nil
}

// state tells one listing from another.
func (l *listing) state() string {
	names := make([]string, 0, len(l.files))
	for name := range l.files {
		names = append(names, name)
	}
	slices.Sort(names)
	h := sha256.New()
	for _, name := range names {
		f := l.files[name]
		h.Write([]byte(name + "\x00" + stamp(f) + "\n"))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// assemble joins index and folder: entries first, then files that have none.
func (p *Pack) assemble(index contents, files *listing) *evidence.Pack {
	pack := &evidence.Pack{Sources: index.entries, Snapshot: index.snapshot}
	known := map[string]bool{}
	for _, s := range index.entries {
		known[s.ID] = true
		s.Open, s.Look = func() evidence.Content { return p.open(s) }, func() evidence.Facts { return p.look(s) }
		s.Figure, s.Bytes = func() []byte { return p.figure(s) }, func() []byte { return p.bytes(s, MaxFile) }
	}
	names := slices.Clone(files.numbers)
	slices.Sort(names)
	for _, name := range names {
		id := sourceName().FindStringSubmatch(name)[1]
		if _, regular := files.files[name]; !regular || known[id] {
			continue
		}
		known[id] = true
		pack.Sources = append(pack.Sources, p.unindexed(id, name))
		pack.Findings = append(pack.Findings, protocol.NewFinding(protocol.EvidenceNotIndexed,
			"%s/%s has no entry in the index.", Dir, name).In(Dir+"/"+name).WithFix("Give it one by adding the file.").
			Doing(protocol.Action{Do: "evidence.add", With: protocol.Arguments{File: Dir + "/" + name}}))
	}
	slices.SortFunc(pack.Sources, func(a, b *evidence.Source) int { return evidence.CompareIDs(a.ID, b.ID) })
	return pack
}

// unindexed is a file of the folder without an entry. Its text is the file itself.
func (p *Pack) unindexed(id, name string) *evidence.Source {
	s := &evidence.Source{ID: id, Title: name, Kind: evidence.KindSource, File: name, Share: true, Status: evidence.Current}
	if textual(extension(name)) || !strings.Contains(name, ".") {
		s.Text, s.TextBy = name, evidence.TextExtracted
	}
	s.Open, s.Look = func() evidence.Content { return p.open(s) }, func() evidence.Facts { return p.look(s) }
	s.Figure, s.Bytes = func() []byte { return p.figure(s) }, func() []byte { return p.bytes(s, MaxFile) }
	s.Marked = func() []evidence.Excerpt { return evidence.MarkedExcerpts(s.Open().Raw) }
	return s
}
