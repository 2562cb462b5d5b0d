package science

import (
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/protocol"
)

// testBlock is an accepted block that adds or edits a test.
type testBlock struct {
	*delta.Delta
	run     lastRun
	status  string // that it sets; empty for none
	skipped bool   // the test was killed before
}

// testBlocks are the accepted blocks of a message by the test that they write, in the order of the message.
func (s *Step) testBlocks() ([]artifact.ItemID, map[artifact.ItemID][]testBlock) {
	if s.Report.Text == nil || s.Report.Receipt == nil {
		return nil, nil
	}
	var order []artifact.ItemID
	blocks := map[artifact.ItemID][]testBlock{}
	for i := range s.Report.Text.Deltas {
		d := &s.Report.Text.Deltas[i]
		receipt := &s.Report.Receipt.Blocks[d.Block-1]
		id := artifact.ItemID(receipt.ItemID)
		if d.Section != artifact.DiscriminativeTests || d.Operation == delta.Kill || id == "" || !writesResult(d) {
			continue
		}
		status, _ := field(d, artifact.Status).(artifact.Text)
		if blocks[id] == nil {
			order = append(order, id)
		}
		blocks[id] = append(blocks[id], testBlock{d, readLastRun(d), string(status), skipped(receipt)})
	}
	return order, blocks
}

// writesResult reports whether a block can give a result, or take one away.
func writesResult(d *delta.Delta) bool {
	return slices.ContainsFunc(d.Fields, func(f delta.Field) bool {
		return f.Name == artifact.LastRun || f.Name == artifact.Status || f.Name == artifact.ActualOutcomes
	})
}

// skipped reports whether the merge left a block out because its item was killed before.
func skipped(b *delta.Block) bool {
	return slices.ContainsFunc(b.Findings, func(f protocol.Finding) bool {
		return f.Code == protocol.TargetKilled || f.Code == protocol.AlreadyKilled
	})
}

// attempt reports whether the block tells of a run without a result, whatever else it writes (SCIENCE 2, attempt).
func (b *testBlock) attempt() bool { return b.status == "blocked" || b.status == "error" }

// gives reports whether the block gives its test a result (SCIENCE 2, a result): its last_run says one; or, while
// the test has none, it sets a status or an actual outcome that was not so before.
func (b *testBlock) gives(t *TestResults) bool {
	switch {
	case b.skipped || t.Killed || b.attempt():
		return false
	case b.run.says():
		return true
	case t.stands():
		return false
	}
	return b.setsVerdict(t) || b.setsOutcome(t)
}

func (b *testBlock) setsVerdict(t *TestResults) bool {
	return (b.status == "passed" || b.status == "failed") && b.status != t.Status
}

func (b *testBlock) setsOutcome(t *TestResults) bool {
	actual, _ := field(b.Delta, artifact.ActualOutcomes).(artifact.Map)
	return slices.ContainsFunc(actual, func(p artifact.Pair) bool {
		before, there := t.Actual.Get(p.Key)
		return !there || before != p.Text
	})
}
