package lint

import "brenner/internal/evidence"

// checkQuotes checks EV-Q01, EV-Q02 and EV-Q03: quotes are in the sources that they cite, and the sources that
// are cited are what the index says (SCIENCE 1). What it learns about the support of each item is kept
// with the report.
func checkQuotes(l *linter) {
	var library *evidence.Library
	if l.Project != nil {
		library = l.Project.Library
	}
	l.judgement = library.Judge(l.Document.Artifact)
	opened := map[string]bool{}
	for _, item := range l.judgement.Items {
		it := l.Document.Artifact.Item(item.ID)
		for _, q := range item.Quotes {
			for _, f := range q.Findings(subject(it)) {
				l.addItem(it, q.Path, f)
			}
		}
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
