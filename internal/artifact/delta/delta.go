package delta

import "brenner/internal/artifact"

// Operation is what a delta does.
type Operation string

// The three operations.
const (
	Add  Operation = "ADD"
	Edit Operation = "EDIT"
	Kill Operation = "KILL"
)

// Delta is an accepted block, ready to be merged.
type Delta struct {
	Block     int // index of its block in the message, from 1
	Line      int // of the block's opening fence
	Operation Operation
	Section   artifact.Section
	Target    string           // an item id or @handle; empty for ADD; RT for research_thread
	LocalID   string           // the handle an ADD defines, without @
	Fields    []Field          // named fields in payload order; lenient intake appends neutral ones
	Extra     []artifact.Extra // unknown and open payload fields as written; null clears one on EDIT
	Reason    string           // of a KILL
	Rationale string
}

// Field is a field that a delta sets, unites, merges or clears.
type Field struct {
	Name         string
	Value        artifact.Value // nil: null in an EDIT, which clears the field
	Replace      bool           // <field>_replace or replace: the list or map is replaced whole
	ClearKeys    []string       // keys of a map given as null in an EDIT
	Path         string         // payload.claim
	Line, Column int            // of the value; 0 for a neutral value
}

// Place is where the value of a field stands; for one that the block does not write, or that is neutral, where the block begins.
func (d *Delta) Place(field string) (line, column int) {
	for i := range d.Fields {
		if f := &d.Fields[i]; f.Name == field && f.Line > 0 {
			return f.Line, f.Column
		}
	}
	return d.Line, 1
}
