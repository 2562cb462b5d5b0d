package web

import (
	"brenner/internal/artifact"
	"brenner/internal/session"
)

// maxResults is how many results of a test a page lists, the latest ones.
const maxResults = 50

// given are the results of a session's tests as cards, the newest first. A session that cannot be studied has none.
func (w *Web) given(of *session.Session) map[artifact.ItemID][]resultCard {
	list := map[artifact.ItemID][]resultCard{}
	s, err := w.studied(of)
	if err != nil {
		return list
	}
	m := cardMaker{of.ID(), w.sourceNamed}
	for _, row := range s.Ledger() {
		if len(list[row.Test]) <= maxResults {
			list[row.Test] = append(list[row.Test], m.of(row))
		}
	}
	return list
}
