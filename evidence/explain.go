package evidence

import (
	"fmt"
	"strings"

	"brenner/artifact"
)

// explain says of quotes that were not found where they do stand, else what comes nearest to them in
// what they cite.
func (c *checker) explain(failed []int) {
	left := c.elsewhere(failed)
	if len(left) == 0 {
		return
	}
	byText := map[string][]int{}
	var order []string
	for _, i := range left {
		name := c.checked[i].Citations[0].Evidence
		if byText[name] == nil {
			order = append(order, name)
		}
		byText[name] = append(byText[name], i)
	}
	for _, name := range order {
		c.nearest(name, byText[name])
	}
}

// elsewhere looks for quotes in the rest of the pack and in the transcript, and returns those that stand
// nowhere.
func (c *checker) elsewhere(failed []int) []int {
	left := failed
	if c.library.Pack != nil {
		for _, s := range c.library.Pack.Sources {
			if text := c.content(s).Text; text != nil && len(left) > 0 {
				left = c.move(left, text, func(m Match, p Pattern) artifact.Citation { return s.narrowest(m, p) })
			}
		}
	}
	if c.library.Transcript != nil && len(left) > 0 {
		sections := c.library.transcriptText()
		left = c.move(left, sections.text, func(m Match, _ Pattern) artifact.Citation {
			return artifact.Citation{First: sections.at(m.From), Last: sections.at(m.To)}
		})
	}
	return left
}

// move names a better citation for the quotes that stand in a text, and returns the others.
func (c *checker) move(quotes []int, text *Text, cite func(Match, Pattern) artifact.Citation) []int {
	queries := make([]Query, len(quotes))
	for i, quote := range quotes {
		queries[i].Pattern = c.checked[quote].Pattern
	}
	var left []int
	for i, m := range text.Find(queries) {
		if !m.Found {
			left = append(left, quotes[i])
			continue
		}
		c.checked[quotes[i]].Fix = fmt.Sprintf("Cite %s.", cite(m, queries[i].Pattern))
	}
	return left
}

// narrowest is the citation of the first excerpt that holds a quote, else of the whole source.
func (s *Source) narrowest(m Match, p Pattern) artifact.Citation {
	for _, e := range s.AllExcerpts() {
		if (e.To == 0 || e.From <= m.From && m.To <= e.To) && e.has(p) {
			return artifact.Citation{Evidence: s.ID, Excerpt: e.ID}
		}
	}
	return artifact.Citation{Evidence: s.ID}
}

// nearest describes the passages of one text that come nearest to quotes.
func (c *checker) nearest(name string, quotes []int) {
	text, source := c.text(name)
	if text == nil {
		return
	}
	queries := make([]Query, len(quotes))
	for i, quote := range quotes {
		q := &c.checked[quote]
		queries[i] = Query{Pattern: q.Pattern}
		if source == nil {
			lines := c.library.transcriptText().lines
			queries[i].From, queries[i].To = lines[q.Citations[0].First][0], lines[q.Citations[0].Last][1]
		}
	}
	for i, near := range text.nearest(queries) {
		c.checked[quotes[i]].Fix = near.fix(c.checked[quotes[i]].Citations[0])
	}
}

// near is the passage of a text that comes nearest to a quote.
type near struct {
	passage string // empty: nothing is like it
	line    int
	word    string // the first word of the quote that differs; empty: the quote goes on where the text ends
	there   string // and what the text has in its place
	order   bool   // all pieces stand there, in another order
}

func (n near) fix(cited artifact.Citation) string {
	source := cited.String()
	switch {
	case n.order:
		return fmt.Sprintf("Its parts stand in %s in another order; quote them in the order of the source.", source)
	case n.passage == "":
		return fmt.Sprintf("Nothing in %s is like it; quote the source word for word.", source)
	}
	where := source
	if cited.Evidence != "" {
		where = fmt.Sprintf("%s, line %d", source, n.line)
	}
	there := "nothing"
	if n.there != "" {
		there = fmt.Sprintf("%q", n.there)
	}
	return fmt.Sprintf("The nearest passage (%s) is %s; the first word that differs is %q, where the source has %s.",
		where, Show(n.passage), strings.TrimSpace(n.word), there)
}
