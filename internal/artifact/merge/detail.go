package merge

import "brenner/internal/artifact/delta"

// maxDetail is how many blocks and findings a window keeps. Of messages beyond it the counts are
// kept, so that a thread of hostile messages cannot fill the memory.
const maxDetail = 20_000

// detail is how many blocks and findings the report has.
func (r *MessageReport) detail() int {
	n := len(r.Notes)
	if r.Receipt != nil {
		for i := range r.Receipt.Blocks {
			n += 1 + len(r.Receipt.Blocks[i].Findings)
		}
	}
	return n
}

func detailOf(reports []*MessageReport) int {
	n := 0
	for _, r := range reports {
		n += r.detail()
	}
	return n
}

// summarize leaves counts in place of blocks and findings, and the first of the notes. The
// receipt may be shared with the receiver of the report: it is replaced, not changed.
func (r *MessageReport) summarize() {
	if len(r.Notes) > 1 {
		r.MoreNotes += len(r.Notes) - 1
		r.Notes = r.Notes[:1:1]
	}
	if r.Receipt == nil {
		return
	}
	counts := delta.Receipt{Found: r.Receipt.Found, Accepted: r.Receipt.Accepted, Rejected: r.Receipt.Rejected,
		MoreFindings: r.Receipt.MoreFindings}
	for i := range r.Receipt.Blocks {
		counts.MoreFindings += len(r.Receipt.Blocks[i].Findings)
	}
	r.Receipt = &counts
}
