package merge

import (
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/message"
)

// Rehearse returns the receipt that a DELTA would get if it were folded next, with the ids of its items, and the artifact
// after it. The state stays as it is, and the text is not read again. Only the merge decides (PROTOCOL 5): another
// message may come first.
func (s *State) Rehearse(from string, check *message.Report) (delta.Receipt, *artifact.Artifact) {
	receipt := *check.Receipt
	receipt.Blocks = slices.Clone(receipt.Blocks)
	for i := range receipt.Blocks {
		receipt.Blocks[i].Findings = slices.Clip(receipt.Blocks[i].Findings)
	}
	fork := s.Fork()
	fork.forked = false
	fork.folded++
	spelled := fork.agents.spell(from).name
	r := &MessageReport{From: spelled, Type: check.Type, Shorthand: check.Subject.Shorthand, Receipt: &receipt, place: fork.folded}
	fork.foldDelta(&message.Message{From: spelled, CreatedAt: fork.updated}, check, r)
	return receipt, fork.Artifact()
}
