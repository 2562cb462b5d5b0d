package evidence

import "brenner/internal/artifact"

// Locate looks one passage up in the text of a source and returns its lines. Any words will do: a person who names a
// passage may name a short one.
func (t *Text) Locate(id, quote string) (found Checked, from, to int) {
	q := QuoteOf(quote, artifact.Citation{Evidence: id})
	l := Library{Pack: &Pack{Sources: []*Source{{ID: id, Text: id, Indexed: true, Open: func() Content { return Content{Text: t} }}}}}
	found = l.CheckQuotes([]Quote{q})[0]
	if found.Verdict == Found {
		m := t.Find([]Query{{Pattern: q.Pattern}})[0]
		from, to = m.From, m.To
	}
	return found, from, to
}
