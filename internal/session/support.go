package session

import (
	"context"

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

// Support says what each active item of the current fold of a thread rests on.
func (s *Sessions) Support(ctx context.Context, threadID string) ([]ItemSupport, error) {
	library, err := s.Library()
	if err != nil {
		return nil, err
	}
	v, err := s.View(ctx, threadID)
	if err != nil {
		return nil, err
	}
	return SupportOf(library, v.Fold.Artifact()), nil
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

// Support says what one active item rests on; false: it is none.
func (s *Standing) Support(id artifact.ItemID) (ItemSupport, bool) {
	it := s.View.Fold.Artifact().Item(id)
	if it == nil || s.Evidence == nil {
		return ItemSupport{}, false
	}
	item, ok := s.Evidence.Item(id)
	if !ok {
		return ItemSupport{}, false
	}
	return supportOf(it, item), true
}
