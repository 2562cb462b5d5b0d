package fold

import (
	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
	"brenner/internal/protocol"
)

// Change is what a message did to an item, in words: a whole item that it added or killed, or one
// value of it.
type Change struct {
	Item      artifact.ItemID `json:"item"`
	Kind      ChangeKind      `json:"kind"`
	Name      string          `json:"name"`            // of the item, after the message
	Field     string          `json:"field,omitempty"` // as it is called for readers; empty for a whole item
	Path      string          `json:"path,omitempty"`
	Old       string          `json:"old,omitempty"`
	New       string          `json:"new,omitempty"` // of an added item what it claims, of a killed one the reason
	Rationale string          `json:"rationale,omitempty"`
	Against   string          `json:"against,omitempty"` // whose value was kept instead of an overruled one
}

// ChangeKind says what happened.
type ChangeKind string

// The kinds of change.
const (
	Added     ChangeKind = "added"
	Edited    ChangeKind = "edited"
	Killed    ChangeKind = "killed"
	Overruled ChangeKind = "overruled"
)

// The bounds of what is kept of a message: a page shows this much, and the message has the rest.
const (
	maxChanges    = 60
	maxChangeText = 1500
)

// changesOf says what folding a message did.
func changesOf(report *merge.MessageReport, a *artifact.Artifact) []Change {
	var list []Change
	var whole map[artifact.ItemID]bool // added by this message: its values are in it
	for _, c := range report.Changes {
		it := a.Item(c.Item)
		if it == nil || len(list) == maxChanges {
			continue
		}
		if c.Kind == merge.KindAdded && !whole[c.Item] && c.By != nil && it.Origin() == c.By {
			if whole == nil {
				whole = map[artifact.ItemID]bool{}
			}
			whole[c.Item] = true
			list = append(list, wholeChange(it, Added, cutChange(it.Lead()), c.By))
			continue
		}
		if whole[c.Item] && c.Kind == merge.KindAdded {
			continue
		}
		list = append(list, changeOf(it, &c))
	}
	return list
}

func changeOf(it *artifact.Item, c *merge.Change) Change {
	if c.Kind == merge.KindKilled {
		return wholeChange(it, Killed, cutChange(artifact.ValueText(c.New)), c.By)
	}
	change := wholeChange(it, Edited, cutChange(artifact.ValueText(c.New)), c.By)
	change.Field, change.Path, change.Old = it.Section.Label(c.Field), c.Field, cutChange(artifact.ValueText(c.Old))
	if c.Kind == merge.KindOverruled {
		change.Kind = Overruled
		if c.Against != nil {
			change.Against = c.Against.Agent
		}
	}
	return change
}

func wholeChange(it *artifact.Item, kind ChangeKind, text string, by *artifact.Source) Change {
	change := Change{Item: it.ID, Kind: kind, Name: cutChange(it.Title()), New: text}
	if by != nil {
		change.Rationale = cutChange(by.Rationale)
	}
	return change
}

// cutChange returns as much of a text as is kept. The texts of an artifact are their own: they keep no
// message in memory.
func cutChange(text string) string { return protocol.ShortenBytes(text, maxChangeText) }
