package fold

import (
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
	"brenner/internal/protocol"
)

// Conflict is a value that agents set differently since the version before (PROTOCOL 7, conflict), in words.
type Conflict struct {
	Version int // whose messages they wrote; 0: of the next one
	Item    artifact.ItemID
	Path    string
	Field   string // as it is called for readers
	Open    bool   // of one instant, and no one of the roster decided: the value before stays
	Stands  Claim
	Against []Claim // the most recent first
}

// Claim is a value that an agent asked for.
type Claim struct {
	Agent     string // empty: the value was absent
	MessageID int64
	Text      string
}

// maxConflicts is how many are kept of a version; its COMPILED message lists all.
const maxConflicts = 60

// closingConflicts are those of the open window, if a message may close it.
func (v *View) closingConflicts(m *Message) []Conflict {
	if m.Type != protocol.TypeCompiled {
		return nil
	}
	return v.OpenConflicts()
}

// OpenConflicts are those of the messages since the latest version.
func (v *View) OpenConflicts() []Conflict {
	var list []Conflict
	for _, c := range v.Fold.Conflicts() {
		it := v.Fold.Artifact().Item(c.Item)
		if it == nil || len(list) == maxConflicts {
			continue
		}
		conflict := Conflict{Item: c.Item, Path: c.Field, Field: it.Section.Label(c.Field), Stands: claimOf(c.Winner),
			Open: slices.Contains(it.Conflicts, c.Field)}
		for _, loser := range c.Losers[:min(len(c.Losers), maxConflicts)] {
			conflict.Against = append(conflict.Against, claimOf(loser))
		}
		list = append(list, conflict)
	}
	return list
}

func claimOf(c merge.Claim) Claim {
	return Claim{c.Agent, c.MessageID, cutChange(artifact.ValueText(c.Value))}
}

// keepConflicts remembers conflicts as those of the version that was just published.
func (v *View) keepConflicts(list []Conflict) {
	for _, c := range list {
		c.Version = v.Latest()
		v.Conflicts = append(v.Conflicts, c)
	}
}

// ConflictsBetween returns what agents set differently after one version and up to another.
func (v *View) ConflictsBetween(from, to int) []Conflict {
	var list []Conflict
	for _, c := range v.Conflicts {
		if c.Version > from && c.Version <= to {
			list = append(list, c)
		}
	}
	return list
}

// ShownConflicts are what a reader of a version meets, 0 for the draft: the conflicts of its own messages, and
// older ones that are not decided.
func (v *View) ShownConflicts(version int) []Conflict {
	list := v.ConflictsBetween(version-1, version)
	if version == 0 {
		list = v.OpenConflicts()
	}
	for _, c := range slices.Backward(v.Conflicts) {
		it := v.Fold.Artifact().Item(c.Item)
		known := slices.ContainsFunc(list, func(other Conflict) bool { return other.Item == c.Item && other.Path == c.Path })
		if !known && it != nil && slices.Contains(it.Conflicts, c.Path) {
			list = append(list, c)
		}
	}
	return list
}
