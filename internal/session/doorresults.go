package session

import (
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/artifact/merge"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// rehearsal is what the merge would make of a DELTA.
type rehearsal struct {
	receipt *delta.Receipt
	after   *artifact.Artifact
	report  *message.Report
}

// results tells a sender what there is to say about the results of its message (SCIENCE 2). To overturn another's result
// without a source is refused where the protocol is enforced.
func (d *Door) results(v *fold.View, thread mail.Thread, from string, r rehearsal) {
	if !slices.ContainsFunc(r.report.Deltas, func(b delta.Delta) bool { return b.Section == artifact.DiscriminativeTests }) {
		return
	}
	next := v.Fork().Science
	m := message.Message{ThreadID: thread.ID, From: from, Intake: protocol.Strict}
	next.Advance(&m, &merge.MessageReport{
		From: from, Type: r.report.Type, Convener: v.Fold.Convener(from), Receipt: r.receipt, Text: r.report,
	}, r.after)
	for _, note := range next.NotesSince(next.Messages - 1) {
		f := note.Finding
		if note.Overturns && thread.Enforced() {
			f = f.As(protocol.SeverityError).WithFix("Record a replication, or cite a source.")
		}
		tellTest(r, note.Test, f)
	}
}

// tellTest says something about the last block that writes a test.
func tellTest(r rehearsal, test artifact.ItemID, f protocol.Finding) {
	for _, block := range slices.Backward(r.report.Deltas) {
		if r.receipt.Blocks[block.Block-1].ItemID == string(test) {
			tell(r.report, block, f)
			return
		}
	}
}
