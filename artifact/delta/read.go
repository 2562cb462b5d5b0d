package delta

import (
	"brenner/markup"
	"brenner/protocol"
)

// Reading is what a message says in deltas.
type Reading struct {
	Receipt    Receipt
	Deltas     []Delta            // of the accepted blocks, in block order
	NearMisses []protocol.Finding // MB-122: what was meant as a delta but is none
}

// Read reads the delta blocks of a message under its intake ("" is strict).
func Read(doc *markup.Document, intake protocol.Intake) Reading {
	return Reading{}
}
