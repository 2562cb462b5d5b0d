package science

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
)

// SourcesOf are the sources that evidence names, each once: EV-001#E2 and (EV-001, p. 4) are both EV-001. What cites nothing of
// the project is a source by its own words; nothing is none.
func SourcesOf(evidence []string) []string {
	var list []string
	add := func(source string) {
		if source != "" && !slices.Contains(list, source) {
			list = append(list, source)
		}
	}
	for _, text := range evidence {
		cited := artifact.Citations(text)
		for _, c := range cited {
			if c.Evidence != "" {
				c.Excerpt = ""
			}
			add(c.String())
		}
		if len(cited) == 0 {
			add(strings.TrimSpace(text))
		}
	}
	return list
}

// Sources are those that the result rests on.
func (g *Result) Sources() []string { return SourcesOf(g.Evidence) }

// Sources are those that the result rests on.
func (r *ResultRow) Sources() []string { return SourcesOf(r.Evidence) }
