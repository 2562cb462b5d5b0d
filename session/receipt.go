package session

import (
	"fmt"

	"brenner/artifact/delta"
	"brenner/artifact/merge"
	"brenner/protocol"
)

// MessageReceipt is the receipt of one message with deltas, after the merge.
type MessageReceipt struct {
	MessageID int64         `json:"message_id"`
	From      string        `json:"from"`
	Receipt   delta.Receipt `json:"receipt"`
}

func receipts(reports []*merge.MessageReport) []MessageReceipt {
	list := []MessageReceipt{}
	for _, r := range reports {
		if r.Receipt != nil {
			list = append(list, MessageReceipt{r.MessageID, r.From, *r.Receipt})
		}
	}
	return list
}

// rejectionLine names a rejected block, its reason and its fix.
func rejectionLine(r MessageReceipt, b delta.Block) (string, bool) {
	if b.Status != delta.Rejected {
		return "", false
	}
	line := fmt.Sprintf("Message %d from %s, block %d (line %d)", r.MessageID, r.From, b.Index, b.Line)
	for _, f := range b.Findings {
		if f.Severity == protocol.SeverityError {
			return fmt.Sprintf("%s: %s: %s %s", line, f.Code, f.Message, f.Fix), true
		}
	}
	return line, true
}
