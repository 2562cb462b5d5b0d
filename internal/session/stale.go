package session

import (
	"fmt"
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/evidence"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// tellSources tells which of the sources that are cited are not there, and which are not current, each once: EV-P01 and EV-S01, in a
// letter warnings.
func tellSources(library *evidence.Library, cited []artifact.Citation, t teller) {
	seen := map[string]bool{}
	for _, c := range cited {
		if name := library.Absent(c); name != "" && !seen[name] {
			seen[name] = true
			t.tell(evidence.AbsentFinding(t.subject, name).Lowered())
		}
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

// staleResults tells which standing results cite sources that are not current: EV-S01 (SCIENCE 2).
func staleResults(library *evidence.Library, rows []science.ResultRow) []protocol.Finding {
	var list []protocol.Finding
	for i := range rows {
		r := &rows[i]
		if r.Standing != science.Main && r.Standing != science.Replication {
			continue
		}
		for _, id := range slices.Sorted(slices.Values(r.Sources())) {
			if s := library.Stale(artifact.Citation{Evidence: id}); s != nil {
				f := s.Mark().Finding(fmt.Sprintf("The result of %s in message %d", r.Test, r.MessageID)).On(string(r.Test))
				list = append(list, f.WithFix("Withdraw the result, or record one with another source."))
			}
		}
	}
	return list
}
