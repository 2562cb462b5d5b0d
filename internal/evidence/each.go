package evidence

import (
	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// EachFinding visits what is wrong with the quotations, numbers and sources of an artifact. In the reason of a KILL it is at most a
// warning: it cannot be mended. name says how an item is called.
func (j *Judgement) EachFinding(name func(artifact.ItemID) string, visit func(id artifact.ItemID, path string, f protocol.Finding)) {
	for _, item := range j.Items {
		for i := range item.Quotes {
			q := &item.Quotes[i]
			for _, f := range q.Findings(name(q.Item)) {
				visit(q.Item, q.Path, f)
			}
		}
	}
	for i := range j.Figures {
		for _, f := range j.Figures[i].Findings(name(j.Figures[i].Item)) {
			visit(j.Figures[i].Item, j.Figures[i].Path, f)
		}
	}
	for _, s := range j.Sums {
		visit(s.Item, s.Path, s.Finding)
	}
	for i := range j.Stale {
		visit(j.Stale[i].Item, j.Stale[i].Path, j.Stale[i].finding(name(j.Stale[i].Item)))
	}
	for i := range j.Killed {
		q := &j.Killed[i]
		for _, f := range q.Findings("The reason of the KILL of " + name(q.Item)) {
			visit(q.Item, q.Path, f.Lowered())
		}
	}
}
