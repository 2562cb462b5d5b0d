package delta

import (
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/markup"
	"brenner/internal/protocol"
)

// Reading is what a message says in deltas.
type Reading struct {
	Receipt    Receipt
	Deltas     []Delta            // of the accepted blocks, in block order
	NearMisses []protocol.Finding // MB-122: what was meant as a delta but is none
	MoreMisses int                // how many of those are counted only

	doubts []doubt // for the door alone: see AtDoor
}

// TooMany tells whether the message has more blocks than are read (PROTOCOL 6). All of them are
// rejected then.
func (r *Reading) TooMany() bool { return r.Receipt.Found > artifact.MaxBlocks }

// Read reads the delta blocks of a message under its intake; anything but lenient is strict.
// Blocks are independent but for the handles they share: a rejected one affects no other.
func Read(doc *markup.Document, intake protocol.Intake) Reading {
	n := countBlocks(doc)
	if n > artifact.MaxBlocks {
		return Reading{Receipt: unreadReceipt(doc, n)}
	}
	misses := nearMisses(doc)
	reading := Reading{NearMisses: misses.findings, MoreMisses: misses.more}
	if n > 0 {
		dec := decoders.Get().(*decoder)
		defer dec.release()
		dec.reader = reader{doc: doc, intake: intake, dec: dec}
		reading.Receipt, reading.Deltas = dec.reader.read(n)
		reading.doubts = dec.reader.doubts
	}
	return reading
}

// read reads n blocks.
func (r *reader) read(n int) (Receipt, []Delta) {
	r.findBlocks(n)
	for i := range r.blocks {
		r.blocks[i].read()
	}
	r.resolve()
	return r.counted(), r.accepted()
}

// countBlocks counts the delta blocks of a message.
func countBlocks(doc *markup.Document) int {
	fences, n := doc.Fences(), 0
	for i := range fences {
		if IsBlock(&fences[i]) {
			n++
		}
	}
	return n
}

// unreadReceipt is the receipt of a message with too many blocks. It names those that an answer
// lists; nothing is read of any of them.
func unreadReceipt(doc *markup.Document, found int) Receipt {
	receipt := Receipt{Found: found, Rejected: found, Blocks: make([]Block, 0, protocol.MaxListed)}
	fences := doc.Fences()
	for i := range fences {
		if len(receipt.Blocks) == protocol.MaxListed {
			break
		}
		if IsBlock(&fences[i]) {
			receipt.Blocks = append(receipt.Blocks, Block{Index: len(receipt.Blocks) + 1, Line: fences[i].Line, Status: Rejected})
		}
	}
	return receipt
}

// IsBlock tells whether a fence is a delta block (PROTOCOL 5, finding blocks).
func IsBlock(f *markup.Fence) bool {
	return !f.Quoted && (f.Info == Language || f.Language() == Language)
}

// reader collects the blocks of one message.
type reader struct {
	doc    *markup.Document
	intake protocol.Intake
	dec    *decoder

	blocks  []block
	receipt Receipt // with the receipt of each block
	deltas  []Delta // of each block
	doubts  []doubt
}

// findBlocks makes a block of each of n delta fences.
func (r *reader) findBlocks(n int) {
	fences := r.doc.Fences()
	r.deltas, r.receipt.Blocks = make([]Delta, n), make([]Block, n)
	r.blocks = slices.Grow(r.dec.blocks[:0], n)
	r.dec.blocks = r.blocks[:n]
	for i := range fences {
		if f := &fences[i]; IsBlock(f) {
			place := len(r.blocks)
			r.deltas[place] = Delta{Block: place + 1, Line: f.Line}
			r.receipt.Blocks[place] = Block{Index: place + 1, Line: f.Line}
			r.blocks = append(r.blocks, block{reader: r, fence: f, receipt: &r.receipt.Blocks[place], delta: &r.deltas[place]})
		}
	}
}

func (r *reader) lenient() bool { return r.intake == protocol.Lenient }

// counted returns the receipt with its blocks marked and counted as accepted or rejected.
func (r *reader) counted() Receipt {
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
	if r.receipt.Rejected == 0 {
		return r.deltas
	}
	kept := r.deltas[:0]
	for i := range r.blocks {
		if !r.blocks[i].rejected() {
			kept = append(kept, r.deltas[i])
		}
	}
	return slices.Clip(kept)
}
