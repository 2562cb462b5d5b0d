package web

import (
	"context"

	"brenner/internal/artifact"
	"brenner/internal/fold"
	"brenner/internal/session"
)

// inAttack is how much of an attack and of its answer stands on its card; the whole is behind the link.
var inAttack = setting{700, 3, 20}

// answerText is an answer with its words.
type answerText struct {
	MessageID int64
	From      string
	Changed   bool // it changed something, and did not only say why the attack does not hold
	Body      bodyText
}

// tellAttacks adds to the rows what the attacks and their answers say.
func (rd *reader) tellAttacks(ctx context.Context, of *session.Session, rows []critiqueLine) error {
	var ids []int64
	for i := range rows {
		if id := rows[i].MessageID; id > 0 {
			ids = append(ids, id)
		}
		for _, a := range rows[i].Answers {
			ids = append(ids, a.MessageID)
		}
	}
	messages, err := of.Messages(ctx, ids)
	if err != nil {
		return err
	}
	for i := range rows {
		c := &rows[i]
		said := ""
		if m := messages[c.MessageID]; m != nil {
			said = session.AttackText(m)
		}
		if said == "" && c.Item != nil {
			if it := of.View.Fold.Artifact().Item(artifact.ItemID(*c.Item)); it != nil {
				said = it.Text(artifact.Attack)
			}
		}
		c.Said = bodyOf(said, inAttack, rd.links)
		for _, a := range c.Answers {
			answer := answerText{MessageID: a.MessageID, From: a.From, Changed: a.Kind == fold.AnsweredByDelta}
			if m := messages[a.MessageID]; m != nil {
				answer.Body = bodyOf(proseOf(m.Body), inAttack, rd.links)
			}
			c.Answered = append(c.Answered, answer)
		}
	}
	return nil
}
