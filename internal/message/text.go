package message

import (
	"slices"

	"brenner/internal/artifact/delta"
	"brenner/internal/markup"
	"brenner/internal/protocol"
)

// Text is what the body of a message says by itself: its structure and its delta blocks. Reading it is most of
// the work of Check. To judge a message again by other facts, hand on what was read.
type Text struct {
	document *markup.Document
	reading  delta.Reading
}

// ReadText reads a body that Check did not read.
func ReadText(body string, intake protocol.Intake) *Text {
	doc := markup.Parse(body)
	return &Text{doc, delta.Read(doc, intake)}
}

// Parts returns the structure of the body and its delta blocks.
func (t *Text) Parts() (*markup.Document, delta.Reading) { return t.document, t.reading }

// Again returns the text for a second judge. It has its own receipt: the first may have added to the one that
// its report shows. Nil for a text that was not read.
func (t *Text) Again() *Text {
	if t == nil {
		return nil
	}
	again := *t
	again.reading.Receipt.Blocks = slices.Clone(t.reading.Receipt.Blocks)
	for i := range again.reading.Receipt.Blocks {
		b := &again.reading.Receipt.Blocks[i]
		b.Findings = slices.Clone(b.Findings)
	}
	return &again
}

// Envelope says what there is to say of a message without its text: of the thread, the sender and the
// acknowledgement. Check says it too.
func Envelope(d Draft, t protocol.MessageType, f Facts) []protocol.Finding {
	c := &checker{draft: d, facts: f, report: Report{Type: t}}
	c.thread()
	c.sender()
	hard := len(c.report.Findings)
	c.coordination()
	c.acknowledgement()
	c.lowerErrors(hard)
	return c.report.Findings
}
