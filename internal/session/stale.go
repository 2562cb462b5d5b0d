package session

import (
	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/evidence"
)

// tellStale tells which of the sources that are cited are not current, each once: EV-S01, in a letter a warning.
func tellStale(library *evidence.Library, cited []artifact.Citation, t teller) {
	seen := map[string]bool{}
	for _, c := range cited {
		if s := library.Stale(c); s != nil && !seen[s.ID] {
			seen[s.ID] = true
			t.tell(s.Mark().Finding(t.subject))
		}
	}
}

// blockCitations are the citations in the item that a block makes, and in why it kills one.
func blockCitations(block delta.Delta) []artifact.Citation {
	cited := artifact.Citations(block.Reason)
	for _, field := range block.Fields {
		artifact.EachTextOf(field.Name, field.Value, func(_, text string) { cited = append(cited, artifact.Citations(text)...) })
	}
	return cited
}
