package session

import (
	"brenner/internal/artifact"
	"brenner/internal/evidence"
	"brenner/internal/science"
)

// Signs are the vital signs of the session: whether its agents move with the evidence (SCIENCE 7). An error says why the evidence
// pack cannot be read.
func (s *Session) Signs() (science.Signs, error) {
	judged, err := s.judge(s.View, s.View.Unhashed(), s.graph)
	if err != nil {
		return science.Signs{}, err
	}
	return s.Account().Signs(falseQuotes(judged.errors().evidence, s.View.Fold.Artifact())), nil
}

// Signs is what `signs` prints, as of the dossier.
func (r *Dossier) Signs() science.Signs {
	return r.Account().Signs(falseQuotes(r.Judgement(), r.Document.Artifact))
}

// falseQuotes counts, by the agents who wrote them, the quotations in items and reasons of KILLs that do not stand in their source.
func falseQuotes(judged *evidence.Judgement, a *artifact.Artifact) map[string]int {
	count := map[string]int{}
	for _, q := range judged.Quotes() {
		if it := a.Item(q.Item); it != nil && q.Verdict == evidence.NotFound {
			if source := quoteSource(it, q.Path); source != nil {
				count[source.Agent]++
			}
		}
	}
	return count
}

// quoteSource is where a quotation of an item was written.
func quoteSource(it *artifact.Item, path string) *artifact.Source {
	if path == evidence.KillReason {
		if it.Killed == nil {
			return nil
		}
		return it.Killed.Source
	}
	return sourceOf(it, path)
}
