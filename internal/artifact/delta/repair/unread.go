package repair

import (
	"strings"

	"brenner/internal/artifact/delta"
	"brenner/internal/markup"
)

// CorrectedTitle opens every repaired message (PROTOCOL 5, repairs).
const CorrectedTitle = "# Corrected Delta Contribution"

// Unread returns a body without the blocks that were accepted, and whether anything meant as
// a delta is left that was not: what a repair of the message may contain without merging
// anything twice.
func Unread(doc *markup.Document, reading delta.Reading) (string, bool) {
	body := doc.Text()
	_, wrapped := delta.Wrapped(doc)
	if reading.Receipt.Rejected == 0 && len(reading.NearMisses) == 0 && !wrapped {
		return "", false
	}
	accepted := map[int]bool{}
	for _, b := range reading.Receipt.Blocks {
		if b.Status == delta.Accepted {
			accepted[b.Line] = true
		}
	}
	var rest strings.Builder
	at := 0
	for _, f := range doc.Fences() {
		if accepted[f.Line] {
			rest.WriteString(body[at:f.Start])
			at = f.End
		}
	}
	rest.WriteString(body[at:])
	return rest.String(), true
}
