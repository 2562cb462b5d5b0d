package evidence

import (
	"fmt"
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// Verdict says whether a quote is in the source that it cites.
type Verdict uint8

// The verdicts.
const (
	Undecided Verdict = iota // what is cited is not there, or has no text
	Found
	NotFound
)

// Checked is a quote with what became of it.
type Checked struct {
	Quote
	Verdict Verdict
	Where   artifact.Citation // where it was found
	From    int               // line of that text, from 1
	Silent  []string          // cited sources without a text to compare with: EV-Q03
	Fix     string            // of a quote that was not found
}

// Check looks quotes up in what they cite. Each text is read once, whatever the number of quotes; sources
// that no quote needs are not opened.
func (l *Library) Check(quotes []Quote) []Checked {
	c := checker{library: l, checked: make([]Checked, len(quotes)), open: map[string]Content{}}
	for i, q := range quotes {
		c.checked[i].Quote = q
	}
	c.run()
	return c.checked
}

// checker looks quotes up.
type checker struct {
	library *Library
	checked []Checked
	open    map[string]Content
}

// place is a text that quotes cite, or a part of it.
type place struct {
	citation artifact.Citation
	quote    int
}

func (c *checker) content(s *Source) Content {
	content, ok := c.open[s.ID]
	if !ok {
		content = s.Open()
		c.open[s.ID] = content
	}
	return content
}

func (c *checker) run() {
	open := map[int]bool{} // quotes with a citation that cannot be judged
	texts := map[string][]place{}
	var order []string
	for i := range c.checked {
		for _, citation := range c.checked[i].Citations {
			if c.library.Resolve(citation) != Resolved {
				open[i] = true
				continue
			}
			name := citation.Evidence // the transcript has none
			if texts[name] == nil {
				order = append(order, name)
			}
			texts[name] = append(texts[name], place{citation, i})
		}
	}
	for _, name := range order {
		c.look(name, texts[name], open)
	}
	var failed []int
	for i := range c.checked {
		if c.checked[i].Verdict == Undecided && !open[i] && len(c.checked[i].Citations) > 0 {
			c.checked[i].Verdict = NotFound
			failed = append(failed, i)
		}
	}
	if len(failed) > 0 {
		c.explain(failed)
	}
}

// look searches one text for the quotes that cite it or parts of it.
func (c *checker) look(name string, places []place, open map[int]bool) {
	text, source := c.text(name)
	var queries []Query
	var kept []place
	for _, p := range places {
		quote := p.quote
		q, ok := c.query(text, source, p.citation, c.checked[quote].Pattern)
		switch {
		case ok:
			queries, kept = append(queries, q), append(kept, p)
		case text == nil && c.inExcerpts(source, p.citation, quote):
		case text == nil:
			open[quote] = true
			if source.silent(c.content(source)) && !slices.Contains(c.checked[quote].Silent, name) {
				c.checked[quote].Silent = append(c.checked[quote].Silent, name)
			}
		}
	}
	if text == nil {
		return
	}
	for i, m := range text.Find(queries) {
		if m.Found {
			c.found(kept[i].quote, kept[i].citation, m.From)
		}
	}
}

func (c *checker) found(quote int, where artifact.Citation, line int) {
	q := &c.checked[quote]
	if q.Verdict != Found {
		q.Verdict, q.Where, q.From = Found, where, line
	}
}

// text returns what is searched: a source of the pack, or the transcript.
func (c *checker) text(name string) (*Text, *Source) {
	if name == "" {
		return c.library.transcriptText().text, nil
	}
	s := c.library.Pack.Source(name)
	return c.content(s).Text, s
}

// query is what is looked for in a text; false if it cannot be there. An excerpt is judged by its own
// words and by the lines it names: an index that says what the source does not say proves nothing.
func (c *checker) query(text *Text, source *Source, cited artifact.Citation, p Pattern) (Query, bool) {
	switch {
	case text == nil:
		return Query{}, false
	case source == nil:
		lines := c.library.transcriptText().lines
		return Query{p, lines[cited.First][0], lines[cited.Last][1]}, true
	case cited.Excerpt == "":
		return Query{Pattern: p}, true
	}
	e, _ := source.Excerpt(cited.Excerpt)
	return Query{p, e.From, e.To}, e.Text == "" || e.has(p)
}

func (e Excerpt) has(p Pattern) bool {
	return Normalise(e.Text).Find([]Query{{Pattern: p}})[0].Found
}

// inExcerpts looks into the excerpts of a source whose text is not there.
func (c *checker) inExcerpts(s *Source, cited artifact.Citation, quote int) bool {
	for _, e := range s.AllExcerpts() {
		if (cited.Excerpt == "" || cited.Excerpt == e.ID) && e.has(c.checked[quote].Pattern) {
			c.found(quote, cited, e.From)
			return true
		}
	}
	return false
}

// silent tells whether a source has no text at all, rather than one that was changed.
func (s *Source) silent(content Content) bool { return content.Text == nil && len(content.Wrong) == 0 }

// Findings says what is wrong with a quote: EV-Q01 or EV-Q03. subject names who quotes.
func (c *Checked) Findings(subject string) []protocol.Finding {
	var findings []protocol.Finding
	if c.Verdict == NotFound {
		f := protocol.NewFinding(protocol.EVQ01, "%s quotes %s, which does not stand in %s.", subject, Show(c.Text), c.Citation())
		if c.Fix != "" {
			f = f.WithFix("%s", c.Fix)
		}
		findings = append(findings, f)
	}
	if c.Verdict != Undecided {
		return findings
	}
	for _, id := range c.Silent {
		findings = append(findings, protocol.NewFinding(protocol.EVQ03, "%s quotes %s, which has no text to compare with.", subject, id))
	}
	return findings
}

// Show prints a passage within a line.
func Show(text string) string {
	return fmt.Sprintf("%q", protocol.Shorten(text, 160))
}
