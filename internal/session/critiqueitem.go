package session

import (
	"context"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/fold"
	"brenner/internal/protocol"
)

// CritiqueItem returns the critique that an item of a thread's artifact is: the CRITIQUE message that was promoted to it, with its
// text, else the item with its fields. NOT_FOUND: there is no such item.
func (s *Sessions) CritiqueItem(ctx context.Context, threadID string, id artifact.ItemID) (fold.QueueEntry, error) {
	v, err := s.View(ctx, threadID)
	if err != nil {
		return fold.QueueEntry{}, err
	}
	for i := range v.Critiques {
		if c := &v.Critiques[i]; c.Item == id {
			return s.CritiqueShow(ctx, c.MessageID)
		}
	}
	it := v.Fold.Artifact().Item(id)
	if it == nil || it.Section != artifact.AdversarialCritique {
		return fold.QueueEntry{}, protocol.Errorf(protocol.NotFound, "%s has no critique %s", threadID, id)
	}
	e := fold.QueueEntry{OpenCritique: fold.ItemEntry(it), ThreadID: threadID, State: "open", Answers: []fold.AnswerEntry{}}
	if !fold.OpenItem(it) {
		e.State = "answered"
	}
	body := itemText(it)
	e.Body = &body
	return e, nil
}

// itemText writes the texts of an item under the names of their fields.
func itemText(it *artifact.Item) string {
	var b strings.Builder
	for _, f := range it.Section.Fields() {
		if text := it.Text(f.Name); f.Kind == artifact.KindText && text != "" {
			b.WriteString("## " + f.Label + "\n\n" + text + "\n\n")
		}
	}
	return b.String()
}
