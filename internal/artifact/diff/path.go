package diff

import "brenner/internal/artifact"

// Path names a field of an item, or a part of one.
type Path struct {
	Kind  PathKind
	Field string
	Key   string // of a map or a score; empty for a whole field
}

// PathKind says where a path leads. An extra field may be called predictions.H2 too, so the
// text of a path alone does not tell.
type PathKind uint8

// The kinds of path.
const (
	Whole     PathKind = iota // a field of the section's table
	Entry                     // a key of a map or a part of a score
	Extra                     // a field that no table names
	Conflicts                 // the list of disputed fields
)

const conflictsField = "conflicts"

// String writes the path as the protocol does: claim, predictions.H2, score.cost.
func (p Path) String() string {
	if p.Kind == Entry {
		return p.Field + "." + p.Key
	}
	return p.Field
}

// source finds who wrote the value at a path; a part without a source of its own has that
// of its field.
func source(it *artifact.Item, p Path) *artifact.Source {
	if s := it.Source(p.String()); s != nil {
		return s
	}
	return it.Source(p.Field)
}

// changedBy finds who changed the value at a path between two states of an item: no agent
// is known if the value's source is still the old one.
func changedBy(a, b *artifact.Item, p Path) *artifact.Source {
	old, now := source(a, p), source(b, p)
	if now == nil || old != nil && *old == *now {
		return nil
	}
	return now
}
