package session

import (
	"brenner/internal/artifact"
	"brenner/internal/evidence"
)

// ItemSupport is what an active item rests on (SCIENCE 1, support).
type ItemSupport struct {
	ID        string           `json:"id"`
	Name      string           `json:"name"`
	Support   evidence.Support `json:"support"`
	Quotes    []CheckedQuote   `json:"quotes"`
	Citations []string         `json:"citations"`
}

// Support says what each active item rests on. An error says why the library of evidence cannot be read.
func (s *Session) Support() ([]ItemSupport, error) {
	if s.broken != nil {
		return nil, s.broken
	}
	return SupportOf(s.library, s.View.Fold.Artifact()), nil
}

// SupportOf says what each active item of an artifact rests on.
func SupportOf(library *evidence.Library, a *artifact.Artifact) []ItemSupport {
	list := []ItemSupport{}
	for _, item := range library.Judge(a).Items {
		list = append(list, supportOf(a.Item(item.ID), item))
	}
	return list
}

func supportOf(it *artifact.Item, item evidence.ItemSupport) ItemSupport {
	support := ItemSupport{ID: string(item.ID), Name: it.Title(), Support: item.Support, Quotes: []CheckedQuote{}, Citations: []string{}}
	for _, q := range item.Quotes {
		checked := newCheckedQuote(&q.Checked)
		path := q.Path
		checked.Item, checked.Path, checked.MessageID = &support.ID, &path, writtenBy(it, path)
		support.Quotes = append(support.Quotes, checked)
	}
	for _, c := range item.Citations {
		support.Citations = append(support.Citations, c.String())
	}
	return support
}

// SupportOf says what one active item rests on; false: it is none, or the library cannot be read.
func (s *Session) SupportOf(id artifact.ItemID) (ItemSupport, bool) {
	it := s.View.Fold.Artifact().Item(id)
	judged, err := s.judge(s.View, s.View.Unhashed(), s.graph)
	if it == nil || err != nil || judged.errors().evidence == nil {
		return ItemSupport{}, false
	}
	item, ok := judged.errors().evidence.Item(id)
	if !ok {
		return ItemSupport{}, false
	}
	return supportOf(it, item), true
}

// Coverage says how much of what the artifact quotes was checked (SCIENCE 1, coverage).
func (s *Session) Coverage() (evidence.Counts, error) {
	judged, err := s.judge(s.View, s.View.Unhashed(), s.graph)
	if err != nil {
		return evidence.Counts{}, err
	}
	return judged.errors().evidence.Counts, nil
}
