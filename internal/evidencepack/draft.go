package evidencepack

import (
	"fmt"
	"path"
	"slices"

	"brenner/internal/evidence"
	"brenner/internal/protocol"
	"brenner/internal/yamltext"
)

// draft is the pack as the one writer sees it who holds the lock.
type draft struct {
	contents
	files  *listing
	index  []byte
	alone  []string // see strays
	sorted bool
}

// current reads the folder and its index, as they are while this writer holds the lock.
func (p *Pack) current() (*draft, error) {
	d := &draft{}
	var err error
	if d.files, err = p.list(); err != nil {
		return nil, err
	}
	if d.contents, err = p.readIndex(d.files); err != nil {
		return nil, err
	}
	d.index, err = p.indexBytes()
	return d, err
}

// edit changes the index and returns it as a file to write.
func (d *draft) edit(do func(e *yamltext.Editor) error) (put, error) {
	e, err := yamltext.Edit(d.index)
	if err == nil {
		err = do(e)
	}
	var next []byte
	if err == nil {
		next, err = e.Bytes()
	}
	if err == nil && len(next) > maxIndex {
		err = fmt.Errorf("it would be larger than %d MiB", maxIndex>>20)
	}
	switch {
	case err == nil:
	case protocol.CodeOf(err) != protocol.Internal:
		return put{}, err
	default:
		return put{}, invalidIndex(0, err.Error())
	}
	return put{name: path.Base(indexName), data: next}, nil
}

// appended is the index with another entry.
func (d *draft) appended(s *evidence.Source) (put, error) {
	return d.edit(func(e *yamltext.Editor) error { return e.Append(entryNode(s), d.where...) })
}

// at is the place of an entry, or of a part of it.
func (c *contents) at(entry int, keys ...any) []any {
	return append(append(append([]any{}, c.where...), entry), keys...)
}

// strays are the regular files that had no entry when the index was read, by name.
func (d *draft) strays() []string {
	if d.sorted {
		return d.alone
	}
	d.sorted = true
	known := map[string]bool{}
	for _, s := range d.entries {
		known[s.ID] = true
	}
	for _, name := range d.files.numbers {
		if _, regular := d.files.files[name]; regular && !known[sourceName().FindStringSubmatch(name)[1]] {
			d.alone = append(d.alone, name)
		}
	}
	slices.Sort(d.alone)
	return d.alone
}
