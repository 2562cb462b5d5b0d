package delta

import (
	"slices"

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
	if len(r.blocks) > 0 {
		r.dec = decoders.Get().(*decoder)
		for i := range r.blocks {
			r.blocks[i].read()
		}
		r.dec.release()
	}
	r.resolve()
	return Reading{
		Receipt:    r.settle(),
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
	dec    *decoder

	blocks  []block
	receipt Receipt // with the receipt of each block
	deltas  []Delta // of each block
}

// findBlocks makes a block of each delta fence.
func (r *reader) findBlocks() {
	fences, n := r.doc.Fences(), 0
	for i := range fences {
		if isDelta(&fences[i]) {
			n++
		}
	}
	if n == 0 {
		return
	}
	r.blocks, r.deltas, r.receipt.Blocks = make([]block, 0, n), make([]Delta, n), make([]Block, n)
	for i := range fences {
		if f := &fences[i]; isDelta(f) {
			place := len(r.blocks)
			r.deltas[place] = Delta{Block: place + 1, Line: f.Line}
			r.receipt.Blocks[place] = Block{Index: place + 1, Line: f.Line}
			r.blocks = append(r.blocks, block{reader: r, fence: f, receipt: &r.receipt.Blocks[place], delta: &r.deltas[place]})
		}
	}
}

func (r *reader) lenient() bool { return r.intake == protocol.Lenient }

// settle counts accepted and rejected blocks.
func (r *reader) settle() Receipt {
	for i := range r.blocks {
		b := &r.blocks[i]
		r.receipt.Found++
		if b.rejected() {
			b.receipt.Status = Rejected
			r.receipt.Rejected++
		} else {
			b.receipt.Status = Accepted
			r.receipt.Accepted++
		}
	}
	return r.receipt
}

// accepted keeps the deltas of accepted blocks.
func (r *reader) accepted() []Delta {
	kept := r.deltas[:0]
	for i := range r.blocks {
		if !r.blocks[i].rejected() {
			kept = append(kept, r.deltas[i])
		}
	}
	return slices.Clip(kept)
}
