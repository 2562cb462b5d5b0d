package cli

import (
	"brenner/artifact/delta"
	"brenner/protocol"
)

// receipt shows what became of each delta block, a line each.
func (p *printer) receipt(r *delta.Receipt) {
	if r == nil {
		return
	}
	for _, b := range r.Blocks {
		style := severityStyle[protocol.SeverityInfo]
		if b.Status == delta.Rejected {
			style = severityStyle[protocol.SeverityError]
		}
		p.print("block %d, line %d: %s", b.Index, b.Line, p.style(style, string(b.Status)))
		for _, word := range []string{b.Operation, b.Section, b.TargetID, b.ItemID} {
			if word != "" {
				p.print(" %s", visible(word))
			}
		}
		p.print("\n")
	}
}
