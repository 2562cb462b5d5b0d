package markdown

import (
	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// Outline is what a file says beyond the values in it: which parts are there, where they
// are and what is misshapen. The linter needs it for the rules that only a file can break.
type Outline struct {
	FrontMatter FrontMatter
	Title       Raw           // the `# Brenner Protocol Artifact: …` heading; Text is the id in it
	Sections    []SectionMark // in the order of the file, repeated ones included
	Malformed   []IDMark      // items without a well-formed id of their section (ES-003)
	Duplicates  []IDMark      // second and later items of an id (ES-004)
	Tests       []TestMark    // tests in the order of the file
	Table       Table
	References  []ReferenceMark // references that are not what they should be

	lines map[artifact.ItemID][]lineMark
}

// FrontMatter holds the raw values of the front matter that rules speak of.
type FrontMatter struct {
	Present      bool // a block between two `---` lines opens the file
	Readable     bool // and it is a YAML mapping
	Line         int  // of the opening `---`
	SessionID    Raw
	Version      Raw
	Status       Raw
	CreatedAt    Raw
	UpdatedAt    Raw
	Contributors Raw // Text is empty if it is not a scalar
}

// Raw is a value as it is written, and its line; Line is 0 if it is not there.
type Raw struct {
	Text string
	Line int
}

// Given tells whether the value is there at all.
func (r Raw) Given() bool { return r.Line > 0 }

// SectionMark is a section heading in the file.
type SectionMark struct {
	Section       artifact.Section
	Line          int
	ExplicitEmpty bool // it has no item and says so
}

// IDMark is an item id that is not as it should be. The item is kept all the same, under an
// id that is free.
type IDMark struct {
	Text    string           // what is where the id should be
	Section artifact.Section // where it is
	Line    int
	As      artifact.ItemID // the id under which the document has the item
}

// TestMark is a test where it is in the file, with the score in its heading.
type TestMark struct {
	ID     artifact.ItemID
	Line   int
	Scored bool    // its heading gives a total
	Total  float64 // that total
}

// Table describes the predictions table.
type Table struct {
	Line    int      // of the header row; 0 if there is no table
	HasID   bool     // it has an ID column
	Columns []string // the other columns but the condition's, as keys, in order
	NoID    []int    // lines of rows without an id; they get free ones
}

// Fault is what is wrong with a reference in the file.
type Fault uint8

// The faults, in the order of ER-REF-001 … 005.
const (
	NotAList Fault = iota
	NotAnObject
	NoSession
	NoItem
	NoRelation
)

// ReferenceMark is a reference that is not what it should be.
type ReferenceMark struct {
	Item  artifact.ItemID
	Fault Fault
	Text  string // as it is written
	Line  int
}

// Line returns where a field is; for a field that is not there, or "", where its item
// begins; 0 if that is not in the file either. Keys of maps are written predictions.H2.
func (o *Outline) Line(item artifact.ItemID, field string) int {
	if o == nil {
		return 0
	}
	begin := 0
	for _, m := range o.lines[item] {
		if m.field == field {
			return m.line
		}
		if m.field == "" && begin == 0 {
			begin = m.line
		}
	}
	return begin
}

// Section returns the line of a section's first heading, 0 if it is not in the file.
func (o *Outline) Section(s artifact.Section) int {
	if o == nil {
		return 0
	}
	for _, mark := range o.Sections {
		if mark.Section == s {
			return mark.Line
		}
	}
	return 0
}

// ExplicitEmpty tells whether the section says that it is empty (EX-002).
func (o *Outline) ExplicitEmpty(s artifact.Section) bool {
	if o == nil {
		return false
	}
	for _, mark := range o.Sections {
		if mark.Section == s && mark.ExplicitEmpty {
			return true
		}
	}
	return false
}

// Findings returns what the outline knows to be wrong under the codes of the linter, for
// those who read a file without linting it: ids (ES-003, ES-004) and references.
func (o *Outline) Findings() []protocol.Finding {
	var findings []protocol.Finding
	for _, m := range o.Malformed {
		f := protocol.NewFinding(protocol.ES003, "%q is no id of %s.", m.Text, m.Section)
		if string(m.As) != m.Text {
			f.Message += " The item is read as " + string(m.As) + "."
		}
		findings = append(findings, f.On(string(m.As)).At(m.Line, 1))
	}
	for _, m := range o.Duplicates {
		findings = append(findings, protocol.NewFinding(protocol.ES004, "%s stands twice. This item is read as %s.", m.Text, m.As).
			On(string(m.As)).At(m.Line, 1))
	}
	for _, r := range o.References {
		findings = append(findings, protocol.NewFinding(r.Fault.Code(), "%q %s.", r.Text, faultText[r.Fault]).
			On(string(r.Item)).In(artifact.ReferencesField).At(r.Line, 1))
	}
	protocol.SortByPlace(findings)
	return findings
}

// Code is the lint rule that a fault breaks.
func (f Fault) Code() protocol.Code {
	return [...]protocol.Code{protocol.ERREF001, protocol.ERREF002, protocol.ERREF003, protocol.ERREF004, protocol.ERREF005}[f]
}

var faultText = [...]string{
	"is not a list of references", "is not a reference", "names no session", "names no item", "names no relation",
}
