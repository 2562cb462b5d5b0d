package delta

import "brenner/internal/kept"

// Keep writes or reads a receipt, which may be nil.
func Keep(f *kept.Form, r **Receipt) {
	given := *r != nil
	f.Bool(&given)
	if !given {
		return
	}
	if f.Reading() {
		*r = &Receipt{}
	}
	v := *r
	f.Int(&v.Found)
	f.Int(&v.Accepted)
	f.Int(&v.Rejected)
	f.Int(&v.MoreFindings)
	kept.List(f, &v.Blocks, func(b *Block) {
		f.Int(&b.Index)
		f.Int(&b.Line)
		kept.Named(f, &b.Status)
		f.Text(&b.Operation)
		f.Text(&b.Section)
		f.Text(&b.TargetID)
		f.Text(&b.ItemID)
		kept.List(f, &b.Findings, f.Finding)
	})
}
