package session

import (
	"context"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/fold"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// CritiqueItem returns the critique that an item of the artifact is: the CRITIQUE message that was promoted to it, with its
// text, else the item with its fields. NOT_FOUND: there is no such item.
func (s *Session) CritiqueItem(ctx context.Context, id artifact.ItemID) (fold.QueueEntry, error) {
	v := s.View
	for i := range v.Critiques {
		if c := &v.Critiques[i]; c.Item == id {
			m, err := s.of.mail.Message(ctx, c.MessageID)
			e := v.Entry(c)
			e.Body = &m.Body
			return e, err
		}
	}
	it := v.Fold.Artifact().Item(id)
	if it == nil || it.Section != artifact.AdversarialCritique {
		return fold.QueueEntry{}, protocol.Errorf(protocol.NotFound, "%s has no critique %s", s.ID(), id)
	}
	e := fold.QueueEntry{OpenCritique: fold.ItemEntry(it), ThreadID: s.ID(), State: "open", Answers: []fold.AnswerEntry{}}
	if !science.OpenItem(it) {
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
