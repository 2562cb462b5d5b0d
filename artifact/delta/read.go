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

// Read reads the delta blocks of a message under its intake; anything but lenient is strict.
// Blocks are independent but for the handles they share: a rejected one affects no other.
func Read(doc *markup.Document, intake protocol.Intake) Reading {
	r := reader{doc: doc, intake: intake}
	r.findBlocks()
	for i := range r.blocks {
		r.blocks[i].read()
	}
	r.resolve()
	return Reading{
		Receipt:    r.receipt(),
		Deltas:     r.accepted(),
		NearMisses: nearMisses(doc),
	}
}

// isDelta tells whether a fence is a delta block (PROTOCOL 5, finding blocks).
func isDelta(f *markup.Fence) bool { return !f.Quoted && f.Language() == language }

// language is the first word of a delta block's info string.
const language = "delta"

// reader collects the blocks of one message.
type reader struct {
	doc    *markup.Document
	intake protocol.Intake
	dec    decoder
	blocks []block
}

// findBlocks makes a block of each delta fence.
func (r *reader) findBlocks() {
	fences, n := r.doc.Fences(), 0
	for i := range fences {
		if isDelta(&fences[i]) {
			n++
		}
	}
	r.blocks = make([]block, 0, n)
	for i := range fences {
		f := &fences[i]
		if !isDelta(f) {
			continue
		}
		index := len(r.blocks) + 1
		r.blocks = append(r.blocks, block{
			reader:  r,
			fence:   f,
			receipt: Block{Index: index, Line: f.Line},
			delta:   Delta{Block: index, Line: f.Line},
		})
	}
}

func (r *reader) lenient() bool { return r.intake == protocol.Lenient }

func (r *reader) receipt() Receipt {
	var receipt Receipt
	if len(r.blocks) > 0 {
		receipt.Blocks = make([]Block, 0, len(r.blocks))
	}
	for i := range r.blocks {
		b := &r.blocks[i]
		b.receipt.Status = Accepted
		if b.rejected() {
			b.receipt.Status = Rejected
		}
		receipt.add(b.receipt)
	}
	return receipt
}

func (r *reader) accepted() []Delta {
	n := 0
	for i := range r.blocks {
		if !r.blocks[i].rejected() {
			n++
		}
	}
	deltas := make([]Delta, 0, n)
	for i := range r.blocks {
		if !r.blocks[i].rejected() {
			deltas = append(deltas, r.blocks[i].delta)
		}
	}
	return deltas
}
