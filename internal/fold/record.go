package fold

import (
	"cmp"
	"slices"

	"brenner/internal/artifact/delta"
	"brenner/internal/artifact/merge"
	"brenner/internal/kept"
	"brenner/internal/protocol"
)

// Record is what folding a message came to, as far as a reader asks for it later.
type Record struct {
	MessageID int64
	Receipt   *delta.Receipt
	Notes     []protocol.Finding
	Changes   []Change
	Text      []protocol.Finding // about the text of a DELTA
	Judged    bool               // Text and Receipt are complete: the text need not be read again
}

// maxTextFindings is how many findings about the text of a message are kept with what it did.
const maxTextFindings = 20

// record remembers what folding a message came to, if the merge has something to say of it.
func (v *View) record(m *Message, report *merge.MessageReport) {
	reports := v.Fold.Reports()
	if v.unshown || len(reports) == 0 || reports[len(reports)-1].MessageID != m.ID {
		return
	}
	of := reports[len(reports)-1] // it may have lost its blocks
	r := Record{MessageID: m.ID, Receipt: of.Receipt, Notes: of.Notes}
	if report.Type == protocol.TypeDelta {
		r.Changes = changesOf(report, v.Fold.Artifact())
		text := report.Text
		listed := text.More == 0 && len(text.Findings) <= maxTextFindings
		if listed {
			r.Text = text.Findings
		}
		r.Judged = listed && of.MoreNotes == 0 && of.Receipt != nil && len(of.Receipt.Blocks) == of.Receipt.Found &&
			of.Receipt.MoreFindings == 0
	}
	v.recent.add(r)
	if v.recent.detail >= windowDetail {
		v.close(m.ID)
	}
}

// detail is about how much there is to keep of a message.
func (r *Record) detail() int {
	n := 1 + len(r.Changes) + len(r.Notes) + len(r.Text)
	if r.Receipt != nil {
		n += len(r.Receipt.Blocks)
	}
	return n
}

// Record returns what folding a message came to, if that is not in a closed window.
func (v *View) Record(id int64) (Record, bool) {
	return FindRecord(v.recent.records, id)
}

// FindRecord finds the record of a message.
func FindRecord(records []Record, id int64) (Record, bool) {
	at, found := slices.BinarySearchFunc(records, id, func(r Record, id int64) int { return cmp.Compare(r.MessageID, id) })
	if !found {
		return Record{}, false
	}
	return records[at], true
}

// keep writes or reads a record.
func (r *Record) keep(f *kept.Form) {
	f.Int64(&r.MessageID)
	delta.Keep(f, &r.Receipt)
	kept.List(f, &r.Notes, f.Finding)
	kept.List(f, &r.Changes, func(c *Change) { c.keep(f) })
	kept.List(f, &r.Text, f.Finding)
	f.Bool(&r.Judged)
}

func (c *Change) keep(f *kept.Form) {
	kept.Named(f, &c.Item)
	kept.Named(f, &c.Kind)
	f.Text(&c.Name)
	f.Text(&c.Field)
	f.Text(&c.Path)
	f.Text(&c.Old)
	f.Text(&c.New)
	f.Text(&c.Rationale)
	f.Text(&c.Against)
}
