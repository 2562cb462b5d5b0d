package merge

import (
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
)

// ownReceipt makes the texts of a receipt its own, which the window keeps: as read they are pieces of the
// message, and the receipt is part of all that was read with it.
func ownReceipt(read *delta.Receipt) *delta.Receipt {
	r := *read
	for i := range r.Blocks {
		b := &r.Blocks[i]
		b.Operation = ownOperation(b.Operation)
		if section, ok := artifact.ParseSection(b.Section); ok {
			b.Section = section.String()
		} else {
			b.Section = strings.Clone(b.Section)
		}
		if b.TargetID == b.ItemID {
			b.TargetID = b.ItemID // the text of the item
		} else {
			b.TargetID = strings.Clone(b.TargetID)
		}
	}
	return &r
}

func ownOperation(word string) string {
	for _, known := range []delta.Operation{delta.Add, delta.Edit, delta.Kill} {
		if word == string(known) {
			return string(known)
		}
	}
	return strings.Clone(word)
}
