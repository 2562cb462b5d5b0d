package message

import (
	"strings"

	"brenner/internal/artifact/delta"
	"brenner/internal/protocol"
)

// delta judges the blocks of a DELTA. What rejects a block is an error of the message, under
// the block's own code and the body rule's (PROTOCOL 5).
func (c *checker) delta() {
	receipt := &c.reading.Receipt
	c.report.Deltas = c.reading.Deltas
	if w, ok := delta.Wrapped(c.doc); ok {
		c.report.Findings = append(c.report.Findings, protocol.NewFinding(protocol.MB125,
			"The document stands in an outer fence: its delta blocks are text there.").At(w.Line, 1))
	}
	if receipt.Found == 0 {
		c.add(protocol.NewFinding(protocol.MB004, "The DELTA has no delta block."), 0)
	}
	if receipt.Accepted == 0 {
		c.noneAccepted(receipt)
	}
	for i := range receipt.Blocks {
		b := &receipt.Blocks[i]
		for _, f := range b.Findings {
			c.report.Findings = append(c.report.Findings, f)
			switch f.Code {
			case protocol.InvalidJSON:
				c.bodyRule(protocol.MB005, f, b, "Delta block %d is not valid JSON.")
			case protocol.InvalidOperation:
				c.bodyRule(protocol.MB102, f, b, "The operation of delta block %d is not ADD, EDIT or KILL.")
			}
		}
	}
	c.deltaReferences()
}

func (c *checker) noneAccepted(receipt *delta.Receipt) {
	message, line := "The DELTA has no block that could be accepted.", 1
	if receipt.Found > 0 {
		message, line = "None of the delta blocks can be accepted.", receipt.Blocks[0].Line
	}
	c.report.Findings = append(c.report.Findings, protocol.NewFinding(protocol.NoAcceptedDelta, "%s", message).At(line, 1))
}

// bodyRule gives the body rule's code beside the block's, at the same place and with the
// same fix.
func (c *checker) bodyRule(code protocol.Code, cause protocol.Finding, b *delta.Block, format string) {
	f := protocol.NewFinding(code, format, b.Index).At(cause.Line, cause.Column).In(cause.Path)
	if cause.Fix != "" {
		f.Fix, f.Action = cause.Fix, cause.Action
	}
	c.report.Findings = append(c.report.Findings, f)
}

// blocks gives the receipt, and says what delta blocks do outside DELTA messages (MB-121) and
// what was meant as one (MB-122: an error in a DELTA, else a warning).
func (c *checker) blocks() {
	receipt := &c.reading.Receipt
	isDelta := c.report.Type == protocol.TypeDelta
	if isDelta || receipt.Found > 0 {
		c.report.Receipt = receipt
	}
	if !isDelta && receipt.Found > 0 {
		c.report.Findings = append(c.report.Findings, protocol.NewFinding(protocol.MB121,
			"The %s has %s, which will not be merged.", c.report.Type, plural(receipt.Found, "delta block")).
			At(receipt.Blocks[0].Line, 1))
	}
	first, last := c.artifactLines()
	for _, f := range c.reading.NearMisses {
		if first <= f.Line && f.Line <= last {
			continue // what an item's text looks like was judged when it was sent
		}
		if !isDelta {
			f = f.As(protocol.SeverityWarning)
		}
		c.report.Findings = append(c.report.Findings, f)
	}
}

// artifactLines returns the first and last line of the inline artifact of a COMPILED; 1 and 0
// if there is none.
func (c *checker) artifactLines() (first, last int) {
	if c.report.Type != protocol.TypeCompiled {
		return 1, 0
	}
	text, offset, ok := inlineArtifact(c.doc)
	if !ok {
		return 1, 0
	}
	first, _ = c.doc.Position(offset)
	return first, first + strings.Count(text, "\n") + 1
}
