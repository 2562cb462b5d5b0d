package delta

import (
	"encoding/json"

	"brenner/artifact"
	"brenner/protocol"
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
	b.Findings = append(b.Findings, f)
	if b.Status == Rejected {
		return
	}
	b.Status, b.ItemID = Rejected, ""
	r.Accepted--
	r.Rejected++
}

// Note adds a finding to a block without changing its status.
func (r *Receipt) Note(index int, f protocol.Finding) {
	b := &r.Blocks[index-1]
	b.Findings = append(b.Findings, f)
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

// Clone copies the receipt, so that a merge can write into its own.
func (r *Receipt) Clone() *Receipt {
	c := *r
	c.Blocks = make([]Block, len(r.Blocks))
	for i, b := range r.Blocks {
		b.Findings = append([]protocol.Finding(nil), b.Findings...)
		c.Blocks[i] = b
	}
	return &c
}

// MarshalJSON writes every key; the list of blocks is never null.
func (r Receipt) MarshalJSON() ([]byte, error) {
	type plain Receipt
	if r.Blocks == nil {
		r.Blocks = []Block{}
	}
	return json.Marshal(plain(r))
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

// MarshalJSON writes every key; what is absent is null, findings are never null.
func (b Block) MarshalJSON() ([]byte, error) {
	findings := b.Findings
	if findings == nil {
		findings = []protocol.Finding{}
	}
	return json.Marshal(blockJSON{
		b.Index, b.Line, b.Status,
		nullable(b.Operation), nullable(b.Section), nullable(b.TargetID), nullable(b.ItemID),
		findings,
	})
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

func nullable(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func text(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}
