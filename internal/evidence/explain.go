package evidence

import (
	"fmt"

	"brenner/internal/artifact"
)

// maxSearched is how many bytes of sources are searched for one that has a quotation, or comes near it (SCIENCE 1, EV-Q01).
const maxSearched = 64 << 20

// explain says of quotations that were not found where in the pack they stand, else what comes nearest to them.
func (c *checker) explain(failed []int) {
	var left []int
	cited := map[string]bool{}
	size := 0
	for _, i := range failed {
		q, s := &c.quotes[i], &c.states[i]
		for _, citation := range q.Citations {
			if c.library.Resolve(citation) == Resolved && !cited[citation.Evidence] && len(failed) <= maxExplained {
				cited[citation.Evidence] = true
			}
		}
		switch {
		case q.Pattern.scraps():
			q.Fix = "A part of a quotation beside an ellipsis needs at least three words, two at its beginning or end."
		case s.scatters:
			q.Fix = fmt.Sprintf("Its parts stand in %s, but not in this order in one paragraph with at most 60 words left out; quote "+
				"them apart.", s.scattered)
		case s.moved:
			q.Fix = fmt.Sprintf("Cite %s.", s.elsewhere)
		default:
			left = append(left, i)
		}
	}
	if len(left) == 0 {
		return
	}
	left = left[:min(len(left), maxExplained)]
	for _, name := range c.others(cited, &size) {
		if left = c.search(name, left, &size); len(left) == 0 {
			break
		}
	}
	for _, i := range left {
		c.quotes[i].Fix = c.states[i].near.fix(c.states[i].nearAt, c.quotes[i].Quote)
	}
	for _, i := range failed {
		if c.quotes[i].Fix == "" {
			c.quotes[i].Fix = "Quote the source word for word."
		}
	}
}

// others returns the texts that no quotation cited, by number; size is what the cited ones have.
func (c *checker) others(cited map[string]bool, size *int) []string {
	var names []string
	if c.library.Pack != nil {
		for _, s := range c.library.Pack.Sources {
			if cited[s.ID] {
				*size += s.look().Size
			} else {
				names = append(names, s.ID)
			}
		}
	}
	if c.library.Transcript != nil && !cited[""] {
		names = append(names, "")
	}
	return names
}

func (t *Text) size() int {
	if t == nil {
		return 0
	}
	return len(t.raw)
}

// search looks for quotations in a text that they do not cite, and returns those that are not there.
func (c *checker) search(name string, quotes []int, size *int) []int {
	if *size >= maxSearched {
		return quotes
	}
	text, src := c.text(name)
	if text == nil || *size+text.size() > maxSearched {
		return quotes
	}
	*size += text.size()
	queries := make([]Query, len(quotes))
	for i, quote := range quotes {
		queries[i] = Query{Pattern: c.quotes[quote].Pattern, Nearest: true}
	}
	var left []int
	for i, m := range text.Find(queries) {
		quote := quotes[i]
		if m.Found {
			c.quotes[quote].Fix = fmt.Sprintf("Cite %s.", c.citation(src, m, queries[i].Pattern))
			continue
		}
		left = append(left, quote)
		at := artifact.Citation{Evidence: name}
		if src == nil && m.near.line > 0 {
			section := c.library.transcriptText().at(m.near.line)
			at = artifact.Citation{First: section, Last: section}
		}
		c.states[quote].nearer(m.near, at)
	}
	return left
}

// narrowest is the citation of the first excerpt that holds a quotation, else of the whole source.
func (s *Source) narrowest(m Match, p Pattern) artifact.Citation {
	for _, e := range s.AllExcerpts() {
		if (e.To == 0 || e.From <= m.From && m.To <= e.To) && e.has(p) {
			return artifact.Citation{Evidence: s.ID, Excerpt: e.ID}
		}
	}
	return artifact.Citation{Evidence: s.ID}
}

func (n near) fix(at artifact.Citation, q Quote) string {
	if n.passage == "" {
		return fmt.Sprintf("Nothing in %s is like it; quote the source word for word.", q.Citation())
	}
	where := at.String()
	if at.Evidence != "" {
		where = fmt.Sprintf("%s, line %d", where, n.line)
	}
	there := "nothing"
	if n.there != "" {
		there = fmt.Sprintf("%q", n.there)
	}
	if n.word == "" {
		return fmt.Sprintf("The nearest passage (%s) is %s.", where, Show(n.passage))
	}
	return fmt.Sprintf("The nearest passage (%s) is %s; the first word that differs is %q, where the source has %s.", where,
		Show(n.passage), n.word, there)
}
