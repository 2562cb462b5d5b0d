package science

import (
	"brenner/internal/artifact"
	"brenner/internal/protocol"
	"brenner/internal/quantity"
)

// UnreadCell is a cell of a test with a quantity that is no number with a spread: it counts as not there (SCIENCE 4).
type UnreadCell struct {
	Test       artifact.ItemID
	Hypothesis string
	Finding    protocol.Finding // CELL_NOT_NUMERIC
}

// UnreadCells lists the cells that the last message made so, by writing them or by giving their test another quantity. before is the
// state without that message.
func (s *State) UnreadCells(before *State) []UnreadCell {
	var list []UnreadCell
	for i, t := range s.Results.Tests.All() {
		if t == nil || t.Quantity == nil {
			continue
		}
		id := artifact.NewItemID(artifact.DiscriminativeTests, i+1)
		old := before.Results.Test(id).Quantity
		all := old == nil || *old != *t.Quantity
		for _, c := range s.Predictions.cells(id).Cells {
			if w := c.last(); all || w.Place == s.Messages {
				list = appendUnread(list, t.Quantity, id, c.Hypothesis, w.Text)
			}
		}
	}
	return list
}

func appendUnread(list []UnreadCell, q *quantity.Quantity, test artifact.ItemID, hypothesis string, text *string) []UnreadCell {
	w := World(hypothesisNumber(hypothesis))
	if text == nil || w == None || !Expects(*text) {
		return list
	}
	_, err := q.Spread(*text)
	if err == nil {
		return list
	}
	u := unread{world: w, text: *text, err: err}
	return append(list, UnreadCell{test, hypothesis, u.finding(test)})
}
