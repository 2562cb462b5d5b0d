package fold

import (
	"slices"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/message"
	"brenner/internal/science"
)

// Attacks are the critiques that hit a hypothesis, oldest first: CRITIQUE messages, those that were
// promoted together with their item, and C items of their own.
func (v *View) Attacks() []science.Attack {
	var list []science.Attack
	joined := map[artifact.ItemID]bool{}
	for i := range v.Critiques {
		c := &v.Critiques[i]
		a := science.Attack{
			MessageID: c.MessageID, Item: c.Item, From: c.From, Severity: c.Severity, Hits: slices.Clone(c.Targets), At: c.CreatedAt,
		}
		if len(c.Answers) > 0 {
			a.Answered = c.Answers[0].At
		}
		if it := v.Fold.Artifact().Item(c.Item); c.Item != "" && it != nil {
			joined[c.Item] = true
			a.Hits = append(a.Hits, named(it)...)
			if at := settledAt(it); a.Answered.IsZero() || !at.IsZero() && at.Before(a.Answered) {
				a.Answered = at
			}
		}
		list = append(list, a)
	}
	for _, it := range v.Fold.Artifact().Items(artifact.AdversarialCritique) {
		if !joined[it.ID] {
			list = append(list, itemAttack(it))
		}
	}
	slices.SortStableFunc(list, func(a, b science.Attack) int { return a.At.Compare(b.At) })
	return list
}

func itemAttack(it *artifact.Item) science.Attack {
	a := science.Attack{Item: it.ID, Hits: named(it), Answered: settledAt(it)}
	if src := it.Source(artifact.Attack); src != nil {
		a.MessageID, a.From, a.At = src.MessageID, src.Agent, src.At
	}
	return a
}

// named are the items that a C item names as words in its name or attack.
func named(it *artifact.Item) []string {
	return append(message.ItemWords(it.Text(artifact.Name)), message.ItemWords(it.Text(artifact.Attack))...)
}

// settledAt is when a C item was killed or got a status that settles it; zero while it is open.
func settledAt(it *artifact.Item) time.Time {
	switch {
	case it.Killed != nil:
		return it.Killed.At
	case OpenItem(it):
		return time.Time{}
	}
	if src := it.Source(artifact.CurrentStatus); src != nil {
		return src.At
	}
	return time.Time{}
}
