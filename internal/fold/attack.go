package fold

import (
	"cmp"
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/science"
)

// Attacks are the critiques of a thread, oldest first: CRITIQUE messages, those that were promoted together with their item,
// and C items of their own (SCIENCE 8).
func (v *View) Attacks() []science.Attack {
	var list []science.Attack
	joined := map[artifact.ItemID]bool{}
	for i := range v.Critiques {
		c := &v.Critiques[i]
		a := c.attack()
		if it := v.Fold.Artifact().Item(c.Item); c.Item != "" && it != nil {
			joined[c.Item] = true
			c.join(&a, v.Science.Challenges.Items.At(c.Item.Number()))
		}
		a.Open = v.Open(c)
		list = append(list, a)
	}
	for _, it := range v.Fold.Artifact().Items(artifact.AdversarialCritique) {
		if !joined[it.ID] {
			c := v.Science.Challenges.Items.At(it.ID.Number())
			list = append(list, science.Attack{
				MessageID: c.MessageID, Item: it.ID, From: c.By, At: c.At, Hits: c.Hits, Replies: c.Replies, Open: science.OpenItem(it),
			})
		}
	}
	slices.SortStableFunc(list, func(a, b science.Attack) int { return cmp.Compare(a.MessageID, b.MessageID) })
	return list
}

// attack is a CRITIQUE message as an attack on every hypothesis in its Target.
func (c *Critique) attack() science.Attack {
	a := science.Attack{MessageID: c.MessageID, Item: c.Item, From: c.From, Severity: c.Severity, At: c.CreatedAt}
	for _, id := range c.Targets {
		a.Hits = append(a.Hits, c.hit(id))
	}
	for _, answer := range c.Answers {
		a.Replies = append(a.Replies, science.Reply{MessageID: answer.MessageID, By: answer.From, At: answer.At, Closes: true,
			Seen: answer.Seen})
	}
	return a
}

func (c *Critique) hit(id string) science.Hit {
	return science.Hit{Hypothesis: id, By: c.From, MessageID: c.MessageID, At: c.CreatedAt, Seen: c.Seen}
}

// join adds what became of the item that a critique was promoted to. What the item named when it was made are the critic's
// words.
func (c *Critique) join(a *science.Attack, item science.Challenge) {
	for _, h := range item.Hits {
		if a.On(h.Hypothesis) != nil {
			continue
		}
		if h.MessageID == item.MessageID {
			h = c.hit(h.Hypothesis)
		}
		a.Hits = append(a.Hits, h)
	}
	a.Replies = append(a.Replies, item.Replies...)
	slices.SortStableFunc(a.Replies, func(a, b science.Reply) int { return cmp.Compare(a.MessageID, b.MessageID) })
}
