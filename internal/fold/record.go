package fold

import (
	"cmp"
	"slices"

	"brenner/internal/artifact/delta"
	"brenner/internal/artifact/merge"
	"brenner/internal/protocol"
)

// Record is what folding a message came to, as far as a reader asks for it later.
type Record struct {
	MessageID int64              `json:"message_id"`
	Receipt   *delta.Receipt     `json:"receipt"`
	Notes     []protocol.Finding `json:"notes"`
	Changes   []Change           `json:"changes"`
	Text      []protocol.Finding `json:"text"`   // about the text of a DELTA
	Judged    bool               `json:"judged"` // Text and Receipt are complete: the text need not be read again
}

// Records are what folding the messages of the open window came to.
func (v *View) Records() []Record {
	list := []Record{}
	for _, r := range v.Fold.Reports() {
		list = append(list, v.Record(r))
	}
	return list
}

// Record is what folding one message of the open window came to.
func (v *View) Record(r *merge.MessageReport) Record {
	record := Record{MessageID: r.MessageID, Receipt: r.Receipt, Notes: r.Notes}
	i, found := slices.BinarySearchFunc(v.Changes, r.MessageID, func(c MessageChanges, id int64) int { return cmp.Compare(c.MessageID, id) })
	if found {
		c := &v.Changes[i]
		record.Changes, record.Text = c.Changes, c.Findings
		record.Judged = !c.Unlisted && r.MoreNotes == 0 && r.Receipt != nil && len(r.Receipt.Blocks) == r.Receipt.Found && r.Receipt.MoreFindings == 0
	}
	return record
}
