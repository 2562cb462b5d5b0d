package evidencepack

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"

	"brenner/internal/evidence"
	"brenner/internal/protocol"
	"brenner/internal/yamltext"
)

// Taken is what taking a selection in came to.
type Taken struct {
	Added    []string // ids of new sources
	Excerpts int      // new excerpts of sources that were there
}

// Take takes a selection into the pack, together with something else: either both are done or neither. A
// source that is there under its id with the same bytes keeps its entry, and the excerpts are united. CONFLICT: an
// id has other bytes, or an excerpt's id another passage; the findings name them all.
func (p *Pack) Take(from Selection, other func() error) (Taken, error) {
	var taken Taken
	theirs, err := parseIndex(from.Index)
	if err != nil {
		return taken, err
	}
	if len(theirs.entries) == 0 {
		return taken, other()
	}
	err = p.changeWith(func() ([]put, error) {
		m := merger{pack: p, from: from}
		puts, err := m.merge(theirs.entries)
		taken = m.taken
		return puts, err
	}, other)
	if err != nil {
		return Taken{}, err
	}
	return taken, nil
}

// merger puts entries from elsewhere into the index.
type merger struct {
	*draft
	pack      *Pack
	from      Selection
	taken     Taken
	puts      []put
	conflicts []protocol.Finding
}

func (m *merger) merge(entries []*evidence.Source) ([]put, error) {
	var err error
	if m.draft, err = m.pack.current(); err != nil {
		return nil, err
	}
	next, err := m.edit(func(e *yamltext.Editor) error {
		for _, s := range entries {
			at := m.entry(s.ID)
			if at < 0 {
				err = m.add(e, s)
			} else {
				err = m.unite(e, at, s)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if len(m.conflicts) > 0 {
		return nil, protocol.Errorf(protocol.EvidenceConflict, "nothing was imported: %s", m.conflicts[0].Message).WithFindings(m.conflicts)
	}
	if err != nil {
		return nil, err
	}
	if len(m.taken.Added)+m.taken.Excerpts > 0 {
		m.puts = append(m.puts, next)
	}
	return m.puts, nil
}

func (m *merger) conflict(id, format string, args ...any) {
	m.conflicts = append(m.conflicts, protocol.NewFinding(protocol.EvidenceConflict, format, args...).On(id))
}

// add takes a new source in with its files.
func (m *merger) add(e *yamltext.Editor, s *evidence.Source) error {
	for _, f := range m.from.Files {
		if !ownFile(s.ID, f.Name) {
			continue
		}
		if _, there := m.files.files[f.Name]; !there {
			m.puts = append(m.puts, put{name: f.Name, open: f.Open})
			continue
		}
		same, err := m.same(f)
		if err != nil {
			return err
		}
		if !same {
			m.conflict(s.ID, "%s/%s is there with other bytes.", Dir, f.Name)
		}
	}
	m.taken.Added = append(m.taken.Added, s.ID)
	return e.Append(entryNode(s), m.where...)
}

// same tells whether the folder has the file with the same bytes.
func (m *merger) same(f SelectedFile) (bool, error) {
	own, err := m.pack.folder.Read(Dir+"/"+f.Name, MaxFile)
	if err != nil {
		return false, err
	}
	content, err := f.Open()
	if err != nil {
		return false, err
	}
	defer content.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, content); err != nil {
		return false, err
	}
	return hex.EncodeToString(sum.Sum(nil)) == hexHash(own), nil
}

// unite adds the excerpts that a source here does not have.
func (m *merger) unite(editor *yamltext.Editor, at int, s *evidence.Source) error {
	own := m.entries[at]
	if own.SHA256 != s.SHA256 {
		m.conflict(s.ID, "%s is another source here: its SHA-256 is %.12s…, that of the crate %.12s….", s.ID, own.SHA256, s.SHA256)
		return nil
	}
	for _, e := range s.Excerpts {
		known := slices.IndexFunc(own.Excerpts, func(o evidence.Excerpt) bool { return o.ID == e.ID })
		if known >= 0 {
			if o := own.Excerpts[known]; o.From != e.From || o.To != e.To || !evidence.Same(o.Text, e.Text) {
				m.conflict(s.ID, "%s#%s is another passage here.", s.ID, e.ID)
			}
			continue
		}
		if err := editor.Append(excerptNode(e), m.at(at, "excerpts")...); err != nil {
			return err
		}
		m.taken.Excerpts++
	}
	return nil
}
