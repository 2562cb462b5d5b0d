package delta

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// Status says whether a block counts.
type Status string

// The two statuses of a block.
const (
	Accepted Status = "accepted"
	Rejected Status = "rejected"
)

// Receipt says what became of each block of a message. Found is always Accepted plus
// Rejected (PROTOCOL 5, receipts).
type Receipt struct {
	Found    int     `json:"found"`
	Accepted int     `json:"accepted"`
	Rejected int     `json:"rejected"`
	Blocks   []Block `json:"blocks"`
	// More is how many blocks are not listed. Blocks holds all blocks of a message that was read;
	// MarshalJSON writes those that an answer lists.
	More int `json:"more"`
	// MoreFindings is how many findings of the blocks are not listed. A message may earn far more
	// findings than it has bytes: what is beyond the list is counted when it is found.
	MoreFindings int `json:"more_findings"`
}

// Block is the receipt of one delta block. What the block did not say is empty.
type Block struct {
	Index     int // from 1
	Line      int // of its opening fence
	Status    Status
	Operation string
	Section   string
	TargetID  string
	ItemID    string // the item it added, edited or killed; known after a merge
	Findings  []protocol.Finding
}

// Reject marks a block as rejected because of a finding; index counts from 1. A rejected
// block has no item.
func (r *Receipt) Reject(index int, f protocol.Finding) {
	b := &r.Blocks[index-1]
	r.keep(b, f)
	if b.Status == Rejected {
		return
	}
	b.Status, b.ItemID = Rejected, ""
	r.Accepted--
	r.Rejected++
}

// Note adds a finding to a block without changing its status.
func (r *Receipt) Note(index int, f protocol.Finding) { r.keep(&r.Blocks[index-1], f) }

// keep adds a finding to a block, or counts it: once a message has as many as an answer lists,
// only the first error of a block is kept, which says why it is rejected.
func (r *Receipt) keep(b *Block, f protocol.Finding) {
	if r.full() && (f.Severity != protocol.SeverityError || protocol.HasErrors(b.Findings)) {
		r.MoreFindings++
		return
	}
	b.Findings = append(b.Findings, f)
}

func (r *Receipt) full() bool { return r.MoreFindings > 0 || r.findings() >= protocol.MaxListed }

// findings is how many findings the blocks have.
func (r *Receipt) findings() int {
	n := 0
	for i := range r.Blocks {
		n += len(r.Blocks[i].Findings)
	}
	return n
}

// Listed returns the receipt as an answer lists it: the first blocks with the gravest of their
// findings, and counts of the rest (PROTOCOL 6). The totals are of all blocks. Where all is listed the
// blocks are those of the receipt.
func (r *Receipt) Listed() Receipt {
	listed := *r
	listed.More = r.Found - min(len(r.Blocks), protocol.MaxListed)
	if len(r.Blocks) <= protocol.MaxListed && r.findings() <= protocol.MaxListed {
		return listed
	}
	listed.Blocks = slices.Clone(r.Blocks[:min(len(r.Blocks), protocol.MaxListed)])
	room := protocol.NewRoom(protocol.MaxListed, func(count func(protocol.Finding)) {
		for i := range listed.Blocks {
			for _, f := range listed.Blocks[i].Findings {
				count(f)
			}
		}
	})
	for i := range r.Blocks {
		all := r.Blocks[i].Findings
		if i >= len(listed.Blocks) {
			listed.MoreFindings += len(all)
			continue
		}
		listed.Blocks[i].Findings = slices.DeleteFunc(slices.Clone(all), func(f protocol.Finding) bool { return !room.Take(f) })
		listed.MoreFindings += len(all) - len(listed.Blocks[i].Findings)
	}
	return listed
}

// SetItem records the item that a block added or changed.
func (r *Receipt) SetItem(index int, id artifact.ItemID) {
	r.Blocks[index-1].ItemID = string(id)
}

// Findings returns the findings of all blocks, in order.
func (r *Receipt) Findings() []protocol.Finding {
	var all []protocol.Finding
	for i := range r.Blocks {
		all = append(all, r.Blocks[i].Findings...)
	}
	return all
}

// MarshalJSON writes the receipt as an answer lists it. It writes every key; the list of blocks is
// never null.
func (r Receipt) MarshalJSON() ([]byte, error) {
	r = r.Listed()
	b := fmt.Appendf(make([]byte, 0, 128+192*len(r.Blocks)), `{"found":%d,"accepted":%d,"rejected":%d,"blocks":[`, r.Found, r.Accepted,
		r.Rejected)
	for i := range r.Blocks {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = r.Blocks[i].appendJSON(b); err != nil {
			return nil, err
		}
	}
	return fmt.Appendf(b, `],"more":%d,"more_findings":%d}`, r.More, r.MoreFindings), nil
}

// MarshalJSON writes every key; what is absent is null, findings are never null.
func (b Block) MarshalJSON() ([]byte, error) { return b.appendJSON(nil) }

func (b *Block) appendJSON(to []byte) ([]byte, error) {
	to = strconv.AppendInt(append(to, `{"index":`...), int64(b.Index), 10)
	to = strconv.AppendInt(append(to, `,"line":`...), int64(b.Line), 10)
	to = artifact.AppendString(append(to, `,"status":`...), string(b.Status))
	for _, part := range [...]struct{ name, text string }{
		{`,"operation":`, b.Operation}, {`,"section":`, b.Section}, {`,"target_id":`, b.TargetID}, {`,"item_id":`, b.ItemID},
	} {
		to = append(to, part.name...)
		if part.text == "" {
			to = append(to, "null"...)
		} else {
			to = artifact.AppendString(to, part.text)
		}
	}
	to = append(to, `,"findings":`...)
	if len(b.Findings) == 0 {
		return append(to, "[]}"...), nil
	}
	findings, err := json.Marshal(b.Findings)
	return append(append(to, findings...), '}'), err
}

type blockJSON struct {
	Index     int                `json:"index"`
	Line      int                `json:"line"`
	Status    Status             `json:"status"`
	Operation *string            `json:"operation"`
	Section   *string            `json:"section"`
	TargetID  *string            `json:"target_id"`
	ItemID    *string            `json:"item_id"`
	Findings  []protocol.Finding `json:"findings"`
}

// UnmarshalJSON reads what MarshalJSON writes.
func (b *Block) UnmarshalJSON(data []byte) error {
	var j blockJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*b = Block{
		j.Index, j.Line, j.Status,
		text(j.Operation), text(j.Section), text(j.TargetID), text(j.ItemID), j.Findings,
	}
	return nil
}

func text(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}
