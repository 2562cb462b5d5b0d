package session

import (
	"fmt"

	"brenner/internal/artifact/delta"
	"brenner/internal/artifact/merge"
	"brenner/internal/protocol"
)

// MessageReceipt is the receipt of one message with deltas, after the merge.
type MessageReceipt struct {
	MessageID int64         `json:"message_id"`
	From      string        `json:"from"`
	Receipt   delta.Receipt `json:"receipt"`
}

func receipts(reports []*merge.MessageReport) []MessageReceipt {
	list := []MessageReceipt{}
	room := answerRoom
	for _, r := range reports {
		if r.Receipt != nil {
			list = append(list, MessageReceipt{r.MessageID, r.From, *room.receipt(r.Receipt)})
		}
	}
	return list
}

// room is how many blocks and findings an answer about a whole thread may still list. Of each message it
// lists what an answer about that message would; when the room is used up, counts only.
type room int

// answerRoom keeps an answer below a few megabytes (PROTOCOL 16).
const answerRoom room = 20_000

// receipt returns what is listed of a receipt.
func (r *room) receipt(whole *delta.Receipt) *delta.Receipt {
	listed := whole.Listed()
	n := len(listed.Blocks)
	for i := range listed.Blocks {
		n += len(listed.Blocks[i].Findings)
	}
	if !r.take(n) {
		listed.MoreFindings += n - len(listed.Blocks)
		listed.Blocks, listed.More = nil, whole.Found
	}
	return &listed
}

// findings returns what is listed of a message's findings, and how many are not.
func (r *room) findings(all []protocol.Finding) ([]protocol.Finding, int) {
	listed, more := protocol.Listed(all)
	if !r.take(len(listed)) {
		return nil, len(all)
	}
	return listed, more
}

func (r *room) take(n int) bool {
	if room(n) > *r {
		return false
	}
	*r -= room(n)
	return true
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
