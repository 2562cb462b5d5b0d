package science

import (
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
)

// written is the last accepted block of the message that writes a result of the test; nil if the
// message has none, which only happens where somebody else's words became a result.
func written(s Step, test artifact.ItemID) *delta.Delta {
	if s.Report.Text == nil || s.Report.Receipt == nil {
		return nil
	}
	for _, d := range slices.Backward(s.Report.Text.Deltas) {
		if s.Report.Receipt.Blocks[d.Block-1].ItemID == string(test) && slices.ContainsFunc(d.Fields, writesResult) {
			return &d
		}
	}
	return nil
}

func writesResult(f delta.Field) bool {
	return f.Name == artifact.LastRun || f.Name == artifact.Status || f.Name == artifact.ActualOutcomes
}

func field(d *delta.Delta, name string) artifact.Value {
	if i := slices.IndexFunc(d.Fields, func(f delta.Field) bool { return f.Name == name }); i >= 0 {
		return d.Fields[i].Value
	}
	return nil
}

// ownOutcome is the outcome that the block itself gives: what the test says beyond it is another's.
func ownOutcome(d *delta.Delta) string {
	raw, _ := field(d, artifact.LastRun).(artifact.JSON)
	return readRun(raw).outcome
}

// ownEvidence is what the result itself cites: last_run.evidence, and without that key what the same
// block lists in evidence_refs (SCIENCE 2). The sources of earlier results are not among them.
func ownEvidence(d *delta.Delta) []string {
	raw, _ := field(d, artifact.LastRun).(artifact.JSON)
	if r := readRun(raw); r.cites {
		return r.evidence
	}
	list, _ := field(d, artifact.EvidenceRefs).(artifact.List)
	return list
}
