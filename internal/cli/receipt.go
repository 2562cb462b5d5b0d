package cli

import (
	"brenner/internal/artifact/delta"
	"brenner/internal/protocol"
)

// receipt shows what became of each delta block, a line each.
func (p *printer) receipt(r *delta.Receipt) {
	if r == nil {
		return
	}
	listed := r.Listed()
	for _, b := range listed.Blocks {
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
		if f, warned := warningOf(b); warned {
			p.print("; %s: %s", p.style(severityStyle[f.Severity], string(f.Code)), visible(f.Message))
		}
		p.print("\n")
	}
	p.more(listed.More, "block")
}

// warningOf is what is written beside "accepted": the merge may yet reject the block, or skip it.
func warningOf(b delta.Block) (protocol.Finding, bool) {
	for _, f := range b.Findings {
		if b.Status == delta.Accepted && f.Severity == protocol.SeverityWarning {
			return f, true
		}
	}
	return protocol.Finding{}, false
}

// more says how many further things of a list are counted only.
func (p *printer) more(n int, word string) {
	if n > 0 {
		p.print("… and %s more\n", count(n, word))
	}
}
