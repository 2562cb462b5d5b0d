package diff

import "brenner/internal/artifact"

// Diff is what changed from one artifact to another. A merge only ever adds, edits and
// kills; the other lists are for files that people edited.
type Diff struct {
	Added   []Added
	Edited  []Edit
	Killed  []Killed
	Removed []Removed
	Revived []Revived
	Moved   []Order
}

// Ref names an item of an artifact. Nth is 0 unless a file uses the same id more than once.
type Ref struct {
	Section artifact.Section
	ID      artifact.ItemID
	Nth     int
}

// Added is an item that only the second artifact has, in its final state.
type Added struct {
	Ref
	Item   *artifact.Item
	Source *artifact.Source // nil if unknown, as everywhere here
}

// Edit is a field, or a part of one, with another value. Old or New is nil where the field
// is absent.
type Edit struct {
	Ref
	Path     Path
	Old, New artifact.Value
	Source   *artifact.Source
}

// Killed is an item that was killed in between. Was is set where a file only changed the
// record of an item that was dead already.
type Killed struct {
	Ref
	Record artifact.Kill
	Was    *artifact.Kill
}

// Removed is an item that the second artifact no longer has.
type Removed struct {
	Ref
	Name string
}

// Revived is an item that is no longer killed.
type Revived struct {
	Ref
	Was artifact.Kill
}

// Order is the new order of a section whose items are not where the other changes
// alone would put them: the first After items are in their places, then come Items.
type Order struct {
	Section artifact.Section
	After   int
	Items   []Ref
}

// Empty tells whether nothing changed.
func (d Diff) Empty() bool {
	return len(d.Added)+len(d.Edited)+len(d.Killed)+len(d.Removed)+len(d.Revived)+len(d.Moved) == 0
}
