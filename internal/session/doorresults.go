package session

import (
	"slices"
	"strconv"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/artifact/merge"
	"brenner/internal/evidence"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/science"
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
	if !slices.ContainsFunc(r.report.Deltas, func(b delta.Delta) bool {
		return b.Section == artifact.DiscriminativeTests || b.Section == artifact.HypothesisSlate || b.Section == artifact.PredictionsTable
	}) {
		return
	}
	next := v.Fork().Science
	m := message.Message{ThreadID: thread.ID, From: from, Intake: protocol.Strict}
	next.Advance(&m, &merge.MessageReport{
		From: from, Type: r.report.Type, Convener: v.Fold.Convener(from), Receipt: r.receipt, Text: r.report, Items: r.touched(),
	}, r.after)
	for _, note := range next.NotesSince(next.Messages - 1) {
		f := note.Finding
		if note.Overturns && thread.Enforced() && !d.vouched(note.Sources) {
			f = f.As(protocol.SeverityError).WithFix("Record a replication, or cite a source.")
		}
		if !r.tellItem(note.Test, f) {
			r.tellItem(note.Met, f)
		}
	}
	for _, c := range next.UnreadCells(v.Science) {
		r.tellCell(c)
	}
}

// rows warns of rows of predictions that would be given to a test which the thread does not have: their cells are then of no
// test (SCIENCE 3). Another message may still add it, and the fold keeps whatever was written. Handles are judged with the blocks.
func (r rehearsal) rows() {
	for _, block := range r.report.Deltas {
		name, ok := testOfRow(block)
		if !ok || r.receipt.Blocks[block.Block-1].Status != delta.Accepted {
			continue
		}
		if it := r.after.Item(artifact.ItemID(name)); it != nil && it.Section == artifact.DiscriminativeTests {
			continue
		}
		tell(r.report, block, protocol.NewFinding(protocol.UnknownReference,
			"The row is given to %s, which is no test of the thread: its cells count for none.", strconv.Quote(protocol.Brief(name))).
			WithFix("Name a test such as T1, or a handle of this message, or leave test out.").In(delta.InPayload(artifact.Test)))
	}
}

// testOfRow is the test to which a block gives its row of predictions; none for a handle and for a value of another form.
func testOfRow(block delta.Delta) (string, bool) {
	spec := block.Section.OpenField(artifact.Test)
	if spec == nil {
		return "", false
	}
	for _, e := range block.Extra {
		if e.Name != artifact.Test {
			continue
		}
		text, ok := spec.ReadOpen(e.Value).(artifact.Text)
		return string(text), ok && text != "" && !strings.HasPrefix(string(text), "@")
	}
	return "", false
}

// vouched tells whether a source can be looked up that somebody sets another's result aside with: one of the pack, a section of
// the transcript, or a citation where the project has neither. Words alone are none.
func (d *Door) vouched(sources []string) bool {
	library, err := d.sessions.Library()
	if err != nil {
		library = nil // the sender cannot mend it
	}
	there := func(c artifact.Citation) bool { return library.Resolve(c) != evidence.Missing }
	return slices.ContainsFunc(sources, func(source string) bool { return slices.ContainsFunc(artifact.Citations(source), there) })
}

// tellCell says something about the block that writes a cell: that of the test, or of the first row of predictions that has it.
func (r rehearsal) tellCell(c science.UnreadCell) {
	own, written := c.Test, artifact.ExpectedOutcomes
	if _, ok := r.after.Item(c.Test).Map(artifact.ExpectedOutcomes).Get(c.Hypothesis); !ok {
		for _, row := range r.after.Items(artifact.PredictionsTable) {
			text, has := row.Map(artifact.Predictions).Get(c.Hypothesis)
			if test, ok := row.Get(artifact.Test).(artifact.Text); ok && has && string(test) == string(c.Test) && science.Expects(text) {
				own, written = row.ID, artifact.Predictions
				break
			}
		}
	}
	if block := r.writer(own); block != nil {
		tellAt(r.report, block, written, c.Finding.In(delta.InPayload(written+"."+c.Hypothesis)))
		return
	}
	r.tellItem(c.Test, c.Finding)
}

// touched are the items that the accepted blocks write.
func (r rehearsal) touched() []merge.Touch {
	kinds := map[string]merge.ChangeKind{string(delta.Add): merge.KindAdded, string(delta.Edit): merge.KindEdited,
		string(delta.Kill): merge.KindKilled}
	var list []merge.Touch
	for _, b := range r.receipt.Blocks {
		if b.Status == delta.Accepted && b.ItemID != "" {
			list = append(list, merge.Touch{Item: artifact.ItemID(b.ItemID), Kind: kinds[b.Operation]})
		}
	}
	return list
}

// tellItem says something about the last block that writes an item, if there is one.
func (r rehearsal) tellItem(id artifact.ItemID, f protocol.Finding) bool {
	block := r.writer(id)
	if block != nil {
		tell(r.report, *block, f)
	}
	return block != nil
}

// writer is the last block that writes an item; nil if there is none.
func (r rehearsal) writer(id artifact.ItemID) *delta.Delta {
	for i, block := range slices.Backward(r.report.Deltas) {
		if id != "" && r.receipt.Blocks[block.Block-1].ItemID == string(id) {
			return &r.report.Deltas[i]
		}
	}
	return nil
}
