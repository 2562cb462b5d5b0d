package lint

import (
	"brenner/internal/artifact"
	"brenner/internal/evidence"
	"brenner/internal/protocol"
)

// checkQuotes checks EV-Q01 to EV-Q08, EV-S01, EV-N01 and NUM-001: quotations and numbers are in the sources that they cite, sums come
// out, and the sources that are cited are current and what the index says (SCIENCE 1). What it learns about the support of each item
// is kept with the report.
func checkQuotes(l *linter) {
	var library *evidence.Library
	if l.Project != nil {
		library = l.Project.Library
	}
	a := l.Document.Artifact
	l.judgement = library.Judge(a)
	l.judgement.EachFinding(func(id artifact.ItemID) string { return subject(a.Item(id)) },
		func(id artifact.ItemID, path string, f protocol.Finding) { l.addItem(a.Item(id), path, f) })
	opened := map[string]bool{}
	for _, item := range l.judgement.Items {
		it := a.Item(item.ID)
		for _, c := range item.Citations {
			if c.Evidence == "" || opened[c.Evidence] {
				continue
			}
			opened[c.Evidence] = true
			for _, f := range library.Wrong([]string{c.Evidence}) {
				l.addItem(it, "", f)
			}
		}
	}
}
