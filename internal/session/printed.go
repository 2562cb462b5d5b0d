package session

import (
	"brenner/internal/artifact/delta"
	"brenner/internal/markup"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// maxReadings is how often a text is read without what was rejected before.
const maxReadings = 5

// PrintedDeltas makes the body of a message of the delta blocks in a text that a program printed, behind an introduction; the body is
// empty where nothing can be posted. Blocks that no door would accept are left out and told: one of them would refuse the others.
func PrintedDeltas(text, intro string) (body string, refused []BlockText) {
	kept, refused := acceptable(text)
	// A block may lean on one that is left out, by its handle: what is left is read again, a few times, so that a chain of them does not
	// take for ever.
	for range maxReadings {
		if len(kept) == 0 {
			break
		}
		raw := make([]string, len(kept))
		for i, block := range kept {
			raw[i] = block.Raw
		}
		body = message.DeltaBody(intro, raw...)
		left, more := acceptable(body)
		if len(more) == 0 {
			return body, refused
		}
		kept, refused = left, append(refused, more...)
	}
	return "", refused
}

// acceptable parts the delta blocks in a text into those that the door would take and the others.
func acceptable(text string) (kept, refused []BlockText) {
	doc := markup.Parse(text)
	reading := delta.Read(doc, protocol.Strict).AtDoor()
	for _, b := range blockTexts(doc, &reading.Receipt) {
		if b.Status == delta.Rejected {
			refused = append(refused, b)
		} else {
			kept = append(kept, b)
		}
	}
	return kept, refused
}
