package delta

import (
	"brenner/internal/artifact"
	"brenner/internal/markup"
	"brenner/internal/protocol"
	"brenner/internal/strictjson"
)

// block is a delta block being read: what it says so far and what there is to say about it.
type block struct {
	reader  *reader
	fence   *markup.Fence
	receipt *Block
	delta   *Delta

	// What to check the payload against. Where the block says something unknown but clear
	// (add, hypotheses), the rest is checked as if it were right, so that all its problems
	// are reported at once; the block is rejected all the same.
	operation  Operation
	section    artifact.Section
	hasSection bool

	uses        []use  // of handles
	openUses    []use  // of handles in open fields
	localAt     int32  // place of the handle it defines
	localPath   string // and its path
	errors      int    // findings that reject it
	suggestions int    // names looked up so far
}

// read decodes the block and checks it.
func (b *block) read() {
	if size := len(b.fence.Content); size > artifact.MaxBlockBytes {
		b.add(protocol.NewFinding(protocol.BlockTooLarge, "The block has %d bytes; at most %d are read.",
			size, artifact.MaxBlockBytes).At(b.fence.Line, 1))
		return
	}
	t, offset, err := b.reader.dec.decode(b.fence.Content)
	switch {
	case err != nil:
		b.add(syntaxFinding(b.fence, offset, err).At(b.place(offset)))
	case t.root().kind() != strictjson.Object:
		b.report(protocol.NewFinding(protocol.NotAnObject, "The block holds %s instead of an object.", t.root().kind()),
			t.root(), "")
	case t.deep >= 0:
		b.add(protocol.NewFinding(protocol.InvalidField, "A value nests more than %d levels deep.", MaxDepth).
			WithFix("Flatten the value.").At(b.place(t.deep)))
	default:
		b.object(t.root())
	}
}

// add adds a finding.
func (b *block) add(f protocol.Finding) {
	if f.Severity == protocol.SeverityError {
		b.errors++
	}
	b.reader.receipt.keep(b.receipt, f)
}

// report adds a finding about a value.
func (b *block) report(f protocol.Finding, v value, path string) {
	line, column := b.place(int(v.node().start))
	b.add(f.At(line, column).In(path))
}

// place returns the position in the message of an offset in the block's content.
func (b *block) place(offset int) (line, column int) {
	return b.reader.doc.Position(b.fence.Offset(offset))
}

// own returns the text of a string to be kept with the delta, when the message is gone.
func (b *block) own(v value) string {
	if n := v.node(); n.owned {
		return n.text
	}
	return b.reader.dec.texts.own(v.text())
}

func (b *block) rejected() bool { return b.errors > 0 }
