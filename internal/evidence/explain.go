package evidence

import (
	"fmt"
	"strings"

	"brenner/internal/artifact"
)

// explain says of quotes that were not found where they are, else what comes nearest to them in
// what they cite.
func (c *checker) explain(failed []int) {
	left := c.elsewhere(failed)
	if len(left) == 0 {
		return
	}
	byText := map[string][]place{}
	var order []string
	for _, i := range left {
		for k, cited := range c.checked[i].Citations {
			if k == mostCompared {
				break
			}
			if byText[cited.Evidence] == nil {
				order = append(order, cited.Evidence)
			}
			byText[cited.Evidence] = append(byText[cited.Evidence], place{cited, i})
		}
	}
	best := map[int]near{}
	for _, name := range order {
		c.nearest(name, byText[name], best)
	}
}

// mostCompared is in how many of its citations the nearest passage to a quote is looked for.
const mostCompared = 8

// elsewhere looks for quotes in the rest of the pack and in the transcript, and returns those that are
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

// move names a better citation for the quotes that are in a text, and returns the others.
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

// nearest describes the passages of one text that come nearest to quotes, where no other text came nearer.
func (c *checker) nearest(name string, places []place, best map[int]near) {
	text, source := c.text(name)
	if text == nil {
		return
	}
	queries := make([]Query, len(places))
	for i, p := range places {
		queries[i] = Query{Pattern: c.checked[p.quote].Pattern}
		if source == nil {
			lines := c.library.transcriptText().lines
			queries[i].From, queries[i].To = lines[p.citation.First][0], lines[p.citation.Last][1]
		}
	}
	for i, found := range text.nearest(queries) {
		p := places[i]
		if other, ok := best[p.quote]; !ok || found.nearerThan(other) {
			best[p.quote] = found
			c.checked[p.quote].Fix = found.fix(p.citation)
		}
	}
}

// near is the passage of a text that comes nearest to a quote.
type near struct {
	passage string // empty: nothing is like it
	line    int
	word    string // the first word of the quote that differs; empty: the quote goes on where the text ends
	there   string // and what the text has in its place
	order   bool   // all pieces are there, in another order
	shared  int    // words that are there in the same order
}

func (n near) nearerThan(other near) bool {
	if n.order != other.order {
		return n.order
	}
	return n.shared > other.shared
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
