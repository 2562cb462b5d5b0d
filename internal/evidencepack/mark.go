package evidencepack

import (
	"strconv"

	"brenner/internal/evidence"
	"brenner/internal/protocol"
	"brenner/internal/yamltext"
)

// Mark says where a source stands, and whether it is shared (SCIENCE 1, where a source stands).
type Mark struct {
	Status evidence.Status // empty: as it is
	By     string          // source that corrects or replaces it; empty: none
	Note   string
	Share  string // yes, no; empty: as it is
}

// Mark writes a mark into the index. NOT_FOUND: the pack has no such source, or none that By names.
func (p *Pack) Mark(id string, m Mark) (*evidence.Source, error) {
	err := p.change(func() ([]put, error) {
		d, err := p.current()
		if err != nil {
			return nil, err
		}
		i := d.entry(id)
		switch {
		case i < 0:
			return nil, p.noEntry(id)
		case m.By == id:
			return nil, protocol.Errorf(protocol.InvalidInput, "%s cannot stand for itself: name another source", id).
				Doing(protocol.Given("by"))
		case m.By != "" && d.entry(m.By) < 0:
			return nil, p.noEntry(m.By)
		}
		next, err := d.edit(func(e *yamltext.Editor) error { return m.write(e, d.at(i)) })
		return []put{next}, err
	})
	if err != nil {
		return nil, err
	}
	marked, err := p.reread(Added{Source: &evidence.Source{ID: id}})
	return marked.Source, err
}

// write sets the keys of an entry that a mark speaks of.
func (m Mark) write(e *yamltext.Editor, at []any) error {
	if m.Share != "" {
		if err := e.Set("share", plainNode(strconv.FormatBool(m.Share == "yes")), at...); err != nil {
			return err
		}
	}
	if m.Status == "" {
		return nil
	}
	for _, field := range []struct{ key, value string }{{"status", string(m.Status)}, {"status_by", m.By},
		{"status_note", oneLine(m.Note)}} {
		if err := e.Set(field.key, textNode(field.value), at...); err != nil {
			return err
		}
	}
	return nil
}
